package chat

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/model"
)

// This file is about claims: for whom a turn works, and what it may do. They come with a socket's
// frame or a request, are granted once, and are kept with the turn. Everything that the turn's code
// begins has the claims of the turn: runs, schedules, turns, and the turn that continues after an
// answer. People are shown the subject at most.

const (
	// nobody are the claims of work that nobody has begun.
	nobody = claims.Nobody
	// maxClaims is how long claims may be, in bytes of JSON. Longer ones grant nothing.
	maxClaims = 8 << 10
)

// claimsOf reads stored claims.
func claimsOf(text string) agent.Claims { return author.Bind.Claims(text).(agent.Claims) }

// granted returns the claims that are stored for those of a person, or of a parent's run.
func (o *Object) granted(raw string, info agent.TurnInfo) string {
	if raw == "" {
		return ""
	}
	if len(raw) > maxClaims {
		return nobody
	}
	c := claims.Read(raw)
	if o.agent.Grant != nil {
		info.Claims = claimsOf(raw)
		c.Scopes = o.agent.Grant(info, info.Claims)
	}
	stored := c.Text()
	if len(stored) > maxClaims {
		return nobody
	}
	return stored
}

// acting returns the claims for which the code of this event works.
func (o *Object) acting() string {
	switch {
	case o.actor != nil:
		return *o.actor
	case o.loop.IsActive():
		return o.loop.Turn().Claims
	}
	return nobody
}

// forTurn returns the claims of the active turn. Between turns they are those of the event.
func (o *Object) forTurn() string {
	if o.loop.IsActive() {
		return o.loop.Turn().Claims
	}
	return o.acting()
}

// claimsOfCall returns the claims of the turn that has made a call which waits for an answer.
func (o *Object) claimsOfCall(tx *durable.Tx, call string) string {
	if _, ok := o.loop.WaitsForAnswer(call); ok {
		return o.loop.Turn().Claims
	}
	if p, ok := approval.Find(tx, call); ok {
		return p.Claims
	}
	return nobody
}

// claimsOfCode returns the claims of code that has asked a question.
func (o *Object) claimsOfCode(tx *durable.Tx, routine string) string {
	if p, ok := approval.OfRoutine(tx, routine); ok {
		return p.Claims
	}
	return o.forTurn()
}

// actFor has the code of this event work for some claims, until the returned function is called.
func (o *Object) actFor(by string) (until func()) {
	before := o.actor
	o.actor = &by
	return func() { o.actor = before }
}

// actForTurn has the hooks of the active turn work for the turn, whoever has sent what they are called for: an
// answer to its call, for example.
func (o *Object) actForTurn() (until func()) { return o.actFor(o.forTurn()) }

// actForCall does the same for the turn that has made a call, which may be an earlier one: the next turn runs
// what was approved, whoever has asked for it.
func (o *Object) actForCall(tx *durable.Tx, call string) (until func()) {
	if !o.loop.IsActive() {
		return o.actForTurn()
	}
	if _, own := o.loop.Draft().Fold.Call(call); !own {
		if p, ok := approval.Find(tx, call); ok {
			return o.actFor(p.Claims)
		}
	}
	return o.actForTurn()
}

// lacksScope returns the error of a call of the active turn whose tool requires a scope that the
// turn does not have, or nil.
func (o *Object) lacksScope(tx *durable.Tx, call model.ToolCall) error {
	i := slices.IndexFunc(o.agent.Tools, func(t agent.Tool) bool { return t.Name == call.Name })
	if i < 0 || len(o.agent.Tools[i].Scopes) == 0 {
		return nil
	}
	missing := claimsOf(o.loop.Turn().Claims).Missing(o.agent.Tools[i].Scopes)
	if len(missing) == 0 {
		return nil
	}
	tx.Log(durable.Warn, "a call was refused", "call", call.ID, "tool", call.Name, "missing", strings.Join(missing, ", "))
	return author.LacksScope(call.Name, missing)
}
