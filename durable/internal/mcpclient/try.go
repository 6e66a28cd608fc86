package mcpclient

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/retryafter"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about the tries of an exchange. One whose server cannot be reached, or says that it does not work now,
// rests, and an entry of the schedule begins it again.

// MaxTries is how many tries an exchange has.
const MaxTries = 3

// betweenTries is how long an exchange rests behind each try but the last.
var betweenTries = durable.Backoff{1_000, 5_000}

// rests says whether a server rests until the next try.
func (s *Server) rests(now int64) bool {
	return (s.State == Connecting || s.State == Discovering) && now < s.StaleAt
}

// beginNow is [Servers.Begin] for a person, who does not wait until a rest is over.
func (r *Servers) beginNow(tx *durable.Tx, s *Server) {
	if x := r.exchanges[s.ID]; x != nil && x.rests {
		delete(r.exchanges, s.ID)
	}
	s.tries, s.StaleAt = 0, tx.Now
	if r.exchanges[s.ID] == nil && !mcp.Modern(s.Version) {
		s.Version, s.Session = "", "" // whatever was agreed on before
	}
	r.Begin(tx, s)
}

// try begins an exchange, or begins it again.
func (r *Servers) try(tx *durable.Tx, s *Server, x *exchange) {
	if err := mcp.CheckURL(s.URL, r.config.Development()); err != nil {
		r.Fail(tx, s, Words(err))
		return
	}
	*x = exchange{n: x.n, begun: x.begun, asker: x.asker, quiet: x.quiet, first: x.first, tried: tx.Now}
	s.tries++
	s.StaleAt = tx.Now
	switch {
	case s.ended:
		s.ended = false
		r.enter(tx, s, x, Connecting)
		r.initialize(tx, s, x, mcp.LegacyVersion)
		return
	case s.Version != "" && !mcp.Modern(s.Version):
		if err := r.listTools(tx, s, x); err != nil {
			r.Fail(tx, s, Words(err))
		}
		return
	}
	r.enter(tx, s, x, Connecting)
	r.probe(tx, s, x, mcp.Version)
}

// tryAgain has an exchange rest until the next try, because its server could not be reached or asks for it. Behind
// the last try it fails.
func (r *Servers) tryAgain(tx *durable.Tx, s *Server, x *exchange, why string) {
	if s.tries >= MaxTries {
		err := error(Failure(why))
		if s.ReadAt == 0 { // else what it has offered before is better than a part
			err = r.cutShort(tx, s, x, err)
		}
		if err != nil {
			r.Fail(tx, s, Words(err))
		}
		return
	}
	rest := betweenTries.Wait(int(s.tries))
	if x.receiver != nil {
		rest = max(rest, min(retryafter.Read(x.receiver.Header, tx.Now), exchangeTime))
	}
	x.rests, s.StaleAt = true, tx.Now+rest
	s.Save(tx)
	tx.Schedule(Due, s.ID, s.StaleAt)
}

// exchangeFailed goes on with an exchange whose server could not be reached, or says that it does not work now. pause says
// that it asks for a pause. Otherwise the handshake follows a probe at once: some servers break off what they do not know.
func (r *Servers) exchangeFailed(tx *durable.Tx, s *Server, x *exchange, why string, pause bool) {
	if x.step == probing && (!pause || s.tries >= MaxTries) {
		x.lost = why
		r.handshakes(tx, s, x, nil)
		return
	}
	r.tryAgain(tx, s, x, why)
}

// overtime ends what a server has not answered in time.
func (r *Servers) overtime(tx *durable.Tx, s *Server, x *exchange) {
	if x.sent {
		x.sent = false
		tx.Do(durable.CancelFetch{Fetch: fetchName(s, x)})
	}
	const why Failure = "the server has not answered within a minute"
	switch {
	case x.step == probing && tx.Now < x.tried+exchangeTime:
		r.handshakes(tx, s, x, nil)
	case x.step == listing && x.pages > 0 && (s.ReadAt == 0 || x.list.What != mcp.MethodTools):
		tx.Log(durable.Warn, "the rest of what a server offers was not read", "server", s.Name, "list", x.list.What, "reason", string(why))
		if err := r.ready(tx, s, x); err != nil {
			r.Fail(tx, s, Words(err))
		}
	default:
		r.Fail(tx, s, string(why))
	}
}

// comesBack says whether a status means that a server works again soon.
func comesBack(status int) bool { return status == 429 || 502 <= status && status <= 504 }
