package chat_test

import (
	"slices"
	"strings"
	"testing"
)

// TestARunThatCameInPagesIsTheSame compares a run that was read in pages with one whose stream
// never broke, live and in a replay. A page may end it, or other pages and a stream may follow.
func TestARunThatCameInPagesIsTheSame(t *testing.T) {
	const cut = `tick 1s
evict helper-1
tick 1s
evict helper-1
tick 2s
evict helper-1
tick 3s
evict helper-1
tick 2m
connect b`
	const uncut = `tick 1s
tick 1s
tick 2s
tick 3s
tick 2m
connect b`
	for _, test := range []struct{ name, words string }{
		{"no milestone", "sleep=15s say=one say=two"},
		{"behind a milestone", "sleep=15s say=one reach=first say=two"},
		{"a milestone at the end", "sleep=15s say=one reach=first"},
		{"more comes later", "sleep=15s say=one reach=first say=two sleep=5s say=three"},
		{"more comes by the stream", "sleep=15s say=one sleep=100ms say=two sleep=10s say=three"},
	} {
		t.Run(test.name, func(t *testing.T) {
			paged, pages := runEvents(t, test.words, cut)
			whole, none := runEvents(t, test.words, uncut)
			if pages == 0 || none > 0 {
				t.Errorf("%d pages, and %d where nothing broke", pages, none)
			}
			if !slices.Equal(paged, whole) {
				t.Errorf("in pages:\n%s\nby the stream:\n%s", strings.Join(paged, "\n"), strings.Join(whole, "\n"))
			}
		})
	}
}

// runEvents returns what two tabs are sent of a run, and how many pages of its log were asked for.
func runEvents(t *testing.T, words, script string) (events []string, pages int) {
	t.Helper()
	w, engine := play(t, "Overseer", "say a R1 u1: tool=research class=Reporter id=r1 "+words)
	defer func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	}()
	for line := range strings.Lines(do(t, w, script)) {
		switch {
		case strings.Contains(line, `"agent-tool-event"`):
			events = append(events, strings.TrimSpace(line))
		case strings.HasPrefix(line, "\tcall page/"):
			pages++
		}
	}
	return events, pages
}
