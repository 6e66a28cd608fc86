package once

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/claims"
)

// Tools finds a tool of the agent by its name: its action, which is nil if it has none, and the scopes of who
// calls it.
type Tools func(name string) (a *Action, scopes []string)

// Undo undoes an action.
func Undo(c *author.Context, tools Tools, seq int64) error {
	_, err := ledger{Context: c}.undoOne(tools, seq)
	return err
}

// UndoAll undoes actions one after the other, and returns the keys of those that are undone.
func UndoAll(c *author.Context, tools Tools, list []action.Did) (undone []string, err error) {
	for _, did := range list {
		key, failed := ledger{c, did.AtRoot}.undoOne(tools, did.Seq)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		undone = append(undone, key)
	}
	return undone, err
}

// Done returns what the code has done, here and at the root, the last first.
func Done(c *author.Context) ([]action.Did, error) {
	list, err := flow.Step(c, "action list", func(tx *durable.Tx) ([]action.Did, error) {
		return action.DoneOf(tx, c.Code.Run, c.Code.Call.ID), nil
	})
	if err != nil || !c.Object.Runs().IsHelper() {
		return list, err
	}
	atRoot, err := ledger{c, true}.doneAtRoot()
	if err != nil {
		return nil, err
	}
	list = append(list, atRoot...)
	slices.SortStableFunc(list, func(a, b action.Did) int { return cmp.Compare(b.Position, a.Position) })
	return list, nil
}

// Lacks returns the error of somebody whose claims lack a scope to do something with an action, or nil.
func Lacks(what string, a action.Action, by claims.Claims, scopes []string) error {
	if missing := by.Missing(scopes); len(missing) > 0 {
		return fmt.Errorf("%s the action %d of %s needs the scope %s", what, a.Seq, a.Tool, strings.Join(missing, ", "))
	}
	return nil
}

// taken is an action that is being undone.
type taken struct {
	Key    string          `json:"key"`
	Tool   string          `json:"tool"`
	Sent   string          `json:"sent"`
	Input  json.RawMessage `json:"input,omitempty"`
	Output json.RawMessage `json:"output,omitempty"`
}

// undoOne undoes an action of a ledger, and returns its key.
func (l ledger) undoOne(tools Tools, seq int64) (key string, err error) {
	t, err := l.beginUndo(tools, seq)
	if err != nil {
		return "", err
	}
	held := l.takeUndoLease(seq)
	err = tryUndo(l.Context, tools, t)
	failure := ""
	if err != nil {
		failure = err.Error()
	}
	return t.Key, errors.Join(err, l.endUndo(held, seq, failure))
}

// beginUndo takes an action that is done for its undoing.
func (l ledger) beginUndo(tools Tools, seq int64) (taken, error) {
	if l.atRoot {
		return l.beginUndoAtRoot(seq)
	}
	return flow.Step(l, "action undo", func(tx *durable.Tx) (taken, error) {
		if a, ok := action.Find(tx, seq); ok {
			_, scopes := tools(a.Tool)
			if err := Lacks("to undo", a, l.Claims(), scopes); err != nil {
				return taken{}, err
			}
		}
		a, err := action.BeginUndo(tx, seq, l.Routine())
		return takenOf(a), err
	})
}

func takenOf(a action.Action) taken {
	return taken{Key: a.Key, Tool: a.Tool, Sent: a.Sent, Input: a.Input, Output: a.Result}
}

// endUndo notes whether the action is undone.
func (l ledger) endUndo(held *lease, seq int64, failure string) error {
	if l.atRoot {
		err := l.changeAtRoot("action undone", action.UndoneAtRoot(seq, l.Code.Run, l.Code.Call.ID, failure))
		l.release(held)
		return err
	}
	_, err := flow.Step(l, "action undone", func(tx *durable.Tx) (any, error) {
		flow.Complete(tx, held.key, nil, "")
		action.EndUndo(tx, seq, l.Routine(), failure)
		return nil, nil
	})
	return err
}

// takeUndoLease notes that the code is undoing an action.
func (l ledger) takeUndoLease(seq int64) *lease {
	return l.newLease(func(tx *durable.Tx, _ *lease, routine string, why flow.Reason) {
		words := "the undoing was given up: " + string(why)
		if l.atRoot {
			l.Object.Runs().AskLedger(tx, rootRequest(tx, action.AbandonUndoAtRoot(tx, seq, routine, words)))
		} else {
			action.EndUndo(tx, seq, routine, words)
		}
	})
}

// tryUndo calls the tool's function until it succeeds, as a step of the code. An attempt of which it is
// not known whether it has undone the action is the last.
func tryUndo(c *author.Context, tools Tools, t taken) error {
	a, _ := tools(t.Tool)
	if !a.IsUndoable() {
		return fmt.Errorf("undo %s: %w", t.Key, ErrNoUndo(t.Tool))
	}
	_, err := flow.Do(c, "undo "+t.Key, func(*flow.Attempt) (any, error) {
		begun := c.Await(flow.Op{Name: "action attempt", Begin: func(*durable.Tx, flow.Key) {}, Around: true})
		before := flow.SetKey(c, "undo:"+t.Sent)
		err := a.Undo(c.ForAction(), t.Input, t.Output)
		flow.SetKey(c, before)
		if err != nil && inDoubt(c, begun, err) {
			err = flow.Permanent(err)
		}
		return nil, err
	}, flow.Retry{Attempts: action.MaxAttempts, Timeout: undoWithin})
	return err
}

// undoWithin limits one attempt to undo an action. It may ask a person.
const undoWithin = 365 * 24 * time.Hour

// IsUndoable says whether calls can be undone. a may be nil.
func (a *Action) IsUndoable() bool { return a != nil && a.Undo != nil }

// ErrNoUndo returns the error of a tool whose calls cannot be undone.
func ErrNoUndo(tool string) error {
	return fmt.Errorf("the agent has no tool %s that can be undone", tool)
}
