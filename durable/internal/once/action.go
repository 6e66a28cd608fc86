// Package once has a call of a tool act once for its key, also if it is made again, stopped or lost, and undoes
// what such calls have done. Package action keeps the rows.
package once

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Action is what makes a tool act once.
type Action struct {
	Tool string
	// Run is the tool's own code, and Key the key of a call.
	Run func(c *author.Context, input json.RawMessage) (json.RawMessage, error)
	Key func(input json.RawMessage) (string, error)
	// Scopes are what a person needs to say whether a call has happened. Across says that the ledger is the
	// root's.
	Scopes []string
	Across bool
	// Resolve finds out whether a call has happened, and Undo undoes one. Both may be nil.
	Resolve func(c *author.Context, input json.RawMessage, key string) (json.RawMessage, Happened, error)
	Undo    func(c *author.Context, input, output json.RawMessage) error
}

// Happened says whether a call has happened.
type Happened int

// What is known of a call.
const (
	Unclear Happened = iota
	Yes
	No
)

// HappenedResult is the result of an action of which only a person knows that it has happened.
const HappenedResult = `{"happened":true}`

// Call is the code of a call of the tool.
func (a *Action) Call(c *author.Context, input json.RawMessage) (json.RawMessage, error) {
	key, err := a.Key(input)
	if err != nil {
		return nil, err
	}
	if err := action.CheckKey(key); err != nil {
		return nil, err
	}
	wish := action.Wish{Key: key, Tool: a.Tool, Call: c.Code.Call.ID, Run: c.Code.Run, By: c.Claims().Subject, Alone: c.Claims().All, ApprovedBy: c.Code.ApprovedBy, Scopes: a.Scopes}
	if wish.Digest, err = action.Digest(input); err != nil {
		return nil, err
	}
	if a.Undo != nil {
		wish.Input = input
	}
	l := ledger{c, a.Across && c.Object.Runs().IsHelper()}
	for {
		got, err := l.claim(wish)
		if err != nil {
			return nil, err
		}
		switch got.State {
		case action.Begun:
			return a.act(c, l, got.Seq, got.Sent, input)
		case action.Done:
			return replay(c, got)
		case action.Unknown:
			out, happened, err := a.resolveLater(c, l, got, got.Sent, input)
			if happened != No {
				return out, err
			}
		}
	}
}

// act runs the tool's own code for an action that has begun, and ends the action.
func (a *Action) act(c *author.Context, l ledger, seq int64, key string, input json.RawMessage) (json.RawMessage, error) {
	held := l.takeLease(seq)
	before := flow.SetKey(c, key)
	out, err := a.Run(c.ForAction(), input)
	flow.SetKey(c, before)
	if err == nil {
		return a.done(l, held, seq, out)
	}
	if !inDoubt(c, held.Pending, err) {
		return nil, cmp.Or(l.end(held, seq, action.Failed, nil, err.Error()), err)
	}
	if lost := l.doubt(seq, err.Error()); lost != nil {
		return nil, lost
	}
	out, happened, settled := a.resolved(c, l, held, seq, key, input, err.Error())
	if happened == No {
		return nil, fmt.Errorf("%w; it was found out that it did not happen", err)
	}
	return out, settled
}

// inDoubt says whether code that has failed may have had an effect, by what its journal knows of what
// it has begun since an await, and by its error. The journal learns more later, so the answer is
// journaled.
func inDoubt(c *author.Context, since *flow.Pending, failed error) bool {
	if errors.Is(failed, flow.ErrDoubtful) {
		return true
	}
	doubt, err := flow.Step(c, "action effects", func(*durable.Tx) (bool, error) {
		e := c.Since(since)
		return e.Doubtful || e.Begun && errors.Is(failed, flow.ErrTimeout), nil
	})
	return doubt || err != nil
}

// done ends an action that has had its effect. A result that cannot be kept is an error, now and
// later.
func (a *Action) done(l ledger, held *lease, seq int64, out json.RawMessage) (json.RawMessage, error) {
	failure := ""
	if len(out) > limit.Output {
		out, failure = nil, fmt.Sprintf("it was done, but its result has %d bytes, at most %d", len(out), limit.Output)
	}
	if err := l.end(held, seq, action.Done, out, failure); err != nil {
		return nil, err
	}
	if failure != "" {
		return nil, errors.New(failure)
	}
	return out, nil
}

// replay returns the result of an earlier call.
func replay(c *author.Context, got action.Claimed) (json.RawMessage, error) {
	if got.Result == nil && got.Failure != "" {
		return nil, errors.New(got.Failure)
	}
	replayed(c)
	return got.Result, nil
}

// replayed notes that the output of the tool call is that of an earlier call.
func replayed(c *author.Context) {
	if !c.Acting && c.Code.Call.ID != "" && c.Code.Outside == 0 {
		c.Object.Loop().Replayed(c.Code.Call.ID)
	}
}

// resolveLater settles an action that an earlier call has left unknown.
func (a *Action) resolveLater(c *author.Context, l ledger, got action.Claimed, key string, input json.RawMessage) (json.RawMessage, Happened, error) {
	out, happened, err := a.resolved(c, l, l.takeLease(got.Seq), got.Seq, key, input, got.Failure)
	if happened == Yes && err == nil {
		replayed(c)
	}
	return out, happened, err
}

// resolved finds out whether an action that is unknown has happened, and ends it. If that stays
// unclear, the error says so to the model.
func (a *Action) resolved(c *author.Context, l ledger, held *lease, seq int64, key string, input json.RawMessage, why string) (json.RawMessage, Happened, error) {
	var out json.RawMessage
	happened := Unclear
	if a.Resolve != nil {
		var err error
		if out, happened, err = a.Resolve(c, input, key); err != nil {
			out, happened = nil, Unclear
			why += "; it could not be found out whether it has happened: " + err.Error()
		}
	}
	if happened == Unclear {
		happened = askHappened(c, a, key, why)
		out = json.RawMessage(HappenedResult)
	}
	switch happened {
	case Yes:
		out, err := a.done(l, held, seq, out)
		return out, Yes, err
	case No:
		return nil, No, l.end(held, seq, action.Failed, nil, why)
	}
	if err := l.end(held, seq, action.Unknown, nil, why); err != nil {
		return nil, Unclear, err
	}
	return nil, Unclear, fmt.Errorf("it is not known whether this has happened: %s. It was not repeated. Tell the person so, and do not try to do the same in another way", why)
}
