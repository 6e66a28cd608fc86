package action_test

import (
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
)

// TestTablesOfHelpersEnd has far too many helpers use the ledger of their root, ask it, and wait.
func TestTablesOfHelpersEnd(t *testing.T) {
	l := open(t)
	count := func(table string) int { return int(l.tx.Number(`SELECT COUNT(*) FROM ` + table)) }
	for i := range 1_500 {
		l.tx.Now++
		l.ask(fmt.Sprint("h", i), 1, action.DoneAtRoot("w", ""))
	}
	if n := count("action_finished"); n != 1_000 {
		t.Errorf("%d helpers are remembered", n)
	}
	l.tx.Now += 25 * 3_600_000
	l.ask("last", 1, action.DoneAtRoot("w", ""))
	if n := count("action_finished"); n != 1 {
		t.Errorf("a day later %d helpers are remembered", n)
	}

	claim := action.ClaimAtRoot(action.Wish{Key: "k", Tool: "pay", Digest: "d"})
	for i := range 300 {
		l.ask(fmt.Sprint("w", i%100), 1, claim) // each asks three times
	}
	if n := count("action_waiter"); n != 99 {
		t.Errorf("%d calls wait", n)
	}

	await := flow.Key{Routine: "code", Position: 3}
	for i := range 300 {
		up := action.Ask(l.tx, await, claim)
		if i%2 == 0 {
			action.TakeReply(l.tx, action.Reply{N: up.N})
		} else {
			action.DropAtRoot(l.tx, await)
		}
	}
	for _, up := range action.Pending(l.tx, 0, 1_000) {
		action.TakeReply(l.tx, action.Reply{N: up.N})
	}
	if n := count("action_up"); n != 0 {
		t.Errorf("%d requests are left that were answered", n)
	}
}
