package mcpclient

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file finds out what a server speaks. A modern one says it when it is asked what it is, and an older one in a
// handshake.

func (r *Servers) probe(tx *durable.Tx, s *Server, x *exchange, version string) {
	x.step, x.version = probing, version
	tx.Schedule(Due, s.ID, min(tx.Now+probeTime, x.tried+exchangeTime))
	r.call(tx, s, x, mcp.Discover{})
}

func (r *Servers) initialize(tx *durable.Tx, s *Server, x *exchange, version string) {
	s.Session = ""
	x.step, x.version, x.shaken = initializing, version, true
	tx.Schedule(Due, s.ID, x.tried+exchangeTime)
	r.call(tx, s, x, mcp.Initialize{Version: version, Capabilities: r.Caller(version).Capabilities, Info: r.Caller(version).Info})
}

func (r *Servers) probed(tx *durable.Tx, s *Server, x *exchange) error {
	p, err := mcp.ReadProbe(x.version, x.again, x.receiver.Status, x.receiver.Answer)
	if err != nil {
		return err
	}
	switch p.Next {
	case mcp.NextAgain:
		x.again = true
		r.probe(tx, s, x, p.Version)
	case mcp.NextHandshake:
		r.initialize(tx, s, x, p.Version)
	case mcp.NextModern:
		s.Session = ""
		r.agree(s, p.Version, x.receiver.Answer.Result, p.Discovered.Instructions)
		x.offers = p.Discovered.Capabilities
		return r.listTools(tx, s, x)
	}
	return nil
}

// handshakes goes on behind a probe that was not answered clearly. A server that knows the handshake alone may answer
// what it does not know in any way, or not at all, so the handshake is tried once before a server counts as failed. why
// is shown if the handshake fails too, and says more than that.
func (r *Servers) handshakes(tx *durable.Tx, s *Server, x *exchange, why error) {
	if e, ok := why.(*mcp.Error); ok {
		x.unclear = e
	} else if why == mcp.ErrNoVersion {
		x.unclear = why
	}
	r.initialize(tx, s, x, mcp.LegacyVersion)
}

// agree notes what a server has said of itself.
func (r *Servers) agree(s *Server, version string, result mcp.Value, instructions string) {
	s.Version, s.Instructions = version, limitText(plain(instructions), maxInstructions)
	if s.Capabilities = result.Get("capabilities").JSON(); len(s.Capabilities) > maxInstructions {
		s.Capabilities = "{}"
	}
}

func limitText(text string, most int) string {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}

// errNoProtocol is the Failure of a server that answers neither era's first request.
const errNoProtocol Failure = "the server does not speak the protocol over HTTP as it is spoken here: it may speak the transport of 2024, which is not"

func (r *Servers) initialized(tx *durable.Tx, s *Server, x *exchange) error {
	a := x.receiver.Answer
	switch {
	case a.Error != nil:
		return a.Error
	case x.receiver.Status >= 300 && x.receiver.Status != 400 && x.receiver.Status != 404 && x.receiver.Status != 405:
		return x.receiver.refused()
	case !a.Result.Exists():
		return errNoProtocol
	}
	said, err := mcp.ParseInitialized(a.Result)
	if err != nil {
		return err
	}
	if session := x.receiver.Header[mcp.HeaderSession]; mcp.IsSession(session) {
		s.Session = session
	}
	r.agree(s, said.Version, a.Result, said.Instructions)
	x.offers, x.version, x.step = said.Capabilities, said.Version, confirming
	x.n++
	r.send(tx, s, x, r.Endpoint(tx, s).Notify(mcp.Ready{}))
	return nil
}
