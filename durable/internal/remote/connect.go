package remote

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/retryafter"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file asks servers what they offer. An exchange lives in memory: one that is lost begins again,
// when an entry of the schedule is due or somebody needs the server. So does one whose server cannot be
// reached, or says that it does not work now: it rests, and an entry of the schedule begins it again.

// Times, in milliseconds.
const (
	// exchangeTime is how long one try of an exchange may take, and how long it rests at most. maxTries is
	// how many tries there are.
	exchangeTime, maxTries = 60_000, 3
	// patience is how long a turn waits for the first offer of a server.
	patience = 10_000
	// An offer is good for at least leastFresh and at most mostFresh, usualFresh where the server says
	// nothing. A server that has failed is asked again after leastFresh.
	leastFresh, usualFresh, mostFresh = 60_000, 3_600_000, 86_400_000
)

// rests are how long an exchange rests behind each try but the last, in milliseconds.
var rests = [maxTries - 1]int64{1_000, 5_000}

// Due is the kind of the entries of the schedule. The id is that of a server, which is asked again or has
// not answered in time, or "" for the end of the time for which a turn waits.
const Due = "mcp"

// DueFrame is the kind of the entry that sends a frame which had to wait.
const DueFrame = "mcp-frame"

const fetchOf = "mcp/"

// IsDue says whether an entry of the schedule belongs to the servers.
func IsDue(kind string) bool {
	return kind == Due || kind == DueFrame || kind == DueSign || kind == dueBelow
}

// IsFetch says whether a fetch belongs to an exchange.
func IsFetch(name string) bool { return strings.HasPrefix(name, fetchOf) }

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
	n     int64
	step  step
	begun int64
	// first says that a turn waits for it. quiet says that the state of the server stays what it is. rests
	// says that the next try waits for its time.
	first, quiet, rests bool
	// again says that the server was asked a second time what it is, and anew that a session has ended.
	again, anew bool
	version     string
	list        mcp.List
	id          mcp.ID
	receiver    *Receiver
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
	if r.exchanges[s.ID] != nil || r.errands[s.ID] != nil || r.resume(tx, s) {
		return
	}
	x := &exchange{begun: tx.Now, quiet: quiet, first: s.State != Failed && s.ReadAt == 0}
	r.exchanges[s.ID] = x
	if x.rests = s.rests(tx.Now) && tx.Scheduled(Due, s.ID); x.rests { // the rest was lost with the memory
		return
	}
	r.try(tx, s, x)
}

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
	r.Begin(tx, s)
}

// try begins an exchange, or begins it again.
func (r *Servers) try(tx *durable.Tx, s *Server, x *exchange) {
	if err := mcp.CheckURL(s.URL, r.config.Development()); err != nil {
		r.fail(tx, s, words(err))
		return
	}
	*x = exchange{n: x.n, begun: x.begun, quiet: x.quiet, first: x.first}
	s.tries++
	s.StaleAt = tx.Now
	tx.Schedule(Due, s.ID, tx.Now+exchangeTime)
	if s.Version != "" && !mcp.Modern(s.Version) {
		if err := r.listTools(tx, s, x); err != nil {
			r.fail(tx, s, words(err))
		}
		return
	}
	r.enter(tx, s, x, Connecting)
	r.probe(tx, s, x, mcp.Version)
}

// tryAgain has an exchange rest until the next try, because its server could not be reached or asks for it. Behind
// the last try it fails.
func (r *Servers) tryAgain(tx *durable.Tx, s *Server, x *exchange, why string) {
	if s.tries >= maxTries {
		r.fail(tx, s, why)
		return
	}
	rest := rests[max(s.tries-1, 0)]
	if x.receiver != nil {
		rest = max(rest, min(retryafter.Read(x.receiver.Header, tx.Now), exchangeTime))
	}
	x.rests, s.StaleAt = true, tx.Now+rest
	s.save(tx)
	tx.Schedule(Due, s.ID, s.StaleAt)
}

// comesBack says whether a status means that a server works again soon.
func comesBack(status int) bool { return status == 429 || 502 <= status && status <= 504 }

// enter stores the state of a server that is being asked.
func (r *Servers) enter(tx *durable.Tx, s *Server, x *exchange, state State) {
	if !x.quiet {
		s.State, s.Failure, r.changed = state, "", true
	}
	s.save(tx)
}

func (r *Servers) probe(tx *durable.Tx, s *Server, x *exchange, version string) {
	x.step, x.version = probing, version
	r.call(tx, s, x, mcp.Discover{})
}

func (r *Servers) initialize(tx *durable.Tx, s *Server, x *exchange, version string) {
	s.Session = ""
	x.step, x.version = initializing, version
	r.call(tx, s, x, mcp.Initialize{Version: version, Capabilities: r.Caller(version).Capabilities, Info: r.Caller(version).Info})
}

// call sends a request.
func (r *Servers) call(tx *durable.Tx, s *Server, x *exchange, call mcp.Call) {
	x.n++
	x.id = mcp.TextID(tx.NewID())
	e := r.Endpoint(tx, s)
	if e.Version = x.version; x.step == initializing {
		e.Version = "" // it is agreed on by the answer
	}
	r.send(tx, s, x, e.Call(x.id, r.Caller(x.version), call, nil))
}

func (r *Servers) send(tx *durable.Tx, s *Server, x *exchange, q mcp.Request) {
	x.receiver, x.sent = nil, true
	tx.Do(durable.Fetch{Fetch: fetchName(s, x), Method: q.Method, URL: q.URL, Header: q.Header, Body: q.Body})
}

func fetchName(s *Server, x *exchange) string {
	return fetchOf + s.ID + "/" + strconv.FormatInt(x.n, 10)
}

// Fetched handles an event of a fetch of an exchange. Those of a fetch that nobody waits for are ignored.
func (r *Servers) Fetched(tx *durable.Tx, name string, event durable.Event) {
	if id, ok := isBelow(name); ok {
		r.fetchedBelow(tx, id, event)
		return
	}
	id, _, _ := strings.Cut(strings.TrimPrefix(name, fetchOf), "/")
	s, x := r.Find(tx, id), r.exchanges[id]
	if e := r.errands[id]; s != nil && e != nil && e.fetch == name {
		r.signEvent(tx, s, e, event)
		return
	}
	if s == nil || x == nil || fetchName(s, x) != name {
		return
	}
	switch e := event.(type) {
	case durable.FetchResponded:
		x.receiver = NewReceiver(x.version, x.id, e.Status, e.Header)
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
			r.fail(tx, s, why)
			return
		}
		r.tryAgain(tx, s, x, why)
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
	if err != nil {
		r.fail(tx, s, words(err))
	}
}

func (r *Servers) proceed(tx *durable.Tx, s *Server, x *exchange) error {
	switch status := x.receiver.Status; {
	case status == 401 || status == 403:
		return r.challenged(tx, s, status, x.receiver.Header["www-authenticate"], x.first, x.begun)
	case comesBack(status):
		r.tryAgain(tx, s, x, statusWords(status))
		return nil
	}
	switch x.step {
	case probing:
		return r.probed(tx, s, x)
	case initializing:
		return r.initialized(tx, s, x)
	case confirming:
		if status := x.receiver.Status; status >= 300 {
			return errors.New(statusWords(status))
		}
		return r.listTools(tx, s, x)
	}
	return r.listed(tx, s, x)
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

// errNoProtocol is the failure of a server that answers neither era's first request.
const errNoProtocol failure = "the server does not speak the protocol over HTTP as it is spoken here: it may speak the transport of 2024, which is not"

func (r *Servers) initialized(tx *durable.Tx, s *Server, x *exchange) error {
	a := x.receiver.Answer
	switch {
	case a.Error != nil:
		return a.Error
	case x.receiver.Status >= 300 && x.receiver.Status != 400 && x.receiver.Status != 404 && x.receiver.Status != 405:
		return errors.New(statusWords(x.receiver.Status))
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

// listTools begins to read what a server offers.
func (r *Servers) listTools(tx *durable.Tx, s *Server, x *exchange) error {
	x.step, x.version = listing, s.Version
	x.tools, x.offer, x.pages = mcp.Catalogue{}, Offer{}, 0
	r.enter(tx, s, x, Discovering)
	if x.offers == (mcp.ServerCapabilities{}) { // a session goes on
		x.offers = mcp.ServerCapabilities{Tools: true, Prompts: strings.Contains(s.Capabilities, `"prompts"`), Resources: strings.Contains(s.Capabilities, `"resources"`)}
	}
	for _, what := range []string{mcp.MethodTools, mcp.MethodPrompts, mcp.MethodResources} {
		if x.asks(what) {
			r.ask(tx, s, x, mcp.List{What: what})
			return nil
		}
	}
	return r.ready(tx, s, x)
}

// asks says whether a server offers something that can be listed.
func (x *exchange) asks(what string) bool {
	switch what {
	case mcp.MethodTools:
		return x.offers.Tools
	case mcp.MethodPrompts:
		return x.offers.Prompts
	}
	return x.offers.Resources
}

func (r *Servers) ask(tx *durable.Tx, s *Server, x *exchange, list mcp.List) {
	x.list = list
	r.call(tx, s, x, list)
}

func (r *Servers) listed(tx *durable.Tx, s *Server, x *exchange) error {
	a := x.receiver.Answer
	switch {
	case mcp.SessionEnded(s.Version, x.receiver.Status, a.Error) && !x.anew:
		x.anew = true
		r.initialize(tx, s, x, mcp.LegacyVersion)
		return nil
	case a.Error != nil && x.list.What != mcp.MethodTools:
		return r.nextList(tx, s, x, nil)
	case a.Error != nil:
		return a.Error
	case !a.Result.Exists():
		return errors.New(statusWords(x.receiver.Status))
	}
	page, err := mcp.ParseOutcome(x.list, mcp.ClientCapabilities{}, a.Result)
	if err != nil {
		return err
	}
	x.pages++
	switch p := page.(type) {
	case mcp.Tools:
		next, err := x.tools.Add(p)
		if err != nil {
			return err
		}
		return r.nextList(tx, s, x, next)
	case mcp.Prompts:
		for _, one := range p.Prompts[:min(len(p.Prompts), maxListed-len(x.offer.Prompts))] {
			x.offer.Prompts = append(x.offer.Prompts, promptOf(one))
		}
		return r.nextList(tx, s, x, p.Next)
	case mcp.Resources:
		for _, one := range p.Resources[:min(len(p.Resources), maxListed-len(x.offer.Resources))] {
			x.offer.Resources = append(x.offer.Resources, resourceOf(one))
		}
		return r.nextList(tx, s, x, p.Next)
	}
	return nil
}

// maxPages is how many pages are read of prompts and resources together.
const maxPages = 2 * mcp.MaxPages

// nextList goes on with the next page, or with what is listed next.
func (r *Servers) nextList(tx *durable.Tx, s *Server, x *exchange, next *string) error {
	if next != nil && x.pages < maxPages {
		r.ask(tx, s, x, mcp.List{What: x.list.What, Cursor: next})
		return nil
	}
	after := []string{mcp.MethodPrompts, mcp.MethodResources}
	switch x.list.What {
	case mcp.MethodPrompts:
		after = after[1:]
	case mcp.MethodResources:
		after = nil
	}
	for _, what := range after {
		if x.asks(what) {
			r.ask(tx, s, x, mcp.List{What: what})
			return nil
		}
	}
	return r.ready(tx, s, x)
}

// ready ends an exchange that has read all.
func (r *Servers) ready(tx *durable.Tx, s *Server, x *exchange) error {
	for _, left := range x.tools.Left[:min(len(x.tools.Left), 16)] {
		tx.Log(durable.Warn, "a tool of a server was left out", "server", s.Name, "tool", left.Name, "reason", left.Reason)
	}
	for _, l := range x.tools.Tools {
		x.offer.Tools = append(x.offer.Tools, toolOf(l))
	}
	if err := r.keep(tx, s, x.offer); err != nil {
		return err
	}
	fresh := min(max(x.tools.TTL, leastFresh), mostFresh)
	if x.tools.TTL == 0 && !mcp.Modern(s.Version) {
		fresh = usualFresh
	}
	if s.State != Ready { // else it is that of the last call
		s.Failure = ""
	}
	s.State, s.tries, s.ReadAt, s.StaleAt = Ready, 0, tx.Now, tx.Now+fresh
	if t := r.token(tx, s); t.SignIns > 0 {
		t.SignIns = 0
		t.save(tx, s)
	}
	r.end(tx, s, "")
	return nil
}

// fail ends an exchange. What the server has offered before is kept.
func (r *Servers) fail(tx *durable.Tx, s *Server, why string) {
	s.State, s.Failure, s.tries, s.StaleAt = Failed, why, 0, tx.Now+leastFresh
	r.end(tx, s, why)
}

func (r *Servers) end(tx *durable.Tx, s *Server, failure string) {
	r.stop(tx, s)
	forget(tx, s.ID, secretSignIn)
	s.save(tx)
	r.changed = true
	r.settle(tx, s, failure)
	r.tellOffers(tx)
	r.releaseTurn(tx)
}

// releaseTurn has the turn go on that waits for servers, if none is left to wait for.
func (r *Servers) releaseTurn(tx *durable.Tx) {
	if !r.holdsTurn(tx) && tx.Scheduled(Due, "") {
		tx.Unschedule(Due, "")
		r.config.TurnGoesOn(tx)
	}
}

// stop ends what is under way with a server.
func (r *Servers) stop(tx *durable.Tx, s *Server) {
	if x := r.exchanges[s.ID]; x != nil {
		if x.sent {
			tx.Do(durable.CancelFetch{Fetch: fetchName(s, x)})
		}
		delete(r.exchanges, s.ID)
	}
	r.cancel(tx, s)
	for _, kind := range []string{Due, DueSign} {
		if tx.Scheduled(kind, s.ID) {
			tx.Unschedule(kind, s.ID)
		}
	}
}

// Prepare asks the servers whose offer is missing or old. It says whether a turn has to wait for one. The
// turn is told when it need not wait any longer.
func (r *Servers) Prepare(tx *durable.Tx) (wait bool) {
	r.askStale(tx)
	if wait = r.holdsTurn(tx); wait {
		tx.Schedule(Due, "", tx.Now+patience)
	}
	return wait
}

// askStale asks the servers whose offer is missing or old.
func (r *Servers) askStale(tx *durable.Tx) {
	for _, s := range r.List(tx) {
		if s.State != Authenticating && (tx.Now >= s.StaleAt || s.rests(tx.Now)) {
			r.begin(tx, s, s.ReadAt > 0)
		}
	}
}

// holdsTurn says whether a turn has to wait for a server.
func (r *Servers) holdsTurn(tx *durable.Tx) bool {
	for _, x := range r.exchanges {
		if x.first && tx.Now < x.begun+patience {
			return true
		}
	}
	for _, e := range r.errands {
		if e.first && tx.Now < e.begun+patience {
			return true
		}
	}
	return false
}

// HandleDue handles an entry of the schedule.
func (r *Servers) HandleDue(tx *durable.Tx, due durable.Due) {
	id := due.ID
	switch due.Kind {
	case DueFrame:
		r.changed = true
		return
	case DueSign:
		r.signDue(tx, id)
		return
	case dueBelow:
		r.goOnBelow(tx, id)
		return
	}
	if id == "" {
		r.impatient = true
		r.config.TurnGoesOn(tx)
		return
	}
	s, x := r.Find(tx, id), r.exchanges[id]
	switch {
	case s == nil:
	case x != nil && x.rests:
		r.try(tx, s, x)
	case x != nil:
		r.fail(tx, s, "the server has not answered within a minute")
	case s.tries >= maxTries:
		r.fail(tx, s, "asking the server was interrupted several times")
	default:
		r.begin(tx, s, s.State == Ready)
	}
}

// Busy says whether something is under way that is lost with the memory.
func (r *Servers) Busy() bool { return len(r.exchanges)+len(r.errands)+len(r.below) > 0 }

// Bytes is roughly how much memory the servers take.
func (r *Servers) Bytes() (n int) {
	for _, s := range r.list {
		n += 512
		for _, t := range s.Offer.Tools {
			n += 256 + len(t.Description) + len(t.Input) + len(t.Output)
		}
	}
	return n
}

// UnheardFetch returns a name for a fetch whose events nobody hears.
func UnheardFetch(tx *durable.Tx) string { return fetchOf + "/" + tx.NewID() }
