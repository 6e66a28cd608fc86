package mcpserver

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about the sessions of legacy clients, which say once what a modern client says with every
// request.

const (
	// sessionAge is how long a session may be idle, and sessionStep how exactly that is measured, in
	// milliseconds. It spares a write for most requests.
	sessionAge, sessionStep = 24 * 3_600_000, 3_600_000
	// maxWatched is how many resources a session can be told of, and maxURI how long their URIs may be.
	maxWatched, maxURI = 64, 2_048
)

// session is a legacy client, as it is stored.
type session struct {
	id string
	// claims are those of the request that has begun it. Only requests of the same subject belong to it.
	claims string
	client clientJSON
	// level is the lowest level of the log lines that the client wants, or "" for none.
	level string
	// watched are the URIs of the resources of whose changes the client is told.
	watched []string
	// tools is the digest of the tools that the client knows, and seen when it was last heard of.
	tools string
	seen  int64
}

const sessionColumns = `id, claims, client, level, watched, tools, seen`

func findSession(tx *durable.Tx, id string) *session {
	rows := tx.SQL(`SELECT `+sessionColumns+` FROM mcp_session WHERE id = ?`, id)
	if len(rows) == 0 {
		return nil
	}
	r := rows[0]
	s := &session{id: r.Text(0), claims: r.Text(1), level: r.Text(3), tools: r.Text(5), seen: r.Int(6)}
	if json.Unmarshal([]byte(r.Text(2)), &s.client) != nil || json.Unmarshal([]byte(r.Text(4)), &s.watched) != nil {
		return nil // a damaged row reads as nothing
	}
	return s
}

func (s *session) put(tx *durable.Tx) {
	tx.SQL(`INSERT INTO mcp_session (`+sessionColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET level = excluded.level, watched = excluded.watched, tools = excluded.tools, seen = excluded.seen`,
		s.id, s.claims, string(limit.MustMarshal(s.client)), s.level, string(limit.MustMarshal(append([]string{}, s.watched...))), s.tools, s.seen)
}

// touch notes that the client was heard of.
func (s *session) touch(tx *durable.Tx) {
	if tx.Now-s.seen < sessionStep {
		return
	}
	s.seen = tx.Now
	s.put(tx)
	tx.Schedule(dueSession, s.id, s.seen+sessionAge)
}

// caller returns what the client has said about itself, with what this request adds.
func (s *session) caller(c mcp.Caller) mcp.Caller {
	return mcp.Caller{Version: s.client.Version, Capabilities: s.client.capabilities(), Level: s.level, Progress: c.Progress}
}

// initialize begins a session, and answers with its id. A client that is not known has none: its requests
// are answered without one.
func (p *Server) initialize(tx *durable.Tx, f from) {
	var s *session
	if isKnown(f.claims) {
		if err := p.mayBegin(tx, f); err != nil {
			f.fail(tx, err)
			return
		}
		var b [24]byte
		tx.Random(b[:])
		s = &session{id: base64.RawURLEncoding.EncodeToString(b[:]), claims: f.claims, client: clientOf(f.caller), tools: p.toolsDigest(tx)}
		s.client.Version = f.caller.Version
		s.touch(tx)
	}
	body := p.encode(f.id, f.caller.Version, mcp.Initialized{
		Version: f.caller.Version, Capabilities: p.offers(f.caller.Version), Server: p.config.Info, Instructions: p.config.Instructions,
	})
	header := headerOf(body)
	if s != nil {
		header[mcp.HeaderSession] = s.id
	}
	tx.Do(durable.Respond{Request: f.request, Status: 200, Header: header, Body: body})
}

// endSession ends a session with its calls and its stream.
func (p *Server) endSession(tx *durable.Tx, id string) {
	for _, k := range p.callsOf(tx, id) {
		if w := k.waiter; w != nil {
			w.reply(tx, k, 404, mcp.EncodeError(w.id, errSession))
		}
		p.drop(tx, k, "its client has ended the session")
	}
	p.listeners = slices.DeleteFunc(p.listeners, func(l *listener) bool {
		ours := l.session != nil && l.session.id == id
		if ours {
			tx.Do(durable.EndStream{Stream: l.request})
		}
		return ours
	})
	tx.SQL(`DELETE FROM mcp_session WHERE id = ?`, id)
	tx.Unschedule(dueSession, id)
}

// callsOf returns the calls of a session, in memory or not.
func (p *Server) callsOf(tx *durable.Tx, id string) (calls []*call) {
	for _, k := range p.calls {
		if k.client.Session == id && !k.over {
			calls = append(calls, k)
		}
	}
	for _, r := range list(tx, `kind = ?`, string(ofSession)) {
		if r.client.Session == id && p.inMemory(r.id) == nil {
			calls = append(calls, &call{row: r, stored: true})
		}
	}
	return calls
}

// sessionDue ends a session that was idle for too long. A client that reads its stream is not idle.
func (p *Server) sessionDue(tx *durable.Tx, id string) {
	s := findSession(tx, id)
	switch {
	case s == nil:
	case p.listenerOf(id) != nil:
		s.touch(tx)
	default:
		p.endSession(tx, id)
	}
}

// setLevel has the client be sent log lines from a level on.
func (p *Server) setLevel(tx *durable.Tx, f from, level string) (mcp.Result, *mcp.Error) {
	if f.session == nil {
		return nil, errNoSession
	}
	f.session.level = level
	f.session.put(tx)
	for _, k := range p.calls {
		if k.client.Session == f.session.id && k.waiter != nil {
			k.waiter.caller.Level = level
		}
	}
	return mcp.Done{}, nil
}

// subscribe has the client be told of the changes of a resource, or no longer be told.
func (p *Server) subscribe(tx *durable.Tx, f from, c mcp.Subscribe) (mcp.Result, *mcp.Error) {
	s := f.session
	if s == nil {
		return nil, errNoSession
	}
	s.watched = slices.DeleteFunc(s.watched, func(uri string) bool { return uri == c.URI })
	switch {
	case c.Forget:
	case p.config.Read == nil:
		return nil, mcp.NoResource(f.caller.Version, c.URI)
	case len(c.URI) > maxURI:
		return nil, invalid("the URI is too long")
	case len(s.watched) >= maxWatched:
		return nil, invalid("the session watches too many resources")
	default:
		s.watched = append(s.watched, c.URI)
	}
	s.put(tx)
	if l := p.listenerOf(s.id); l != nil {
		l.session = s
	}
	return mcp.Done{}, nil
}

var (
	errSession   = &mcp.Error{Code: mcp.CodeInvalidRequest, Message: "there is no such session: initialize again"}
	errNoSession = &mcp.Error{Code: mcp.CodeInvalidParams, Message: "this needs a session, which initialize begins"}
)

// sessionOf returns the session of a request, or nil if it names none. ok is false if there is no such
// session, or if it is another person's.
func (p *Server) sessionOf(tx *durable.Tx, header map[string]string, by string) (s *session, ok bool) {
	id := header[mcp.HeaderSession]
	if id == "" || mcp.Modern(cmp.Or(header[mcp.HeaderVersion], mcp.LegacyVersion)) {
		return nil, true
	}
	s = findSession(tx, id)
	if s == nil || !claims.SamePerson(s.claims, by) {
		return nil, false
	}
	s.touch(tx)
	return s, true
}
