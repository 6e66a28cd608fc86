package run_test

import (
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// TestSignalIDsEnd sends a run far more signals with ids than are remembered. The newest are known, and what
// waits is bounded by itself.
func TestSignalIDsEnd(t *testing.T) {
	tx := open(t)
	r := begin(t, tx, "r")
	const sent = run.KeepSignalIDs + 600
	for i := range sent {
		s := run.Signal{ID: fmt.Sprint("s", i), Name: "go", Payload: []byte(`1`)}
		if state := run.KeepSignal(tx, r, &s, true, ""); state != run.SignalKept {
			t.Fatalf("signal %d is %s", i, state)
		}
		run.AcknowledgeSignals(tx, r.ID, s.N)
		run.NoteReceived(tx, &r, run.Received{Signals: s.N, Bytes: s.N})
	}
	if n := tx.Number(`SELECT COUNT(*) FROM signal_id`); n < run.KeepSignalIDs || n > run.KeepSignalIDs+256 {
		t.Errorf("%d ids are remembered", n)
	}
	for id, want := range map[string]run.SignalState{fmt.Sprint("s", sent-1): run.SignalDuplicate, fmt.Sprint("s", sent-run.KeepSignalIDs): run.SignalDuplicate, "s0": run.SignalKept} {
		if state := run.KeepSignal(tx, r, &run.Signal{ID: id, Name: "go"}, true, ""); state != want {
			t.Errorf("%s once more is %s, want %s", id, state, want)
		}
	}
	for i := range limit.Signals + 10 {
		run.KeepSignal(tx, r, &run.Signal{ID: fmt.Sprint("more", i), Name: "go"}, true, "")
	}
	if n := tx.Number(`SELECT COUNT(*) FROM signal`); n != limit.Signals {
		t.Errorf("%d signals wait", n)
	}
}
