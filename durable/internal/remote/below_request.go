package remote

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file makes the requests of helpers, with what only the root knows.

// forwarded is a request under way.
type forwarded struct {
	Forwarded
	server string
	token  int64
	// session is the mark of the session that the request has carried.
	session  string
	receiver *Receiver
	// resumed says that the request asks for the rest of a stream.
	resumed bool
	// asking are messages with questions that wait behind the one that a person is asked.
	asking []json.RawMessage
}

func (f *forwarded) serverID() string {
	if f == nil {
		return ""
	}
	return f.server
}

// startBelow sends a request whose row there is.
func (r *Servers) startBelow(tx *durable.Tx, s *Server, id string, q *Forwarded) {
	r.noteBelow(id, s, q)
	r.below[id].token, _ = r.TokenNumber(tx, s)
	r.below[id].session = s.SessionMark()
	r.sendBelow(tx, belowOf+id, s, q)
}

func (r *Servers) noteBelow(id string, s *Server, q *Forwarded) {
	if r.below == nil {
		r.below = map[string]*forwarded{}
	}
	r.below[id] = &forwarded{Forwarded: *q, server: s.ID}
}

// sendBelow sends a request with what only the root knows.
func (r *Servers) sendBelow(tx *durable.Tx, fetch string, s *Server, q *Forwarded) {
	e := r.Endpoint(tx, s)
	e.Version = q.Version
	sent := e.Forward(q.Header, q.Body)
	tx.Do(durable.Fetch{Fetch: fetch, Method: sent.Method, URL: sent.URL, Header: sent.Header, Body: sent.Body})
}

// isBelow says whether a fetch is that of a request of a helper, and returns its id.
func isBelow(name string) (id string, ok bool) { return strings.CutPrefix(name, belowOf) }

// fetchedBelow handles an event of the fetch of a request.
func (r *Servers) fetchedBelow(tx *durable.Tx, id string, event durable.Event) {
	f := r.below[id]
	if f == nil {
		return
	}
	switch e := event.(type) {
	case durable.FetchResponded:
		f.receiver = NewReceiver(f.Version, RequestID(f.Message), e.Status, e.Header)
		f.receiver.Server = f.server
		f.receiver.Told = func(tx *durable.Tx, m mcp.Message) { r.askedBelow(tx, id, f, m) }
	case durable.FetchChunk:
		enough, err := f.receiver.Feed(tx, e.Data)
		if err != nil || enough {
			tx.Do(durable.CancelFetch{Fetch: belowOf + id})
			r.endBelow(tx, id, f, err)
		}
	case durable.FetchEnded:
		r.endBelow(tx, id, f, nil)
	case durable.FetchFailed:
		r.brokenBelow(tx, id, f, e)
	}
}

// brokenBelow handles a response that has failed. That of a legacy server may go on.
func (r *Servers) brokenBelow(tx *durable.Tx, id string, f *forwarded, e durable.FetchFailed) {
	if f.receiver != nil {
		if response, ok := f.receiver.Broken(); ok {
			r.restBelow(tx, id, response)
			return
		}
	}
	r.tellBelow(tx, id, Reply{Failure: e.Error, Doubtful: !e.Unsent})
}

// endBelow handles a response that is complete.
func (r *Servers) endBelow(tx *durable.Tx, id string, f *forwarded, err error) {
	var response flow.Response
	if err == nil {
		response, err = f.receiver.End()
	}
	if _, _, goesOn := GoesOn(response); err == nil && goesOn {
		r.restBelow(tx, id, response)
		return
	}
	if err != nil {
		r.tellBelow(tx, id, Reply{Failure: err.Error(), Doubtful: true})
		return
	}
	if f.resumed && response.Status >= 300 { // it is no refusal of the call, which was taken
		r.tellBelow(tx, id, Reply{Failure: NoRest(response.Status)})
		return
	}
	r.tellBelow(tx, id, Reply{Response: &response, Token: f.token, Session: f.session, Digest: f.Digest})
}

// restBelow has a stream go on after a pause.
func (r *Servers) restBelow(tx *durable.Tx, id string, response flow.Response) {
	event, pause, _ := GoesOn(response)
	tx.SQL(`UPDATE mcp_below SET event = ? WHERE id = ?`, event, id)
	tx.Schedule(dueBelow, id, tx.Now+pause.Milliseconds())
}

// goOnBelow asks for the rest of a stream.
func (r *Servers) goOnBelow(tx *durable.Tx, id string) {
	f := r.below[id]
	for _, row := range tx.SQL(`SELECT event FROM mcp_below WHERE id = ? AND event <> ''`, id) {
		s := r.Find(tx, f.serverID())
		if s == nil {
			r.tellBelow(tx, id, Reply{Failure: "the stream of the server was lost", Doubtful: true})
			return
		}
		e := r.Endpoint(tx, s)
		e.Version = f.Version
		f.resumed = true
		q := e.Resume(row.Text(0))
		tx.Do(durable.Fetch{Fetch: belowOf + id, Method: q.Method, URL: q.URL, Header: q.Header})
	}
}
