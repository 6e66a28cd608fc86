package mcpserver

import (
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about the calls of sessions: what the code asks is sent as requests to the client, and a
// stream that has broken off goes on where it was.

// deliveredAge is how long the end of a call is kept that was sent on a stream, in milliseconds: the
// client may have lost the stream before it has read the end.
const deliveredAge = 300_000

// retryAfter is after which time a client should open a stream again that has broken off, in
// milliseconds.
const retryAfter = 1_000

// eventID names an event of a call. A client that comes back says which was the last that it has read.
func (k *call) eventID(number int64) string { return k.id + "." + strconv.FormatInt(number, 10) }

// questionID is the id of the request that asks a question.
func (k *call) questionID(q question) mcp.ID {
	return mcp.TextID(k.id + "." + strconv.Itoa(q.Position))
}

// placeOf returns the call that the id of an event or of a question names, and its number.
func placeOf(id string) (call string, number int64, ok bool) {
	call, text, _ := strings.Cut(id, ".")
	number, err := strconv.ParseInt(text, 10, 64)
	return call, number, err == nil && number >= 0
}

// prime begins the stream of a call with an event that says no more than where the stream is, so that
// its client can come back. Clients of older versions take it for a broken message.
func (k *call) prime(tx *durable.Tx) {
	if k.client.Version < mcp.LegacyVersion {
		return
	}
	tx.Do(durable.Emit{Stream: k.waiter.request, Data: []byte("id: " + k.eventID(k.round) + "\nretry: " + strconv.Itoa(retryAfter) + "\ndata:\n\n")})
}

// askClient sends the questions of a call that were not sent yet. Without a stream of the call they go
// to the session's own, if there is one, and else they wait for the client to come back.
func (p *Server) askClient(tx *durable.Tx, k *call) {
	for i := range k.asked {
		if k.asked[i].Number > 0 {
			continue
		}
		k.round++
		k.asked[i].Number, k.changed = k.round, true
		if w := k.waiter; w != nil && !w.began {
			p.stream(tx, k)
		}
		p.sendQuestion(tx, k, k.asked[i])
	}
}

// sendQuestion sends a question on the stream of its call, or else on that of the session. A stream whose
// authorization is over ends first: its client comes back for the question, with another authorization.
func (p *Server) sendQuestion(tx *durable.Tx, k *call, q question) {
	p.endListeners(tx)
	if w := k.waiter; w != nil && w.over(tx.Now) {
		tx.Do(durable.EndStream{Stream: w.request})
		w.leave(tx, k)
	}
	data := mcp.EncodeAsk(k.questionID(q), q.ask())
	if w := k.waiter; w != nil {
		tx.Do(durable.Emit{Stream: w.request, Data: mcp.AppendEvent(nil, k.eventID(q.Number), data)})
	} else if l := p.listenerOf(k.client.Session); l != nil {
		tx.Do(durable.Emit{Stream: l.request, Data: mcp.AppendEvent(nil, "", data)})
	}
}

// answered takes a client's answer to a question. Its error says that there is no such question, or which
// scope the client lacks to answer it.
func (p *Server) answered(tx *durable.Tx, f from, m mcp.Message) *mcp.Error {
	text, _ := mcp.Parse([]byte(m.ID.JSON()))
	id, position, ok := placeOf(text.Text())
	if !ok || f.session == nil {
		return errQuestion
	}
	for _, k := range p.callsOf(tx, f.session.id) {
		for _, q := range k.asked {
			if k.id == id && int64(q.Position) == position {
				if lacked := p.lackedFor(k.row, mcp.InputResponses{{Key: q.Key}}, f.claims); lacked != nil {
					return lacked
				}
				p.answer(tx, f, k, q, m)
				return nil
			}
		}
	}
	return errQuestion
}

func (p *Server) answer(tx *durable.Tx, f from, k *call, q question, m mcp.Message) {
	p.take(tx, &k.row, mcp.InputResponses{{Key: q.Key, Value: m.Result}}, f.claims)
	if k.asks(q.Position) { // nothing that fits was answered, and nobody would ask again
		why := "the client's answer does not fit the question"
		if m.Error != nil {
			why = "the client has refused the question: " + mcp.Quote(m.Error.Message, maxReason)
		}
		k.forget(q.Position)
		flow.Complete(tx, flow.Key{Routine: routineOf + k.id, Position: q.Position}, nil, why)
	}
	p.resume(tx, k)
}

// maxReason is how much is said of why a client refuses a question, in bytes.
const maxReason = 300

// finishOfSession answers a call of a session whose code has ended. Its end is kept if its client could
// come back for it.
func (p *Server) finishOfSession(tx *durable.Tx, k *call, result mcp.Result, wrong *mcp.Error) {
	w := k.waiter
	if w != nil && !w.began {
		status, body := p.final(k, result, wrong)
		w.reply(tx, k, status, body)
		if k.stored {
			remove(tx, k.id)
		}
		return
	}
	k.round++
	if w != nil {
		_, body := p.final(k, result, wrong)
		p.deliver(tx, k, body)
	}
	p.keep(tx, k, result, wrong)
}

// final returns the answer to the request of a call.
func (p *Server) final(k *call, result mcp.Result, wrong *mcp.Error) (status int, body []byte) {
	if wrong != nil {
		return wrong.Status(k.client.Version), mcp.EncodeError(k.client.request(), wrong)
	}
	return 200, p.encode(k.client.request(), k.client.Version, result)
}

// deliver sends the end of a call on its stream.
func (p *Server) deliver(tx *durable.Tx, k *call, body []byte) {
	tx.Do(durable.Emit{Stream: k.waiter.request, Data: mcp.AppendEvent(nil, k.eventID(k.round), body)}, durable.EndStream{Stream: k.waiter.request})
	k.waiter = nil
	k.expires = tx.Now + deliveredAge
	tx.Schedule(dueExpiry, k.id, k.expires)
}

// get answers a request for a stream: of a call that goes on or has ended, or of what happens without a
// call.
func (p *Server) get(tx *durable.Tx, f from) {
	if !mcp.Accepts(f.header["accept"], "text/event-stream") {
		respond(tx, f.request, 406, nil)
		return
	}
	last := f.header[mcp.HeaderLastEvent]
	if last == "" {
		p.listenOfSession(tx, f)
		return
	}
	id, number, ok := placeOf(last)
	for _, k := range p.callsOf(tx, f.session.id) {
		if ok && k.id == id {
			p.comeBack(tx, f, k, number)
			return
		}
	}
	respond(tx, f.request, 400, mcp.EncodeError(mcp.ID{}, &mcp.Error{Code: mcp.CodeInvalidRequest, Message: "nothing is kept of the stream of that event"}))
}

// comeBack goes on with the stream of a call behind an event.
func (p *Server) comeBack(tx *durable.Tx, f from, k *call, last int64) {
	if old := k.waiter; old != nil { // its client knows better than we whether it still reads that stream
		if !old.began {
			respond(tx, old.request, 409, nil)
		} else {
			tx.Do(durable.EndStream{Stream: old.request})
		}
		old.leave(tx, k)
	}
	f.id, f.caller = k.client.request(), f.session.caller(mcp.Caller{Progress: k.client.token()})
	if !k.state.final() && k.routine == nil {
		k = p.load(tx, k.id)
	}
	k.waiter = newWaiter(f)
	p.stream(tx, k)
	if k.state.final() {
		result, wrong := kept(k.row)
		_, body := p.final(k, result, wrong)
		p.deliver(tx, k, body)
		k.put(tx)
		return
	}
	for _, q := range k.asked {
		if q.Number > last {
			p.sendQuestion(tx, k, q)
		}
	}
}
