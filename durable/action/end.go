package action

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// The functions of this file are called by the owner of an action: the routine that was answered
// [Begun] or [Unknown]. From a routine that owns it no longer they change nothing, and return
// false.

// Finish ends an action that its owner works on: it is done with a result, it has failed, or it
// stays unknown. All that wait for it are woken.
func Finish(tx *durable.Tx, seq int64, owner string, to State, result []byte, failure string) bool {
	a, ok := owned(tx, seq, owner)
	if !ok {
		return false
	}
	if to == Done {
		tx.SQL(`UPDATE action SET result = ? WHERE seq = ?`, result, seq)
	}
	move(tx, &a, to, "", cut(failure))
	wake(tx, seq)
	return true
}

// Doubt notes that it is not known whether an action has happened. Its owner settles it.
func Doubt(tx *durable.Tx, seq int64, owner, failure string) bool {
	a, ok := owned(tx, seq, owner)
	if ok && a.State == Begun {
		move(tx, &a, Unknown, owner, cut(failure))
	}
	return ok
}

// Abandon ends what its owner was doing: the code was stopped. begun says whether the code had begun
// anything that may have had an effect.
func Abandon(tx *durable.Tx, seq int64, owner string, begun bool, why string) {
	a, ok := owned(tx, seq, owner)
	if !ok {
		return
	}
	switch {
	case a.State == Begun && begun:
		move(tx, &a, Unknown, "", cut(why))
	case a.State == Begun:
		move(tx, &a, Failed, "", cut(why))
	default:
		move(tx, &a, a.State, "", a.Failure)
	}
	wake(tx, seq)
}

// Resolve notes what a person says of an action that is unknown: whether it has happened. It returns
// false if the action is not unknown, or if a call settles it.
func Resolve(tx *durable.Tx, seq int64, happened bool, result []byte, failure string) bool {
	a, ok := Find(tx, seq)
	if !ok || a.State != Unknown || !a.abandoned(tx) {
		return false
	}
	if happened {
		tx.SQL(`UPDATE action SET result = ? WHERE seq = ?`, result, seq)
		move(tx, &a, Done, "", "")
	} else {
		move(tx, &a, Failed, "", cut(failure))
	}
	wake(tx, seq)
	return true
}

func owned(tx *durable.Tx, seq int64, owner string) (Action, bool) {
	a, ok := Find(tx, seq)
	return a, ok && a.Owner == owner
}

// cut bounds a text of a row.
func cut(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), limit.HookWords)], "")
}
