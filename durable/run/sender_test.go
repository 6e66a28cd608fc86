package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

func claimsOf(subject string) string { return fmt.Sprintf(`{"sub":%q,"scopes":[]}`, subject) }

// TestSignalsAreShared checks that one person cannot take the room that all have for signals to a run: at the limit, one
// beyond it, and far beyond it, by number and by size. What the run has received makes room again.
func TestSignalsAreShared(t *testing.T) {
	each := share.Signals.Each
	for _, tt := range []struct {
		name, by string
		n, size  int
		kept     int
	}{
		{"at the limit", claimsOf("mallory"), each, 1, each},
		{"one beyond", claimsOf("mallory"), each + 1, 1, each},
		{"far beyond", claimsOf("mallory"), 3 * limit.Signals, 1, each},
		{"with other scopes", `{"sub":"mallory","scopes":["a"]}`, each + 1, 1, each},
		{"of a token without a subject", `{"sub":"","scopes":[],"sender":"abc"}`, each + 1, 1, each},
		{"of somebody who is not known", `{"sub":"","scopes":[]}`, each + 1, 1, each},
		{"bytes at the limit", claimsOf("mallory"), 4, limit.SignalPayload, 4},
		{"bytes one beyond", claimsOf("mallory"), 5, limit.SignalPayload, 4},
		{"bytes far beyond", claimsOf("mallory"), 50, limit.SignalPayload, 4},
		{"where nobody signs in", "", 3 * limit.Signals, 1, limit.Signals},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tx := open(t)
			r := begin(t, tx, "r")
			sends := func(by string, size int) bool {
				s := run.Signal{ID: tx.NewID(), Name: "go", Payload: []byte(strings.Repeat("1", size))}
				return run.KeepSignal(tx, r, &s, false, by) == run.SignalKept
			}
			kept := 0
			for i := range tt.n {
				if sends(tt.by, tt.size) {
					kept++
				}
				if tt.by != "" && i%3 == 0 && i < 90 && !sends(claimsOf("alice"), 100) {
					t.Fatal("a signal of another person is refused")
				}
			}
			if kept != tt.kept {
				t.Errorf("%d signals are kept, want %d", kept, tt.kept)
			}
			if tt.by != "" && !sends(claimsOf("bob"), 1) {
				t.Error("a signal of another person is refused")
			}
			sent := run.HasSent(tx, r.ID)
			run.NoteReceived(tx, &r, sent)
			if !sends(tt.by, tt.size) {
				t.Error("there is no room when all are received")
			}
		})
	}
}

// TestSendersOfWhatWaits checks that the newest signals count, as many as wait: of three people, of whom one sends more
// and more.
func TestSendersOfWhatWaits(t *testing.T) {
	tx := open(t)
	r := begin(t, tx, "r")
	sends := func(by string) bool {
		s := run.Signal{ID: tx.NewID(), Name: "go", Payload: []byte(`1`)}
		return run.KeepSignal(tx, r, &s, false, claimsOf(by)) == run.SignalKept
	}
	for i := range 5_000 {
		if !sends("mallory") || !sends("alice") || i%7 == 0 && !sends("bob") {
			t.Fatalf("%d: a signal is refused though few wait", i)
		}
		if i%50 == 49 {
			run.NoteReceived(tx, &r, run.HasSent(tx, r.ID))
		}
	}
	run.NoteReceived(tx, &r, run.HasSent(tx, r.ID))
	for range share.Signals.Each {
		if !sends("mallory") {
			t.Fatal("a signal within the share is refused")
		}
	}
	if sends("mallory") || !sends("alice") {
		t.Error("not the one who has the share is refused")
	}
	if n := tx.Number(`SELECT LENGTH(senders) FROM signal_count`); n > 200 {
		t.Errorf("the senders take %d bytes", n)
	}
}
