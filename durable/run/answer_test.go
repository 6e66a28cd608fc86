package run_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/run"
)

// TestFirstAnswerCounts has two people answer one call. The first answer stays as it is until the
// helper has heard it.
func TestFirstAnswerCounts(t *testing.T) {
	tx := open(t)
	begin(t, tx, "r")
	first := run.Answer{Run: "r", Call: "c", Approved: false, By: "ann"}
	if !run.KeepAnswer(tx, &first) || first.Seq == 0 {
		t.Fatalf("the first answer is not kept: %+v", first)
	}
	second := run.Answer{Run: "r", Call: "c", Approved: true, By: "eve"}
	if run.KeepAnswer(tx, &second) {
		t.Error("the second answer is kept")
	}
	if got, ok := run.FindAnswer(tx, first.Seq); !ok || got.Approved || got.By != "ann" {
		t.Errorf("got %+v, %t", got, ok)
	}
}
