package action

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
)

// MaxAttempts is how often the undoing of an action is tried.
const MaxAttempts = 5

// BeginUndo takes an action that is done for its undoing. Its error says why it cannot be undone:
// there is no such action, it is not done, or another call is undoing it.
func BeginUndo(tx *durable.Tx, seq int64, owner string) (Action, error) {
	a, ok := Find(tx, seq)
	switch {
	case !ok:
		return a, fmt.Errorf("there is no action %d", seq)
	case a.State != Done:
		return a, fmt.Errorf("the action %d is %s: only what is done can be undone", seq, a.State)
	case a.Owner != owner && !a.abandoned(tx):
		return a, fmt.Errorf("the action %d is being undone", seq)
	}
	move(tx, &a, Done, owner, "")
	return a, nil
}

// EndUndo ends the undoing of an action: it is undone, or failure says why it is not and stays done.
func EndUndo(tx *durable.Tx, seq int64, owner, failure string) {
	a, ok := owned(tx, seq, owner)
	if !ok || a.State != Done {
		return
	}
	if failure == "" {
		move(tx, &a, Undone, "", "")
	} else {
		move(tx, &a, Done, "", cut(failure))
	}
	wake(tx, seq)
}

// DoneOf returns the actions of a run that are done, newest first, or those of a tool
// call if there is no run.
func DoneOf(tx *durable.Tx, run, call string) (list []Did) {
	if run == "" {
		return doneWhere(tx, `call = ? AND call <> ''`, call)
	}
	return doneWhere(tx, `run = ? AND run <> ''`, run)
}

// Did is an action that is done. Position is that of its claim in the journal of its code. Above says
// that the root has it, and the code runs in a helper.
type Did struct {
	Seq      int64 `json:"seq"`
	Position int64 `json:"position"`
	AtRoot   bool  `json:"above,omitempty"`
}

func doneWhere(tx *durable.Tx, where, of string) (list []Did) {
	for _, row := range tx.SQL(`SELECT seq, position FROM action WHERE `+where+` AND state = 'done' ORDER BY seq DESC`, of) {
		list = append(list, Did{Seq: row.Int(0), Position: row.Int(1)})
	}
	return list
}
