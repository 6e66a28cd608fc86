package mcpclient

import (
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about how far an exchange is: a server being asked what it is, and what it offers. An exchange lives in
// memory. One that is lost begins again when an entry of the schedule is due, or somebody needs the server.

// Times, in milliseconds.
const (
	// exchangeTime is how long one try of an exchange may take, and how long it rests at most. probeTime is how
	// long a server may take to say what it is, before the handshake is tried.
	exchangeTime, probeTime = 60_000, 10_000
	// An offer is good for at least LeastFresh and at most mostFresh, usualFresh where the server says
	// nothing. A server that has failed is asked again after LeastFresh.
	LeastFresh, usualFresh, mostFresh = 60_000, 3_600_000, 86_400_000
)

// FetchName returns the name of a fetch of a server.
func FetchName(s *Server, rest string) string { return FetchOf + s.ID + "/" + rest }

// UnansweredFetch returns a name for a fetch whose events nobody hears.
func UnansweredFetch(tx *durable.Tx) string { return FetchOf + "/" + tx.NewID() }

// step is what an exchange has asked.
type step int

const (
	probing step = iota
	initializing
	confirming
	listing
)

// exchange is a server being asked what it offers.
type exchange struct {
	n    int64
	step step
	// begun is when the exchange has begun, and tried when this try of it has, in milliseconds since 1970.
	begun, tried int64
	// asker is the person for whom the server is asked, or "".
	asker string
	// first says that a turn waits for it. quiet says that the state of the server stays what it is. rests
	// says that the next try waits for its time.
	first, quiet, rests bool
	// again says that the server was asked a second time what it is, and shaken that the handshake was begun.
	again, shaken bool
	version       string
	// unclear is the error with which the server has said that it is a modern one which cannot be used, or nil.
	unclear error
	// lost says in words that the probe has not reached the server, or that it did not work, or is "".
	lost string
	// at is where the server has redirected to, or "", and redirected says that the request has followed there.
	at         string
	redirected bool
	request    mcp.Request
	list       mcp.List
	id         mcp.ID
	receiver   *Receiver
	// sent says that a response is awaited.
	sent   bool
	offers mcp.ServerCapabilities
	tools  mcp.Catalogue
	offer  Offer
	pages  int
}

// Caller is what every request says of its sender.
func (r *Servers) Caller(version string) mcp.Caller {
	return mcp.Caller{Version: version, Info: mcp.Info{Name: "tributary", Version: "1"}, Capabilities: mcp.ClientCapabilities{
		Form: true, URL: true, Sampling: r.config.Sampling, Roots: r.config.Roots, Tasks: mcp.Modern(version),
	}}
}

// Begin asks a server what it offers, unless that is under way.
func (r *Servers) Begin(tx *durable.Tx, s *Server) { r.begin(tx, s, false) }

func (r *Servers) begin(tx *durable.Tx, s *Server, quiet bool) {
	if r.exchanges[s.ID] != nil || r.signIn.IsUnderWay(s.ID) || r.signIn.Resume(tx, s) || r.putOff(tx, s) {
		return
	}
	x := &exchange{begun: tx.Now, asker: r.AskedBy(tx, s), quiet: quiet, first: s.State != Failed && s.ReadAt == 0}
	r.exchanges[s.ID] = x
	if x.rests = s.rests(tx.Now) && tx.Scheduled(Due, s.ID); x.rests { // the rest was lost with the memory
		return
	}
	r.try(tx, s, x)
}

// enter stores the state of a server that is being asked.
func (r *Servers) enter(tx *durable.Tx, s *Server, x *exchange, state State) {
	if !x.quiet {
		s.State, s.Failure, r.changed = state, "", true
	}
	s.Save(tx)
}

// call sends a request.
func (r *Servers) call(tx *durable.Tx, s *Server, x *exchange, call mcp.Call) {
	x.n++
	x.id = RequestID(NewRequest(tx))
	e := r.Endpoint(tx, s)
	if e.Version = x.version; x.step == initializing {
		e.Version = "" // it is agreed on by the answer
	}
	r.send(tx, s, x, e.Call(x.id, r.Caller(x.version), call, nil))
}

func (r *Servers) send(tx *durable.Tx, s *Server, x *exchange, q mcp.Request) {
	if r.putOff(tx, s) {
		return
	}
	if x.at != "" {
		q.URL = x.at
	}
	x.receiver, x.sent, x.request = nil, true, q
	tx.Do(durable.Fetch{Fetch: fetchName(s, x), Method: q.Method, URL: q.URL, Header: q.Header, Body: q.Body})
}

func fetchName(s *Server, x *exchange) string {
	return FetchName(s, strconv.FormatInt(x.n, 10))
}

// Fetched handles an event of a fetch of an exchange. Those of a fetch that nobody waits for are ignored.
func (r *Servers) Fetched(tx *durable.Tx, name string, event durable.Event) {
	if id, ok := isRelayed(name); ok {
		r.relayFetched(tx, id, event)
		return
	}
	id, _, _ := strings.Cut(strings.TrimPrefix(name, FetchOf), "/")
	s, x := r.Find(tx, id), r.exchanges[id]
	if s != nil && r.signIn.Fetched(tx, s, name, event) {
		return
	}
	if s == nil || x == nil || fetchName(s, x) != name {
		return
	}
	switch e := event.(type) {
	case durable.FetchResponded:
		if r.follow(tx, s, x, e) {
			return
		}
		if x.step == confirming { // whatever the body is, and whether it ends
			x.receiver = statusOf(e)
			tx.Do(durable.CancelFetch{Fetch: name})
			r.answered(tx, s, x, nil)
			return
		}
		x.receiver = NewReceiver(x.version, x.id, e.Status, e.Header)
		x.receiver.Server = s.Name
	case durable.FetchChunk:
		enough, err := x.receiver.Feed(tx, e.Data)
		if err != nil || enough {
			tx.Do(durable.CancelFetch{Fetch: name})
			r.answered(tx, s, x, err)
		}
	case durable.FetchFailed:
		x.sent = false
		why := mcp.Quote("the server cannot be reached: "+e.Error, maxFailure)
		if e.Unsent { // no request can be made at all
			r.Fail(tx, s, why)
			return
		}
		r.exchangeFailed(tx, s, x, why, false)
	case durable.FetchEnded:
		r.answered(tx, s, x, nil)
	}
}

// answered goes on with an exchange when a response is complete.
func (r *Servers) answered(tx *durable.Tx, s *Server, x *exchange, err error) {
	x.sent = false
	if err == nil {
		err = x.receiver.Close()
	}
	if err == nil {
		err = r.proceed(tx, s, x)
	}
	switch {
	case err == nil:
		return
	case x.step == probing:
		r.handshakes(tx, s, x, err)
		return
	case x.step == initializing && x.unclear != nil:
		err = x.unclear
	case x.step == initializing && x.lost != "": // the server may be a modern one that works again
		r.tryAgain(tx, s, x, x.lost)
		return
	}
	if err = r.cutShort(tx, s, x, err); err != nil {
		r.Fail(tx, s, Words(err))
	}
}

func (r *Servers) proceed(tx *durable.Tx, s *Server, x *exchange) error {
	switch status := x.receiver.Status; {
	case status == 401 || status == 403:
		err := r.signIn.Challenged(tx, s, status, x.receiver.Header["www-authenticate"], x.asker, x.first, x.begun)
		if err != nil && err != ErrForbidden { // it cannot be signed in
			r.Fail(tx, s, Words(err))
			return nil
		}
		return err
	case comesBack(status):
		_, pause := x.receiver.Header["retry-after"]
		r.exchangeFailed(tx, s, x, statusWords(status), pause || status == 429)
		return nil
	}
	switch x.step {
	case probing:
		return r.probed(tx, s, x)
	case initializing:
		return r.initialized(tx, s, x)
	case confirming:
		if status := x.receiver.Status; status >= 300 {
			return x.receiver.refused()
		}
		return r.listTools(tx, s, x)
	}
	return r.listed(tx, s, x)
}

// ready ends an exchange that has read all.
func (r *Servers) ready(tx *durable.Tx, s *Server, x *exchange) error {
	for _, left := range x.tools.Left {
		x.offer.leave(left.Name, left.Reason)
	}
	for _, l := range x.tools.Tools {
		x.offer.addTool(l)
	}
	for _, left := range x.offer.Left {
		tx.Log(durable.Warn, "a tool of a server was left out", "server", s.Name, "tool", left.Name, "reason", left.Reason)
	}
	x.offer.At = x.at
	if err := r.keep(tx, s, x.offer); err != nil {
		return err
	}
	fresh := min(max(x.tools.TTL, LeastFresh), mostFresh)
	if x.tools.TTL == 0 && !mcp.Modern(s.Version) {
		fresh = usualFresh
	}
	if s.State != Ready { // else it is that of the last call
		s.Failure = ""
	}
	s.State, s.tries, s.ReadAt, s.StaleAt = Ready, 0, tx.Now, tx.Now+fresh
	r.signIn.LetIn(tx, s)
	r.end(tx, s, "")
	return nil
}

// Fail ends an exchange. What the server has offered before is kept.
func (r *Servers) Fail(tx *durable.Tx, s *Server, why string) {
	s.State, s.Failure, s.tries, s.StaleAt = Failed, why, 0, tx.Now+LeastFresh
	r.end(tx, s, why)
}

func (r *Servers) end(tx *durable.Tx, s *Server, failure string) {
	r.Stop(tx, s)
	ForgetSecret(tx, s.ID, SecretSignIn)
	s.Save(tx)
	r.changed = true
	r.EndWaits(tx, s, failure)
	r.ReplyOffers(tx)
	r.ReleaseTurn(tx)
}

// Stop ends what is under way with a server.
func (r *Servers) Stop(tx *durable.Tx, s *Server) {
	if x := r.exchanges[s.ID]; x != nil {
		if x.sent {
			tx.Do(durable.CancelFetch{Fetch: fetchName(s, x)})
		}
		delete(r.exchanges, s.ID)
	}
	r.signIn.Cancel(tx, s)
	for _, kind := range []string{Due, DuePutOff, DueSign} {
		if tx.Scheduled(kind, s.ID) {
			tx.Unschedule(kind, s.ID)
		}
	}
}
