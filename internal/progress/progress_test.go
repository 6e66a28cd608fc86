package progress

import (
	"strings"
	"testing"
	"time"
)

// TestLineOfAFile prints the line only if nothing else was printed for a while.
func TestLineOfAFile(t *testing.T) {
	var out strings.Builder
	began := time.Now()
	l := newLine(&out, false, func() string { return "halfway" }, began)
	l.tick(began.Add(every - 1))
	if out.Len() > 0 {
		t.Errorf("too early: %q", out.String())
	}
	l.tick(began.Add(every))
	l.tick(began.Add(2*every - 1))
	if got := out.String(); got != "halfway\n" {
		t.Errorf("got %q", got)
	}
	l.Printf("one is done")
	l.tick(time.Now())
	if got := out.String(); got != "halfway\none is done\n" {
		t.Errorf("got %q", got)
	}
}

// TestLineOfATerminal redraws the line below everything else, and leaves nothing of it behind.
func TestLineOfATerminal(t *testing.T) {
	var out strings.Builder
	said := strings.Repeat("ä", width+1)
	l := newLine(&out, true, func() string { return said }, time.Now())
	l.tick(time.Now())
	l.Printf("one is done\n")
	said = "halfway"
	l.tick(time.Now())
	said = ""
	l.tick(time.Now())
	l.End()
	l.Printf("over")
	want := "\r\x1b[K" + strings.Repeat("ä", width-1) + "…\r\x1b[Kone is done\n\r\x1b[Khalfway\r\x1b[Kover\n"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWorlds(t *testing.T) {
	w := NewWorlds()
	w.clock = func() time.Time { return w.began.Add(2 * time.Second) }
	w.Done(false)
	w.Done(true)
	w.Done(false)
	if got, want := w.String(), "2s: 3 worlds, 1.5 a second, 1 failed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
