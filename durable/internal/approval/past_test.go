package approval_test

import (
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/internal/approval"
)

// at returns an event at a time.
func at(storage durable.Storage, now int64) *durable.Tx {
	return durable.NewTx(now, storage, durabletest.Rand(1))
}

// TestPastIsBounded checks how many answers are remembered, and how long.
func TestPastIsBounded(t *testing.T) {
	storage := durabletest.Memory(t)
	tx := at(storage, 1)
	durable.Migrate(tx, durable.Schema{Component: "chat", Steps: []string{
		`CREATE TABLE answered (seq INTEGER PRIMARY KEY, call TEXT NOT NULL UNIQUE, approved INTEGER NOT NULL,
			person TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL)`,
	}})
	for n := range approval.KeepPast + 3 {
		approval.Remember(tx, approval.Past{Call: fmt.Sprint(n), Approved: true, Person: "ann"})
	}
	if n := tx.Number(`SELECT COUNT(*) FROM answered`); n != approval.KeepPast {
		t.Errorf("%d answers are kept, want %d", n, approval.KeepPast)
	}
	approval.Remember(tx, approval.Past{Call: "9", Person: "eve", Reason: "no"})
	if got, ok := approval.Remembered(tx, "9"); !ok || got != (approval.Past{Call: "9", Approved: true, Person: "ann", At: 1}) {
		t.Errorf("a second answer has changed the first: %+v, %v", got, ok)
	}
	if _, ok := approval.Remembered(tx, "1"); ok {
		t.Error("the oldest answer is kept")
	}
	later := at(storage, 1+approval.KeepAge)
	if _, ok := approval.Remembered(later, "9"); ok {
		t.Error("an answer is remembered for too long")
	}
	before := later.Number(`SELECT COUNT(*) FROM answered`)
	approval.Remember(later, approval.Past{Call: "new"})
	if n := later.Number(`SELECT COUNT(*) FROM answered`); n >= before {
		t.Errorf("%d rows were kept, and are %d", before, n)
	}
	approval.ForgetPast(later, "new")
	if _, ok := approval.Remembered(later, "new"); ok {
		t.Error("an answer is not forgotten")
	}
}
