package chat

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// This file is about claims: for whom a turn works, and what it may do. They come with a socket's
// frame or a request, are granted once, and are kept with the turn. Everything that the turn's code
// begins has the claims of the turn: runs, schedules, turns, and the turn that continues after an
// answer. People are shown the subject at most.

const (
	// nobody are the claims of work that nobody has begun.
	nobody = `{"scopes":[]}`
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
	c := claimsOf(raw)
	if o.agent.Grant != nil {
		info.Claims = c
		c.Scopes = o.agent.Grant(info, c)
	}
	stored := string(limit.MustMarshal(struct {
		Sub    string   `json:"sub,omitempty"`
		Scopes []string `json:"scopes"`
	}{c.Subject, append([]string{}, c.Scopes...)}))
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

// actFor has the code of this event work for some claims, until the returned function is called.
func (o *Object) actFor(claims string) (until func()) {
	before := o.actor
	o.actor = &claims
	return func() { o.actor = before }
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
