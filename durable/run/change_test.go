package run_test

import (
	"reflect"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// TestARunInMemoryIsAsItsRow changes a run in every way, and compares what is kept of it in memory
// with its row.
func TestARunInMemoryIsAsItsRow(t *testing.T) {
	storage := durabletest.Memory(t)
	bare := durable.NewTx(1000, storage, durabletest.Rand(1)) // keeps nothing
	durable.Migrate(bare, stream.Schema, run.Schema)
	tx := durable.NewTx(1000, storage, durabletest.Rand(1))
	tx.Use(&durable.Tables{})
	r := begin(t, tx, "r")
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"it begins", func() {}},
		{"it runs", func() { run.Move(tx, &r, run.Running, run.Result{}) }},
		{"it says something", func() { run.NoteChunks(tx, &r, stream.Append(tx, r.Log(), r.Next, []byte("{}"), []byte("{}"))) }},
		{"it says more", func() { run.NoteChunks(tx, &r, stream.Append(tx, r.Log(), r.Next, []byte("{}"))) }},
		{"it is active", func() { run.NoteActivity(tx, &r) }},
		{"it reports", func() { run.Report(tx, &r, 1, run.Progress{Fraction: 0.5}) }},
		{"it reaches a milestone", func() { run.NoteMilestone(tx, &r, 1) }},
		{"it spends", func() { run.Spend(tx, &r, run.Usage{InputTokens: 7}) }},
		{"it is asked again", func() { run.Dispatched(tx, &r) }},
		{"it waits", func() { run.Wait(tx, &r, []string{"c"}, nil) }},
		{"it is cancelled", func() { run.Cancel(tx, &r, run.Cancelled, "stop") }},
		{"its helper knows", func() { run.CancelAcknowledged(tx, r.ID) }},
		{"it is deleted", func() { run.Delete(tx, r) }},
	} {
		step.do()
		for range 2 { // the second time from memory
			got, kept := run.FindBrief(tx, "r")
			want, stored := run.FindBrief(bare, "r")
			if kept != stored || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: it is kept as\n%+v, and stored as\n%+v", step.name, got, want)
			}
		}
	}
}
