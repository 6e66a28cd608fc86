package mcpclient

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

// startRelayed sends a request whose row there is.
func (r *Servers) startRelayed(tx *durable.Tx, s *Server, id string, q *Forwarded) {
	r.noteRelayed(id, s, q)
	r.relayed[id].token, _ = r.signIn.TokenNumber(tx, s)
	r.relayed[id].session = s.SessionMark()
	r.sendRelayed(tx, relayFetch+id, s, q)
}

func (r *Servers) noteRelayed(id string, s *Server, q *Forwarded) {
	if r.relayed == nil {
		r.relayed = map[string]*forwarded{}
	}
	r.relayed[id] = &forwarded{Forwarded: *q, server: s.ID}
}

// sendRelayed sends a request with what only the root knows.
func (r *Servers) sendRelayed(tx *durable.Tx, fetch string, s *Server, q *Forwarded) {
	e := r.Endpoint(tx, s)
	e.Version = q.Version
	sent := e.Forward(q.Header, q.Body)
	tx.Do(durable.Fetch{Fetch: fetch, Method: sent.Method, URL: sent.URL, Header: sent.Header, Body: sent.Body})
}

// isRelayed says whether a fetch is that of a request of a helper, and returns its id.
func isRelayed(name string) (id string, ok bool) { return strings.CutPrefix(name, relayFetch) }

// relayFetched handles an event of the fetch of a request.
func (r *Servers) relayFetched(tx *durable.Tx, id string, event durable.Event) {
	f := r.relayed[id]
	if f == nil {
		return
	}
	switch e := event.(type) {
	case durable.FetchResponded:
		f.receiver = NewReceiver(f.Version, RequestID(f.Message), e.Status, e.Header)
		f.receiver.Server = f.server
		f.receiver.Notify = func(tx *durable.Tx, m mcp.Message) { r.relayAsked(tx, id, f, m) }
	case durable.FetchChunk:
		enough, err := f.receiver.Feed(tx, e.Data)
		if err != nil || enough {
			tx.Do(durable.CancelFetch{Fetch: relayFetch + id})
			r.endRelayed(tx, id, f, err)
		}
	case durable.FetchEnded:
		r.endRelayed(tx, id, f, nil)
	case durable.FetchFailed:
		r.relayBroke(tx, id, f, e)
	}
}

// relayBroke handles a response that has failed. That of a legacy server may go on.
func (r *Servers) relayBroke(tx *durable.Tx, id string, f *forwarded, e durable.FetchFailed) {
	if f.receiver != nil {
		if response, ok := f.receiver.Broken(); ok {
			r.pauseRelayed(tx, id, response)
			return
		}
	}
	r.replyToHelper(tx, id, Reply{Failure: e.Error, Doubtful: !e.Unsent})
}

// endRelayed handles a response that is complete.
func (r *Servers) endRelayed(tx *durable.Tx, id string, f *forwarded, err error) {
	var response flow.Response
	if err == nil {
		response, err = f.receiver.End()
	}
	if _, _, goesOn := Resumes(response); err == nil && goesOn {
		r.pauseRelayed(tx, id, response)
		return
	}
	if err != nil {
		r.replyToHelper(tx, id, Reply{Failure: err.Error(), Doubtful: true})
		return
	}
	if f.resumed && response.Status >= 300 { // it is no refusal of the call, which was taken
		r.replyToHelper(tx, id, Reply{Failure: NoRest(response.Status)})
		return
	}
	r.replyToHelper(tx, id, Reply{Response: &response, Token: f.token, Session: f.session, Digest: f.Digest})
}

// pauseRelayed has a stream go on after a pause.
func (r *Servers) pauseRelayed(tx *durable.Tx, id string, response flow.Response) {
	event, pause, _ := Resumes(response)
	tx.SQL(`UPDATE mcp_below SET event = ? WHERE id = ?`, event, id)
	tx.Schedule(dueRelay, id, tx.Now+pause.Milliseconds())
}

// resumeRelayed asks for the rest of a stream.
func (r *Servers) resumeRelayed(tx *durable.Tx, id string) {
	f := r.relayed[id]
	for _, row := range tx.SQL(`SELECT event FROM mcp_below WHERE id = ? AND event <> ''`, id) {
		s := r.Find(tx, f.serverID())
		if s == nil {
			r.replyToHelper(tx, id, Reply{Failure: "the stream of the server was lost", Doubtful: true})
			return
		}
		e := r.Endpoint(tx, s)
		e.Version = f.Version
		f.resumed = true
		q := e.Resume(row.Text(0))
		tx.Do(durable.Fetch{Fetch: relayFetch + id, Method: q.Method, URL: q.URL, Header: q.Header})
	}
}
