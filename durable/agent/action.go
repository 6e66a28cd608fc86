package agent

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	actions "github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about tools that act once for a key. Only the options of this file refer to the code
// of the ledger: the module of an application without them has none of it.

// action is what makes a tool act once. A tool holds it by a pointer, and it never changes: an
// option makes a copy.
type action struct {
	tool string
	// run is the tool's own code, and call the code over the ledger.
	run  func(c *Context, input json.RawMessage) (json.RawMessage, error)
	call func(a *action, c *Context, input json.RawMessage) (json.RawMessage, error)
	key  func(input json.RawMessage) (string, error)
	// scopes are what a person needs to say whether a call has happened. across says that the ledger is
	// the root's. settle and undo may be nil.
	scopes  []string
	across  bool
	resolve func(c *Context, input json.RawMessage, key string) (json.RawMessage, Happened, error)
	undo    func(c *Context, input, output json.RawMessage) error
}

// change returns a copy of the tool's action, which the tool holds from then on.
func (t *Tool) change(option string) *action {
	if t.action == nil {
		panic(fmt.Errorf("agent: the option %s of tool %s comes after Once", option, t.Name))
	}
	a := *t.action
	t.action, a.scopes = &a, t.resolverScopes()
	t.Run = func(c *Context, input json.RawMessage) (json.RawMessage, error) { return a.call(&a, c, input) }
	return &a
}

// Once makes a tool act once for a key, which the function makes of the input. A key names what a
// call brings about, such as "refund:" and the number of an order. It has 1 to 256 bytes. The
// agent's ledger keeps it for 90 days, or as long as [Agent.KeepOnce] says, whatever becomes of the
// call:
//
//   - A call with the key of a call that is done gets its result. Nothing is done again. The output
//     is marked as replayed, for people and for the model.
//   - A call with the key of a call that is under way waits for it, and gets its result.
//   - A call with the key of a call that has failed goes ahead. The error of the tool's function says
//     that nothing has happened; see [MayHaveHappened]. If a request was repeated, because an instance
//     was lost, and was not successful, its error does not say that.
//   - A call with the key of a call with another input is an error, and nothing is done.
//
// Whether a call has happened can be unknown: a request was sent, and its instance was lost before
// the answer, or a time limit was over, or the turn was stopped. Such a call is never repeated by
// itself. It is settled: by the function of [Settle], and otherwise by a person.
func Once[In any](key func(in In) string) ToolOption {
	return func(t *Tool) {
		if t.Client || t.Run == nil {
			panic(fmt.Errorf("agent: the option Once of tool %s is for tools that run on the server", t.Name))
		}
		decode := inputOf[In](t, "Once")
		flow.Forgotten, author.Ledger, author.RunEnded = codeIsOver, actionLedger{}, actions.RunEnded
		t.action = &action{tool: t.Name, run: t.Run, call: (*action).once, key: func(input json.RawMessage) (string, error) {
			in, err := decode(input)
			if err != nil {
				return "", err
			}
			return key(in), nil
		}}
		t.change("Once")
	}
}

// Happened says whether a call has happened.
type Happened int

// What is known of a call.
const (
	// Unclear: it may or may not have happened.
	Unclear Happened = iota
	Yes
	No
)

// Settle says how it is found out whether a call of a tool with [Once] has happened, if that is
// unknown: for example by asking the server for what it has done under the key, see [Idempotent].
// The function returns the call's result if it has happened. [Unclear], or an error, leaves the
// question open, and a person is asked.
func Settle[In, Out any](settle func(c *Context, in In, key string) (Out, Happened, error)) ToolOption {
	return func(t *Tool) {
		a, decode := t.change("Settle"), inputOf[In](t, "Settle")
		a.resolve = func(c *Context, input json.RawMessage, key string) (json.RawMessage, Happened, error) {
			in, err := decode(input)
			if err != nil {
				return nil, Unclear, err
			}
			out, happened, err := settle(c, in, key)
			if err != nil || happened != Yes {
				return nil, happened, err
			}
			data, err := limit.Marshal(out)
			return data, happened, err
		}
	}
}

// MayHaveHappened returns an error which says that what a call of a tool with [Once] has done may or
// may not have happened. It is for code that finds out by itself, for example by the status of a
// response. A request that was sent and not answered needs no such error.
func MayHaveHappened(err error) error { return doubt{err} }

type doubt struct{ error }

func (d doubt) Unwrap() error        { return d.error }
func (d doubt) Is(target error) bool { return target == flow.ErrDoubtful }

// Across returns a copy of a tool with [Once] whose keys are kept by the root, for all helpers and
// workflows of the tree. Without it, each object has keys of its own.
func (t Tool) Across() Tool {
	t.change("Across").across = true
	return t
}

// ReadOnly returns a copy of a tool that changes nothing, so a call of it may be repeated at any
// time.
func (t Tool) ReadOnly() Tool {
	t.readOnly = true
	return t
}

// Hints are what others are told of a tool's effects.
type Hints struct {
	// ReadOnly says that the tool changes nothing, Idempotent that a call which is made again has no
	// further effect, and Destructive that the tool may change what others depend on.
	ReadOnly    bool `json:"readOnlyHint"`
	Idempotent  bool `json:"idempotentHint"`
	Destructive bool `json:"destructiveHint"`
}

// Hints returns the tool's hints.
func (t Tool) Hints() Hints {
	return Hints{ReadOnly: t.readOnly, Idempotent: t.readOnly || t.action != nil, Destructive: !t.readOnly}
}

// Idempotent makes a request repeatable, and sends a key with it by which the server recognises it,
// in the header Idempotency-Key. In a tool with [Once] that is the key of the call, in which
// characters other than those of ASCII are escaped as in a URL. Elsewhere it is the key of the
// attempt, see flow.Do.
//
// Code that sends several such requests in one call gives each but the first a name, which is added
// to the key: a server takes a request with a known key for the same request.
func Idempotent(name ...string) flow.FetchOption {
	return func(c flow.Awaiter, r *flow.Request) {
		key := flow.KeyOf(c)
		for _, n := range name {
			key += ":" + n
		}
		r.Header = append(r.Header[:len(r.Header):len(r.Header)], durable.Header{Name: "Idempotency-Key", Value: escaped(key)})
		r.Repeatable = true
	}
}

// escaped returns a text with the bytes that a header may not have as percent escapes.
func escaped(text string) string {
	var b []byte
	for i := range len(text) {
		if c := text[i]; c > 0x20 && c < 0x7f && c != '%' {
			b = append(b, c)
			continue
		}
		b = fmt.Appendf(b, "%%%02X", text[i])
	}
	return string(b)
}

// once is the code of a call of a tool with a key.
func (a *action) once(c *Context, input json.RawMessage) (json.RawMessage, error) {
	key, err := a.key(input)
	if err != nil {
		return nil, err
	}
	if err := actions.CheckKey(key); err != nil {
		return nil, err
	}
	wish := actions.Wish{Key: key, Tool: a.tool, Call: c.code.Call.ID, Run: c.code.Run, By: c.Claims().Subject, Alone: c.Claims().All, ApprovedBy: c.code.ApprovedBy, Scopes: a.scopes}
	if wish.Digest, err = actions.Digest(input); err != nil {
		return nil, err
	}
	if a.undo != nil {
		wish.Input = input
	}
	l := c.ledger(a)
	for {
		got, err := l.claim(wish)
		if err != nil {
			return nil, err
		}
		switch got.State {
		case actions.Begun:
			return a.act(c, l, got.Seq, got.Sent, input)
		case actions.Done:
			return replay(c, got)
		case actions.Unknown:
			out, happened, err := a.resolveLater(c, l, got, got.Sent, input)
			if happened != No {
				return out, err
			}
		}
	}
}

// act runs the tool's own code for an action that has begun, and ends the action.
func (a *action) act(c *Context, l ledger, seq int64, key string, input json.RawMessage) (json.RawMessage, error) {
	held := l.takeLease(seq)
	inner := *c
	inner.acting = true
	before := flow.SetKey(c, key)
	out, err := a.run(&inner, input)
	flow.SetKey(c, before)
	if err == nil {
		return a.done(l, held, seq, out)
	}
	if !c.inDoubt(held.Pending, err) {
		return nil, cmp.Or(l.end(held, seq, actions.Failed, nil, err.Error()), err)
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
func (c *Context) inDoubt(since *flow.Pending, failed error) bool {
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
func (a *action) done(l ledger, held *lease, seq int64, out json.RawMessage) (json.RawMessage, error) {
	failure := ""
	if len(out) > limit.Output {
		out, failure = nil, fmt.Sprintf("it was done, but its result has %d bytes, at most %d", len(out), limit.Output)
	}
	if err := l.end(held, seq, actions.Done, out, failure); err != nil {
		return nil, err
	}
	if failure != "" {
		return nil, errors.New(failure)
	}
	return out, nil
}

// replay returns the result of an earlier call.
func replay(c *Context, got actions.Claimed) (json.RawMessage, error) {
	if got.Result == nil && got.Failure != "" {
		return nil, errors.New(got.Failure)
	}
	c.replayed()
	return got.Result, nil
}

// replayed notes that the output of the tool call is that of an earlier call.
func (c *Context) replayed() {
	if !c.acting && c.code.Call.ID != "" && c.code.Outside == 0 {
		c.object.Loop().Replayed(c.code.Call.ID)
	}
}

// Act calls a tool from code: from a [Program], or from another tool. in becomes JSON, and has to
// fit the tool's input. A tool with [Once] acts once for its key, as if the model had called it. The
// scopes of [Tool.Requires] are checked. No person is asked to approve the call: code that needs a
// person's word asks for it with [Ask].
func Act[Out any](c *Context, t Tool, in any) (out Out, err error) {
	if t.Client || t.Run == nil {
		return out, fmt.Errorf("the tool %s runs in the browser", t.Name)
	}
	if missing := c.Claims().Missing(t.Scopes); len(missing) > 0 {
		return out, author.LacksScope(t.Name, missing)
	}
	input, err := limit.Marshal(in)
	if err != nil {
		return out, fmt.Errorf("the input of %s: %w", t.Name, err)
	}
	inner := *c
	inner.acting = true
	data, err := t.Run(&inner, input)
	if err == nil {
		if err = json.Unmarshal(data, &out); err != nil {
			err = fmt.Errorf("the output of %s: %w", t.Name, err)
		}
	}
	return out, err
}

// resolveLater settles an action that an earlier call has left unknown.
func (a *action) resolveLater(c *Context, l ledger, got actions.Claimed, key string, input json.RawMessage) (json.RawMessage, Happened, error) {
	out, happened, err := a.resolved(c, l, l.takeLease(got.Seq), got.Seq, key, input, got.Failure)
	if happened == Yes && err == nil {
		c.replayed()
	}
	return out, happened, err
}

// resolved finds out whether an action that is unknown has happened, and ends it. If that stays
// unclear, the error says so to the model.
func (a *action) resolved(c *Context, l ledger, held *lease, seq int64, key string, input json.RawMessage, why string) (json.RawMessage, Happened, error) {
	var out json.RawMessage
	happened := Unclear
	if a.resolve != nil {
		var err error
		if out, happened, err = a.resolve(c, input, key); err != nil {
			out, happened = nil, Unclear
			why += "; it could not be found out whether it has happened: " + err.Error()
		}
	}
	if happened == Unclear {
		happened = askHappened(c, a, key, why)
		out = json.RawMessage(happenedResult)
	}
	switch happened {
	case Yes:
		out, err := a.done(l, held, seq, out)
		return out, Yes, err
	case No:
		return nil, No, l.end(held, seq, actions.Failed, nil, why)
	}
	if err := l.end(held, seq, actions.Unknown, nil, why); err != nil {
		return nil, Unclear, err
	}
	return nil, Unclear, fmt.Errorf("it is not known whether this has happened: %s. It was not repeated. Tell the person so, and do not try to do the same in another way", why)
}
