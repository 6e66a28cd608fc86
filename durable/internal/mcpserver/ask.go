package mcpserver

import (
	"encoding/base64"
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/seal"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about rounds: the questions of a call are its answer, and the client repeats the request
// with what was said.

// stateAge is how long a client has to repeat a request, in milliseconds.
const stateAge = 3_600_000

// sealed is what a client keeps of a call, and cannot read.
type sealed struct {
	Call    string `json:"c"`
	Round   int64  `json:"r"`
	Digest  string `json:"d"`
	Person  string `json:"s"`
	Expires int64  `json:"e"`
}

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
		state := p.sealed(tx, sealed{k.id, k.round, k.digest, claims.Person(k.claims), k.expires})
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
	s, ok := p.unsealed(tx, *resume.State)
	if !ok || s.Expires <= tx.Now || s.Digest != r.digest || s.Person != claims.Person(f.claims) {
		return nil, errState
	}
	k := p.inMemory(s.Call)
	if k == nil {
		stored, found := find(tx, s.Call)
		if !found {
			return nil, errState
		}
		k = &call{row: stored, stored: true}
	}
	if k.kind != ofRequest || k.round != s.Round || k.waiter != nil || k.state == working {
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

func (p *Server) sealed(tx *durable.Tx, s sealed) string {
	var nonce [seal.NonceSize]byte
	tx.Random(nonce[:])
	return base64.RawURLEncoding.EncodeToString(seal.Seal(keyOf(tx, true), nonce, limit.MustMarshal(s)))
}

func (p *Server) unsealed(tx *durable.Tx, state string) (s sealed, ok bool) {
	data, err := base64.RawURLEncoding.DecodeString(state)
	if err != nil {
		return s, false
	}
	text, ok := seal.Open(keyOf(tx, false), data)
	return s, ok && json.Unmarshal(text, &s) == nil
}

// keyOf returns the key of the object, which is stored when it is first needed to seal. Without a stored
// key nothing was sealed, and a fresh one opens nothing.
func keyOf(tx *durable.Tx, needed bool) (key [seal.KeySize]byte) {
	for _, row := range tx.SQL(`SELECT key FROM mcp_key`) {
		if copy(key[:], row.Blob(0)) == seal.KeySize {
			return key
		}
	}
	tx.Random(key[:])
	if needed {
		tx.SQL(`INSERT INTO mcp_key (one, key) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET key = excluded.key`, key[:])
	}
	return key
}
