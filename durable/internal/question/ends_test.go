package question_test

import (
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/question"
)

// TestQuestionsOfHelpersEnd has a helper tell its parent of far too many questions, again and again. Another
// helper is heard all the same.
func TestQuestionsOfHelpersEnd(t *testing.T) {
	tx := durable.NewTx(1, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, durable.ScheduleSchema, durable.Schema{Component: "chat", Steps: []string{
		`CREATE TABLE question (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, run TEXT NOT NULL, routine TEXT NOT NULL, position INTEGER NOT NULL,
			message TEXT NOT NULL, form INTEGER NOT NULL, schema TEXT NOT NULL, over_at INTEGER NOT NULL DEFAULT 0,
			answered_by TEXT NOT NULL DEFAULT '', sent INTEGER NOT NULL DEFAULT 0, scopes TEXT NOT NULL DEFAULT '', claims TEXT NOT NULL DEFAULT '')`,
	}})
	tell := func(run string, from, n int, over int64) {
		var told []facet.Question
		for i := range n {
			told = append(told, facet.Question{ID: fmt.Sprint(run, from+i), OverAt: over})
		}
		question.TakeReport(tx, run, told)
	}
	for i := range 5 {
		tell("evil", 1_000*i, 400, 0)
	}
	tell("good", 0, 2, 0)
	open := func(run string) int64 {
		return tx.Number(`SELECT COUNT(*) FROM question WHERE over_at = 0 AND run = ?`, run)
	}
	if open("evil") != 256 || open("good") != 2 {
		t.Errorf("%d and %d questions are open", open("evil"), open("good"))
	}
	tell("evil", 144, 256, 5)
	tell("evil", 5_000, 9, 0)
	if n := tx.Number(`SELECT COUNT(*) FROM question`); open("evil") != 9 || n != 9+2+64 {
		t.Errorf("%d questions are open, of %d", open("evil"), n)
	}
}
