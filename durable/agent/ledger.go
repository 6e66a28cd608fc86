package agent

import (
	"encoding/json"
	"errors"

	"github.com/tributary-agents/tributary/durable"
	actions "github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// ledger is how the code of a call reaches the ledger that has its key. Every method is an await.
type ledger struct{ c *Context }

// held is the await that is open while a call works on an action. If the code is stopped, the await
// is cancelled, and the ledger learns of it.
type held struct {
	*flow.Pending
	key flow.Key
}

func (c *Context) ledger(*action) ledger { return ledger{c} }

// claim asks for a key, and waits until the call knows what to do.
func (l ledger) claim(w actions.Wish) (got actions.Claimed, err error) {
	c := l.c
	data, err := c.Await(flow.Op{
		Name:   "action " + w.Key,
		Person: true, // the call that has the key may be waiting for one
		Begin: func(tx *durable.Tx, key flow.Key) {
			w.Request = c.object.Loop().Turn().Request
			keep := actions.Default
			if age := c.object.KeepOnce(); age > 0 {
				keep.Age = age
			}
			actions.Claim(tx, key, w, keep)
		},
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { actions.StopWaiting(tx, key) },
	}).Wait()
	if err != nil {
		return got, err
	}
	return got, json.Unmarshal(data, &got)
}

// hold notes that the call works on an action, until [ledger.end].
func (l ledger) hold(seq int64) *held {
	h := &held{}
	note := func(_ *durable.Tx, key flow.Key) { h.key = key }
	h.Pending = l.c.Await(flow.Op{
		Name: "action held", Begin: note, Again: note, Around: true,
		Cancel: func(tx *durable.Tx, key flow.Key, why flow.Reason) {
			actions.Abandon(tx, seq, key.Routine, l.c.Since(h.Pending).Begun, "the call was given up: "+string(why))
		},
	})
	return h
}

// errGivenUp is the error of a call that has lost its action: a time limit around it was over.
var errGivenUp = errors.New("the call was given up")

// doubt notes that it is not known whether an action has happened.
func (l ledger) doubt(seq int64, why string) error {
	return l.change("action doubt", func(tx *durable.Tx, owner string) bool { return actions.Doubt(tx, seq, owner, why) })
}

// end ends what the call does with an action.
func (l ledger) end(h *held, seq int64, to actions.State, result json.RawMessage, why string) error {
	return l.change("action end", func(tx *durable.Tx, owner string) bool {
		flow.Complete(tx, h.key, nil, "")
		return actions.Finish(tx, seq, owner, to, result, why)
	})
}

func (l ledger) change(name string, f func(tx *durable.Tx, owner string) bool) error {
	owned, err := flow.Step(l.c, name, func(tx *durable.Tx) (bool, error) {
		return f(tx, l.c.Routine()), nil
	})
	if err == nil && !owned {
		return errGivenUp
	}
	return err
}

// The answers to the question whether an action has happened.
const (
	didHappen    = "happened"
	didNotHappen = "did not"
)

// askHappened asks a person whether an action has happened.
func askHappened(c *Context, tool, key, why string) Happened {
	answer, err := Ask[string](c, Question{
		Title:   "Has this happened: " + tool + ", " + key + "?",
		Text:    "It is not known, and it was not repeated: " + protocol.CutOff(why, 1000),
		Choices: []string{didHappen, didNotHappen},
	})
	switch {
	case err != nil || answer.Denied:
		return Unclear
	case answer.Value == didHappen:
		return Yes
	}
	return No
}
