package draw

import (
	"fmt"
	"slices"
	"testing"
)

// TestEverything leaves nothing out.
func TestEverything(t *testing.T) {
	t.Setenv(Variable, everything)
	if got := moments(t, 5); !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("the moments are %v", got)
	}
	if got := One("a", []int{1, 2, 3}); len(got) != 3 {
		t.Errorf("of the list there are %v", got)
	}
	if !OneIn(4, "a") || !OneIn(4, "b") || !OneIn(4, "c") {
		t.Error("something is left out")
	}
}

// TestDrawn shows that a commit always draws the same, and that commits together draw everything.
func TestDrawn(t *testing.T) {
	moment, element, chosen := map[int]bool{}, map[int]bool{}, 0
	const commits = 400
	for commit := range commits {
		t.Setenv(Variable, fmt.Sprintf("%040x", commit))
		got, again := moments(t, 40), moments(t, 40)
		if !slices.Equal(got, again) || len(got) < 40/shortDistance || !testing.Short() && got[1]-got[0] != distance {
			t.Fatalf("got %v, and then %v", got, again)
		}
		for _, at := range got {
			moment[at] = true
		}
		one := One("list", []int{0, 1, 2})
		if len(one) != 1 || one[0] != One("list", []int{0, 1, 2})[0] {
			t.Fatalf("of the list there is %v", one)
		}
		element[one[0]] = true
		if OneIn(4, "a fault") {
			chosen++
		}
	}
	if len(moment) != 40 || len(element) != 3 || chosen < commits/8 || chosen > commits/2 {
		t.Errorf("%d commits have drawn %d of 40 moments, %d of 3 elements, and a fault %d times", commits, len(moment), len(element), chosen)
	}
}

func moments(t *testing.T, n int) (all []int) {
	for at := range Moments(t) {
		if at >= n {
			break
		}
		all = append(all, at)
	}
	return all
}
