// Package sharetest checks that something that the people of a conversation share keeps the rule of
// package share.
package sharetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/share"
)

// Of returns the claims of a person.
func Of(person string) string { return fmt.Sprintf(`{"sub":%q,"scopes":[]}`, person) }

// Nobody are claims that name no person.
const Nobody = `{"scopes":[]}`

// Check has people take everything that they share, one after the other: one person takes the share of
// one, asks for one more and for far more, and then the others take the rest. take has a person take one
// more, and returns why that was refused, or nil. taken returns how many there are.
func Check(t *testing.T, s share.Share, take func(claims string) error, taken func() int) {
	t.Helper()
	fill := func(claims string, n int) {
		t.Helper()
		for i := range n {
			if err := take(claims); err != nil {
				t.Fatalf("number %d of %d of %s is refused: %v", i+1, n, claims, err)
			}
		}
	}
	refused := func(claims string, times int, words string) {
		t.Helper()
		before := taken()
		for range times {
			if err := take(claims); err == nil || !strings.Contains(err.Error(), words) {
				t.Fatalf("one more of %s: %v, want %q", claims, err, words)
			}
		}
		if now := taken(); now != before {
			t.Fatalf("there are %d, and were %d before one more was refused", now, before)
		}
	}
	own := fmt.Sprintf("%d %s already for one person, who can have %d of %d", s.Each, s.Are, s.Each, s.Most)
	all := fmt.Sprintf("%d %s already", s.Most, s.Are)
	fill(Of("m"), s.Each)
	refused(Of("m"), 1+min(s.Each, 64), own)
	left := s.Most - s.Each
	fill(Of("a"), min(left, 1))
	left -= min(left, 1)
	if nobody := min(left, s.Each); nobody > 0 {
		fill(Nobody, nobody)
		if left -= nobody; left > 0 {
			refused(Nobody, 2, own)
		}
	}
	for i := 0; left > 0; i++ {
		n := min(left, s.Each)
		fill(Of(fmt.Sprint("p", i)), n)
		left -= n
	}
	if n := taken(); n != s.Most {
		t.Fatalf("there are %d, want %d", n, s.Most)
	}
	refused(Of("z"), 3, all)
	refused("", 1, all)
}

// CheckAlone has a developer take everything where nobody signs in.
func CheckAlone(t *testing.T, s share.Share, take func(claims string) error) {
	t.Helper()
	for i := range s.Most {
		if err := take(""); err != nil {
			t.Fatalf("number %d of %d is refused: %v", i+1, s.Most, err)
		}
	}
	if err := take(""); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%d %s already", s.Most, s.Are)) {
		t.Fatalf("one more: %v", err)
	}
}
