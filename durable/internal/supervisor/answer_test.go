package supervisor

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// TestAnswerReturned checks what becomes of a person's answer when its helper has been told, and
// which words the person is shown. attempts is how often the helper could not be told before.
func TestAnswerReturned(t *testing.T) {
	for _, test := range []struct {
		name     string
		attempts int
		data     []byte
		kept     bool
		shown    string
	}{
		{"taken", 0, response(facet.Answer, facet.AcceptResult{}), false, ""},
		{"too late", 0, response(facet.Answer, facet.AcceptResult{Gone: true}), false, AnswerLateText},
		{"unreachable", 0, nil, true, ""},
		{"unreachable at the last but one attempt", maxSendAttempts - 2, nil, true, ""},
		{"unreachable at the last attempt", maxSendAttempts - 1, nil, false, answerUndeliveredText},
		{"a garbled response", 0, []byte("?"), true, ""},
		{"taken after many attempts", maxSendAttempts - 1, response(facet.Answer, facet.AcceptResult{}), false, ""},
	} {
		s := newScene(t)
		s.begin(run.Waiting)
		if !s.Answer(s.tx, run.Answer{Conn: "conn", Call: "call", Approved: true}) {
			t.Fatalf("%s: no run waits for the answer", test.name)
		}
		s.tx.SQL(`UPDATE answer SET attempts = ?`, test.attempts)
		failure := ""
		if test.data == nil {
			failure = "unreachable"
		}
		s.CallReturned(s.tx, facet.CallAnswer, "1", test.data, failure)
		if got := run.AnswerPending(s.tx, "r"); got != test.kept {
			t.Errorf("%s: kept %v, want %v", test.name, got, test.kept)
		}
		shown := ""
		for _, f := range s.facts {
			if dropped, ok := f.(AnswerDropped); ok {
				shown = dropped.Why
			}
		}
		if shown != test.shown {
			t.Errorf("%s: shown %q, want %q", test.name, shown, test.shown)
		}
	}
}
