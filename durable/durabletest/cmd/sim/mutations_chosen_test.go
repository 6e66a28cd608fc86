package main

import (
	"fmt"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/internal/draw"
)

// most is how many mutations are run if some are left out. They take about five minutes on two cores.
const most = 150

// chosenMutations returns the numbers of the mutations that are run, counted from 1: all, those of one room, or those
// that are drawn, which are a quarter and those of the rooms that the last commit has changed.
func chosenMutations(t *testing.T) (numbers []int) {
	t.Helper()
	if *room != "" {
		if numbers = numbered(func(m mutation) bool { return m.isIn(*room) }); len(numbers) == 0 {
			t.Fatalf("no fault is in the room %q", *room)
		}
		return numbers
	}
	if *search || draw.All() {
		return numbered(func(mutation) bool { return true })
	}
	touched := touchedRooms()
	numbers = drawnMutations(touched)
	t.Logf("%d of %d faults; the last commit has changed %q", len(numbers), len(mutations), touched)
	return numbers
}

// drawnMutations returns the numbers of a quarter of the mutations, and of all in some rooms. What does not fit is drawn.
func drawnMutations(rooms []string) []int {
	numbers := numbered(func(m mutation) bool { return draw.OneIn(4, m.name) || slices.Contains(rooms, m.room()) })
	if len(numbers) > most {
		slices.SortFunc(numbers, func(a, b int) int { return order(a) - order(b) })
		numbers = numbers[:most]
		slices.Sort(numbers)
	}
	return numbers
}

// order is a number that is drawn for a mutation.
func order(number int) int { return draw.Below("order "+mutations[number-1].name, 1<<30) }

func numbered(wanted func(mutation) bool) (numbers []int) {
	for i, m := range mutations {
		if wanted(m) {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// room returns the folder of a mutation below durable.
func (m mutation) room() string { return path.Dir(m.file) }

// isIn says whether a mutation is in a room: a folder below durable, or the last words of its path.
func (m mutation) isIn(room string) bool {
	room = strings.Trim(strings.TrimPrefix(strings.TrimPrefix(room, "./"), "durable/"), "/")
	return m.room() == room || strings.HasSuffix(m.room(), "/"+room)
}

// touchedRooms returns the folders below durable with a file that the last commit has changed, or none without a
// history.
func touchedRooms() (rooms []string) {
	out, err := exec.Command("git", "-C", core, "diff", "--name-only", "--relative", "HEAD^", "HEAD").Output()
	if err != nil {
		return nil
	}
	for file := range strings.FieldsSeq(string(out)) {
		rooms = append(rooms, path.Dir(file))
	}
	slices.Sort(rooms)
	return slices.Compact(rooms)
}

// TestChosenMutations checks what is run of the list.
func TestChosenMutations(t *testing.T) {
	t.Setenv(draw.Variable, "all")
	if got := chosenMutations(t); len(got) != len(mutations) || got[0] != 1 || got[len(got)-1] != len(mutations) {
		t.Errorf("of all there are %d", len(got))
	}
	var all []string
	for _, m := range mutations {
		all = append(all, m.room())
	}
	for _, rooms := range [][]string{nil, {"internal/approval"}, all} {
		drawn := map[int]bool{}
		for commit := range 16 {
			t.Setenv(draw.Variable, fmt.Sprint("commit ", commit))
			got := drawnMutations(rooms)
			if len(got) < len(mutations)/8 || len(got) > most || !slices.Equal(got, drawnMutations(rooms)) {
				t.Errorf("%d are drawn", len(got))
			}
			for _, n := range got {
				drawn[n] = true
			}
		}
		if len(drawn) < len(mutations)*9/10 {
			t.Errorf("sixteen commits draw %d of %d", len(drawn), len(mutations))
		}
	}
	for _, name := range touchedRooms() {
		if strings.Contains(name, " ") {
			t.Errorf("%q is no folder", name)
		}
	}
	for _, name := range []string{"chat", "durable/chat", "./durable/chat/"} {
		*room = name
		for _, n := range chosenMutations(t) {
			if !strings.HasPrefix(mutations[n-1].file, "chat/") {
				t.Errorf("%s: %s is in %s", name, mutations[n-1].name, mutations[n-1].file)
			}
		}
	}
	*room = "supervisor"
	if got := chosenMutations(t); len(got) == 0 || mutations[got[0]-1].room() != "internal/supervisor" {
		t.Errorf("of the supervisor there are %v", got)
	}
	*room = ""
}
