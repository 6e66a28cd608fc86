package agent

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/once"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about tools that act once for a key. Only the options of this file refer to package once: the
// module of an application without them has none of it.

// keyed is what makes a tool act once. A tool holds it by a pointer, and it never changes: an option makes a copy.
type keyed struct {
	once.Action
	// call is the code over the ledger.
	call func(a *once.Action, c *author.Context, input json.RawMessage) (json.RawMessage, error)
}

// change returns a copy of what makes the tool act once, which the tool holds from then on.
func (t *Tool) change(option string) *keyed {
	if t.keyed == nil {
		panic(fmt.Errorf("agent: the option %s of tool %s comes after Once", option, t.Name))
	}
	a := *t.keyed
	t.keyed, a.Scopes = &a, t.resolverScopes()
	t.Run = func(c *Context, input json.RawMessage) (json.RawMessage, error) {
		return a.call(&a.Action, c.of, input)
	}
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
		flow.Forgotten, author.Linked.Ledger, author.Linked.RunEnded = once.Forget, once.Ledger{}, action.RunEnded
		run := t.Run
		t.keyed = &keyed{call: (*once.Action).Call, Action: once.Action{
			Tool: t.Name,
			Run: func(c *author.Context, input json.RawMessage) (json.RawMessage, error) {
				return run(contextOf(c), input)
			},
			Key: func(input json.RawMessage) (string, error) {
				in, err := decode(input)
				if err != nil {
					return "", err
				}
				return key(in), nil
			},
		}}
		t.change("Once")
	}
}

// Happened says whether a call has happened.
type Happened int

// What is known of a call.
const (
	// Unclear: it may or may not have happened.
	Unclear = Happened(once.Unclear)
	Yes     = Happened(once.Yes)
	No      = Happened(once.No)
)

// Settle says how it is found out whether a call of a tool with [Once] has happened, if that is
// unknown: for example by asking the server for what it has done under the key, see [Idempotent].
// The function returns the call's result if it has happened. [Unclear], or an error, leaves the
// question open, and a person is asked.
func Settle[In, Out any](settle func(c *Context, in In, key string) (Out, Happened, error)) ToolOption {
	return func(t *Tool) {
		a, decode := t.change("Settle"), inputOf[In](t, "Settle")
		a.Resolve = func(c *author.Context, input json.RawMessage, key string) (json.RawMessage, once.Happened, error) {
			in, err := decode(input)
			if err != nil {
				return nil, once.Unclear, err
			}
			out, happened, err := settle(contextOf(c), in, key)
			if err != nil || happened != Yes {
				return nil, once.Happened(happened), err
			}
			data, err := limit.Marshal(out)
			return data, once.Yes, err
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
	t.change("Across").Across = true
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
	return Hints{ReadOnly: t.readOnly, Idempotent: t.readOnly || t.keyed != nil, Destructive: !t.readOnly}
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
	data, err := t.Run(contextOf(c.of.ForAction()), input)
	if err == nil {
		if err = json.Unmarshal(data, &out); err != nil {
			err = fmt.Errorf("the output of %s: %w", t.Name, err)
		}
	}
	return out, err
}
