package mcpserver

import (
	"encoding/hex"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about rounds: the questions of a call are its answer, and the client repeats the request
// with what was said.

// stateMark stands between the id of a call and the ticket of its round, in what the client keeps.
const stateMark = "."

// newTicket returns what only the client of a round can know.
func newTicket(tx *durable.Tx) string {
	var ticket [16]byte
	tx.Random(ticket[:])
	return hex.EncodeToString(ticket[:])
}

// hasTicket says whether a ticket is that of the latest round of a call. How long that takes does not depend on the ticket.
func (c row) hasTicket(ticket string) bool {
	return c.ticket != "" && sha256.Sum([]byte(ticket)) == sha256.Sum([]byte(c.ticket))
}

// stateAge is how long a client has to repeat a request, in milliseconds.
const stateAge = 3_600_000

// ask answers with the questions of a call, and puts its code away.
func (p *Server) ask(tx *durable.Tx, k *call) {
	if w := k.waiter; w != nil {
		if !isKnown(k.claims) {
			w.reply(tx, k, errUnknown.Status(w.caller.Version), mcp.EncodeError(w.id, errUnknown))
			p.drop(tx, k, "its client is not known, and cannot be asked")
			return
		}
		if missing, lacks := w.caller.Capabilities.Missing(needs(k.row)); lacks {
			wrong := mcp.MissingCapability(missing)
			w.reply(tx, k, wrong.Status(w.caller.Version), mcp.EncodeError(w.id, wrong))
			p.drop(tx, k, "its client cannot be asked")
			return
		}
		k.round++
		k.expires = tx.Now + stateAge
		tx.Schedule(dueExpiry, k.id, k.expires)
		k.ticket = newTicket(tx)
		state := k.id + stateMark + k.ticket
		w.reply(tx, k, 200, p.encode(w.id, w.caller.Version, mcp.InputRequired{Requests: k.requests(), State: &state}))
	}
	k.to(asking)
	k.store(tx)
	p.taskChanged(tx, k.row)
	if k.routine.WaitsForPeople() {
		k.suspend()
	}
}

// suspend takes a call out of memory.
func (k *call) suspend() {
	k.routine.Drop()
	k.routine, k.over = nil, true
}

// takeGiven answers the questions of a call with what its client has given ahead, once, and says whether
// it has answered any.
func (p *Server) takeGiven(tx *durable.Tx, k *call) bool {
	if k.waiter == nil || k.waiter.given == nil {
		return false
	}
	before := len(k.asked)
	p.take(tx, &k.row, k.waiter.given, k.waiter.claims)
	k.waiter.given = nil
	if len(k.asked) == before {
		return false
	}
	p.resume(tx, k)
	return true
}

// needs returns what a client must be able to do that is asked the questions of a call.
func needs(c row) (needed mcp.ClientCapabilities) {
	for _, q := range c.asked {
		n := q.ask().Needs()
		needed.Form = needed.Form || n.Form
		needed.URL = needed.URL || n.URL
		needed.Sampling = needed.Sampling || n.Sampling
		needed.SamplingTools = needed.SamplingTools || n.SamplingTools
		needed.Roots = needed.Roots || n.Roots
	}
	return needed
}

var errState = &mcp.Error{Code: mcp.CodeInvalidParams, Message: "requestState is not valid any more, or was made for another request"}

// repeated has a call go on whose request has come again with answers.
func (p *Server) repeated(tx *durable.Tx, f from, r row, resume mcp.Resume) (mcp.Result, *mcp.Error) {
	id, ticket, _ := strings.Cut(*resume.State, stateMark)
	k := p.inMemory(id)
	if k == nil {
		stored, found := find(tx, id)
		if !found {
			return nil, errState
		}
		k = &call{row: stored, stored: true}
	}
	switch {
	case !k.hasTicket(ticket), k.expires <= tx.Now, k.digest != r.digest, claims.Person(k.claims) != claims.Person(f.claims),
		k.kind != ofRequest, k.waiter != nil, k.state == working:
		return nil, errState
	}
	if k.state.final() {
		remove(tx, k.id)
		return kept(k.row)
	}
	if lacked := p.lackedFor(k.row, resume.Responses, f.claims); lacked != nil {
		return nil, lacked
	}
	tx.Unschedule(dueExpiry, k.id)
	p.take(tx, &k.row, resume.Responses, f.claims)
	k.waiter, k.expires = newWaiter(f), 0
	p.resume(tx, k)
	return nil, nil
}

// kept returns the result of a call that has ended while its client was asked.
func kept(c row) (mcp.Result, *mcp.Error) {
	v, err := mcp.Parse(c.result)
	if err != nil {
		return nil, errState
	}
	if e := v.Get("error"); c.state == failed {
		code, _ := e.Get("code").Integer()
		return nil, &mcp.Error{Code: code, Message: e.Get("message").Text()}
	}
	var call mcp.Call = mcp.CallTool{}
	if c.method == mcp.MethodGetPrompt {
		call = mcp.GetPrompt{}
	}
	result, err := mcp.ParseOutcome(call, mcp.ClientCapabilities{}, v)
	if err != nil {
		return nil, errState
	}
	return result, nil
}
