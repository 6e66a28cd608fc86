package once

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// ledger is how the code of a call reaches the ledger that has its key. Every method is an await.
type ledger struct {
	*author.Context
	// atRoot says that the ledger is the root's, and that the code runs in a helper.
	atRoot bool
}

// lease is the await that is open while a call works on an action. If the code is stopped, the await
// is cancelled, and the ledger learns of it.
type lease struct {
	*flow.Pending
	key flow.Key
	// over says that the action was ended.
	over bool
}

// claim asks for a key, and waits until the call knows what to do.
func (l ledger) claim(w action.Wish) (got action.Claimed, err error) {
	if l.atRoot {
		return l.claimAtRoot(w)
	}
	data, err := l.Await(flow.Op{
		Name:   "action " + w.Key,
		Person: true, // the call that has the key may be waiting for one
		Begin: func(tx *durable.Tx, key flow.Key) {
			w.Request = l.Code.Request(l.Object)
			action.Claim(tx, key, w, keepFor(l.Object.KeepOnce()))
		},
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { action.StopWaiting(tx, key) },
	}).Wait()
	if err != nil {
		return got, err
	}
	return got, json.Unmarshal(data, &got)
}

// keepFor is what a ledger remembers for a time, of which 0 means the default.
func keepFor(age time.Duration) action.Keep {
	keep := action.Default
	if age > 0 {
		keep.Age = age
	}
	return keep
}

// takeLease notes that the call works on an action, until [ledger.end].
func (l ledger) takeLease(seq int64) *lease {
	return l.newLease(func(tx *durable.Tx, h *lease, routine string, why flow.Reason) {
		begun, words := l.Since(h.Pending).Begun, "the call was given up: "+string(why)
		if l.atRoot {
			l.abandonAtRoot(tx, seq, routine, begun, words)
		} else {
			action.Abandon(tx, seq, routine, begun, words)
		}
	})
}

// newLease returns a lease that is held until its action has ended. If the code is given up before that, giveUp is called.
func (l ledger) newLease(giveUp func(tx *durable.Tx, h *lease, routine string, why flow.Reason)) *lease {
	h := &lease{}
	note := func(_ *durable.Tx, key flow.Key) { h.key = key }
	h.Pending = l.Await(flow.Op{
		Name: flow.ActionLease, Begin: note, Again: note, Around: true,
		Cancel: func(tx *durable.Tx, key flow.Key, why flow.Reason) {
			if !h.over {
				giveUp(tx, h, key.Routine, why)
			}
		},
	})
	return h
}

// errGivenUp is the error of a call that has lost its action: a time limit around it was over.
var errGivenUp = errors.New("the call was given up")

// doubt notes that it is not known whether an action has happened.
func (l ledger) doubt(seq int64, why string) error {
	if l.atRoot {
		return l.changeAtRoot("action doubt", action.DoubtAtRoot(seq, why))
	}
	return l.change("action doubt", func(tx *durable.Tx, owner string) bool { return action.Doubt(tx, seq, owner, why) })
}

// end ends what the call does with an action.
func (l ledger) end(h *lease, seq int64, to action.State, result json.RawMessage, why string) error {
	if l.atRoot {
		err := l.changeAtRoot("action end", action.EndAtRoot(seq, l.Code.Run, l.Code.Call.ID, to, result, why))
		l.release(h)
		return err
	}
	return l.change("action end", func(tx *durable.Tx, owner string) bool {
		flow.Complete(tx, h.key, nil, "")
		return action.Finish(tx, seq, owner, to, result, why)
	})
}

// release ends the await of an action that the root has ended.
func (l ledger) release(h *lease) {
	_, _ = flow.Step(l, "action release", func(tx *durable.Tx) (any, error) {
		flow.Complete(tx, h.key, nil, "")
		return nil, nil
	})
	h.over = true
}

func (l ledger) change(name string, f func(tx *durable.Tx, owner string) bool) error {
	owned, err := flow.Step(l, name, func(tx *durable.Tx) (bool, error) {
		return f(tx, l.Routine()), nil
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
func askHappened(c *author.Context, a *Action, key, why string) Happened {
	var value string
	answer, err := c.Ask(author.Inquiry{
		Title:   "Has this happened: " + a.Tool + ", " + key + "?",
		Text:    "It is not known, and it was not repeated: " + protocol.CutOff(why, 1000),
		Choices: []string{didHappen, didNotHappen},
		Scopes:  a.Scopes,
	}, &value)
	switch {
	case err != nil || answer.Denied:
		return Unclear
	case value == didHappen:
		return Yes
	}
	return No
}
