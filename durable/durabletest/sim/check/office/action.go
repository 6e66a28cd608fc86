package office

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/office"
)

// This file is about what becomes of actions. It reads the table action.

// action is a row of a ledger as it was seen last. at is when it began: a ledger that has forgotten its
// actions counts them anew.
type action struct {
	key, state string
	at         int64
}

// next are the states that an action in a state can come to.
var next = map[string][]string{"begun": {"done", "failed", "unknown"}, "unknown": {"done", "failed"}, "done": {"undone"}}

// ActionsGoForward checks that what is over stays over, and that an action is not begun again of
// which it is not known whether it has happened.
func (r *Rules) ActionsGoForward(e check.Event) {
	if e.Trap != nil || !r.Mode.Office || !r.Made(e.Object) {
		return
	}
	written := r.Storage(e.Object).Written("action")
	if r.ledgers[e.Object] == nil {
		r.ledgers[e.Object] = map[int64]action{}
	} else if r.ledgersWritten[e.Object] == written {
		return
	}
	r.ledgersWritten[e.Object] = written
	before, now, held := r.ledgers[e.Object], map[int64]action{}, map[string]bool{}
	for _, row := range r.Rows(e.Object, `SELECT seq, key, state, at FROM action ORDER BY seq`) {
		a := action{row.Text(1), row.Text(2), row.Int(3)}
		now[row.Int(0)] = a
		if was, known := before[row.Int(0)]; known && was.key == a.key && was.at == a.at && was.state != a.state && !slices.Contains(next[was.state], a.state) {
			r.Fail("action", "%s of %q went from %s to %s", a.key, e.Slot, was.state, a.state)
		}
		if holds := a.state == "begun" || a.state == "done" || a.state == "unknown"; holds && held[a.key] {
			r.Fail("action", "two actions of %q hold %s", e.Slot, a.key)
		} else if holds {
			held[a.key] = true
		}
		r.Checks++
	}
	r.ledgers[e.Object] = now
}

// actionRequested checks that an action is requested only by the call that has begun it, and taken
// back only when it is done. The root may have given up a helper that does not know it yet, and
// whose request has the same key. The event that opens an object can make a request that the next
// event cancels before this is checked.
func (r *Rules) actionRequested(q office.Request) {
	keeper := q.Object
	switch {
	case strings.HasPrefix(q.Path, contract.PayPath) && q.Slot != "":
		return
	case strings.HasPrefix(q.Path, contract.PayPath), strings.HasPrefix(q.Path, contract.BookPath), strings.HasPrefix(q.Path, contract.DepositPath):
	default:
		return
	}
	want, key := "begun", q.Key
	if q.Method == http.MethodDelete {
		want, key = "done", strings.TrimPrefix(q.Key, "undo:")
	}
	r.Checks++
	rows := r.Rows(keeper, `SELECT seq, state, owner FROM action WHERE IIF(sent = '', key, sent) = ?`, key)
	if !slices.ContainsFunc(rows, func(row durable.Row) bool {
		return row.Text(1) == want && row.Text(2) != "" || r.ledgers[keeper][row.Int(0)].state == want
	}) {
		r.Fail("action", "%q requests %s %s under %s, and no call of it has an action that is %s", q.Slot, q.Method, q.Path, q.Key, want)
	}
}
