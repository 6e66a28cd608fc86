package supervisor

import (
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// TestReconcileWait checks when helpers are asked for news that have been silent.
func TestReconcileWait(t *testing.T) {
	detached, awaited := run.Run{Handler: "tell"}, run.Run{}
	for _, test := range []struct {
		name           string
		active         []run.Run
		unacknowledged bool
		count          int
		want           int64
	}{
		{"nothing is at work", nil, false, 0, 0},
		{"a helper has to acknowledge something", nil, true, 5, 30_000},
		{"code awaits a run", []run.Run{detached, awaited}, false, 5, 30_000},
		{"a detached run is new", []run.Run{detached}, false, 0, 5_000},
		{"the second time", []run.Run{detached}, false, 1, 15_000},
		{"the third time", []run.Run{detached, detached}, false, 2, 30_000},
		{"the fourth time", []run.Run{detached}, false, 3, 120_000},
		{"every later time", []run.Run{detached}, false, 1_000, 120_000},
		{"a detached run whose helper has to acknowledge something", []run.Run{detached}, true, 0, 30_000},
	} {
		if got := reconcileWait(test.active, test.unacknowledged, test.count); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

// TestTailIsRetried shows that a stream which breaks is opened again, with a growing back-off, and
// that the log is read in pages after some failures. A chunk ends the series of failures.
func TestTailIsRetried(t *testing.T) {
	s := newScene(t)
	r := s.begin(run.Running)
	s.openTail(s.tx, r)
	var waits []int64
	var streams, pages int
	commands[durable.OpenStream](s)
	commands[durable.Call](s)
	for range 6 {
		s.TailBroke(s.tx, r, "broken")
		s.tx.Unschedule(dueReconcile, "")
		wait, _ := s.handleDue()
		waits, streams, pages = append(waits, wait), streams+commands[durable.OpenStream](s), pages+commands[durable.Call](s)
	}
	if want := []int64{500, 1_000, 2_000, 4_000, 8_000, 8_000}; !slices.Equal(waits, want) {
		t.Errorf("waited %v, want %v", waits, want)
	}
	if streams != maxTailFailures || pages != 3 {
		t.Errorf("opened %d streams and read %d pages, want %d and 3", streams, pages, maxTailFailures)
	}
}

// TestEmptyPagesWaitLonger shows that the next page is asked for later and later while nothing new comes, and soon
// again behind a chunk.
func TestEmptyPagesWaitLonger(t *testing.T) {
	s := newScene(t)
	r := s.begin(run.Running)
	s.openTail(s.tx, r)
	s.tailReaders[r.ID].reader = nil
	page := func(chunks ...[]byte) int64 {
		r, _ = run.Find(s.tx, r.ID)
		s.pageReceived(s.tx, r, facet.Page{Chunks: chunks})
		s.tx.Unschedule(dueReconcile, "")
		wait, _ := s.handleDue()
		return wait
	}
	var waits []int64
	for range 8 {
		waits = append(waits, page())
	}
	if want := []int64{1_000, 1_000, 1_000, 2_000, 5_000, 10_000, checkDelay, checkDelay}; !slices.Equal(waits, want) {
		t.Errorf("waited %v, want %v", waits, want)
	}
	page([]byte(`{"type":"text-start","id":"p1"}`))
	if wait := page(); wait != 1_000 {
		t.Errorf("waited %d ms behind a chunk", wait)
	}
}
