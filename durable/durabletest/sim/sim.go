package sim

import (
	"fmt"
	"path"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/browser"
)

// Subject is what is simulated.
type Subject struct {
	// Root is the class of the root. Its helpers' classes are the engine's to know.
	Root string
	// Engine makes an engine; its randomness is the seed's.
	Engine func(seed uint32) durabletest.Inspector
	// Vars are variables of the deployment. They must not choose another model than the
	// simulator's.
	Vars map[string]string
	// Mounted is told of every page that a tab has loaded, and of the messages that it
	// begins with. It may be nil.
	Mounted func(page *browser.Tab, messages []byte)
	// MethodCalls says what people on a seed do that no button of the page does, or nothing. It may
	// be nil.
	MethodCalls func(seed uint32) *MethodCalls
	// Forgetful has objects hibernate as soon as they may.
	Forgetful bool
}

// Sim is one world on its way.
type Sim struct {
	seed    uint32
	profile profile
	world   *durabletest.World
	// root is the class of the root.
	root     string
	engine   durabletest.Inspector
	dice     dice
	inFlight *inFlight
	tabs     []*tab
	opened   int
	model    *endpoint
	checks   *checkState
	// heard counts what was delivered, traps what of that has trapped; armed is the slot
	// whose next event does.
	heard, traps int
	armed        string
	// version is the deployment's.
	version int
	// sleptInTurn says that an object hibernated while a turn of its was open.
	sleptInTurn bool
	// sets is how often the clock on the wall was set, leapt by how much in all, in milliseconds.
	sets  int
	leapt int64
	// setBack is by how much it was set back in all.
	setBack int64
	// settling says that no more trouble comes.
	settling bool
	script   []string
	events   int
	checked  int
	failure  *Failure
	known    map[string]int
	log      *transcript
	mounted  func(*browser.Tab, []byte)
	// forgetful is the subject's, and so are methodCalls, which may be nil.
	forgetful   bool
	methodCalls *MethodCalls
	// neighbours are the others in the same isolate, each a world of its own; first is the one
	// whose neighbours they are, or nil.
	neighbours []*Sim
	first      *Sim
	// hostile is one that does harm to the others, or nil.
	hostile *hostile
	// planned is what is decided before anything else.
	planned []string
	// asking says that the model likes to ask several things of people at once.
	asking bool
	// workshop says that the root offers tools that use more of package flow.
	workshop bool
	// plans says that the root's model likes to have a helper plan.
	plans bool
	// tokens is how long the token of a socket is good, in milliseconds, or 0 where none is needed.
	tokens int64
	// outage is until when nothing can be written anywhere.
	outage int64
	// shaky is until when each stream of a run breaks as it is opened.
	shaky int64
	// alarmsLost says that an alarm may have been given up, or lost before it was set.
	alarmsLost bool
	// visits counts who came because nothing would have woken the root.
	visits int
	// losing is the slot whose process dies when its next event has committed, or unarmed.
	losing, dies string
	// submitted, ordered and orders are what people have asked for, calls counts how often they have
	// called a method.
	submitted []submission
	ordered   []string
	orders    []ScheduleRequest
	calls     int
}

// Failure says that an invariant does not hold.
type Failure struct {
	// Invariant is its number, or a word for what is expected beside the twelve.
	Invariant string
	Message   string
	// kind tells failures apart that mean something else.
	kind string
}

func (f Failure) Error() string { return f.Invariant + ": " + f.Message }

func newSim(subject Subject, seed uint32) *Sim {
	var methodCalls *MethodCalls
	if subject.MethodCalls != nil {
		methodCalls = subject.MethodCalls(seed)
	}
	s := &Sim{
		seed: seed, profile: newProfile(seed, methodCalls), methodCalls: methodCalls, engine: subject.Engine(seed), dice: newDice(seed, "decisions"), inFlight: newInFlight(),
		known: map[string]int{}, log: newTranscript(), armed: unarmed, losing: unarmed, mounted: subject.Mounted, forgetful: subject.Forgetful,
	}
	s.world = durabletest.NewWorld(s.engine, subject.Root, "room")
	s.root = subject.Root
	s.planned = slices.Clone(s.profile.planned)
	s.model = newEndpoint(s)
	s.checks = newCheckState()
	for name, value := range subject.Vars {
		s.world.Set(name, value)
	}
	s.world.Set("MODEL_PROVIDER", "openai")
	s.world.Set("MODEL_BASE_URL", "http://model.test/v1")
	s.world.Set("MODEL_NAME", "simulated")
	s.world.Hold(s.witness)
	return s
}

// fail notes that an invariant does not hold, unless that is known. The first failure
// counts.
func (s *Sim) fail(invariant, format string, args ...any) {
	f := &Failure{Invariant: invariant, Message: fmt.Sprintf(format, args...), kind: invariant + format}
	if k, ok := accepted(f); ok {
		s.known[k.name]++
		return
	}
	if s.failure == nil {
		s.failure = f
	}
	if s.first != nil && s.first.failure == nil {
		s.first.failure = f
	}
}

// took says whether what is told was heard, and not lost by a trap.
func (s *Sim) took(tell func()) bool {
	heard, traps := s.heard, s.traps
	tell()
	return s.heard > heard && s.traps == traps
}

// hibernation is how long an object may have nothing to do before the platform takes its
// memory, in milliseconds.
const hibernation = 10_000

// hibernate has what has had nothing to do until a time leave memory, where that is asked for.
func (s *Sim) hibernate(until int64) {
	if !s.forgetful {
		return
	}
	for _, slot := range s.world.Forget(until - hibernation) {
		if slices.ContainsFunc(s.turns(s.world.Object(slot)), func(t turnRow) bool { return t.status == "running" }) {
			s.everyone()[0].sleptInTurn = true
		}
	}
}

// witness sees every event that has happened: what leaves the objects goes on its way,
// and the invariants are checked.
func (s *Sim) witness(h durabletest.HandledEvent) {
	s.events++
	s.log.happened(h)
	if h.Opened {
		s.abandon(h)
	}
	if e, ok := h.Event.(durable.SocketOpened); ok && h.Trap == nil {
		s.toTab(e.Conn, func(t *tab) { t.page.Opened() })
	}
	for _, c := range h.Commands[:h.Performed] {
		s.perform(h.Slot, c)
	}
	s.model.unasked(h)
	if h.Event != nil {
		s.heard++
	}
	if h.Trap != nil {
		s.traps++
		s.lost(h.Event)
	}
	s.checks.trapped[h.Slot] = h.Trap != nil
	s.checks.turns, s.checks.runs = nil, nil
	if h.Trap == nil && s.made(h.Object) {
		s.checks.turns, s.checks.runs = s.turns(h.Object), s.runs(h.Object)
	}
	s.checks.sent, s.checks.conns = s.readAll(h.Commands), s.left(h.Commands)
	for _, c := range checks {
		if s.failure != nil {
			return
		}
		s.checked++
		c(s, h)
	}
	switch {
	case s.armed != h.Slot:
	case h.Event != nil:
		s.disarm()
	case h.Trap == nil: // its opening has changed what is stored, and the statement that traps is still to come
		s.checks.before = ""
	}
	s.model.charged(h)
	if h.Performed < len(h.Commands) {
		s.die(h.Slot)
	}
}

// perform hands what a command sends to whom it is for.
func (s *Sim) perform(slot string, c durable.Command) {
	switch c := c.(type) {
	case durable.Send:
		for _, conn := range c.To {
			s.toTab(conn, func(t *tab) { t.hear(s, c.Text) })
		}
	case durable.Close:
		s.toTab(c.Conn, func(t *tab) { s.closed(t, c.Code) })
	case durable.Respond:
		s.respond(c.Request, c.Status, c.Body)
	case durable.OpenStream:
		if lane := path.Join(slot, c.From.Slot) + ":" + c.Stream; s.world.Now() < s.shaky && isLookedAfter(lane) {
			s.world.Cut(lane)
		}
	case durable.Fetch:
		if !ofTool(c) {
			s.model.begin(slot, c)
		}
	case durable.CancelFetch:
		s.model.hungUpOn(s.world.Object(slot), c.Fetch)
		s.model.cancel(slot, c.Fetch)
	}
}

// abandon ends what an object's earlier memory had begun, and the requests that waited for
// it, but for the one that just arrives.
func (s *Sim) abandon(h durabletest.HandledEvent) {
	s.model.abandon(h.Slot)
	if h.Slot != "" {
		return
	}
	arriving, _ := h.Event.(durable.RequestReceived)
	for _, t := range s.tabs {
		if t.request != "" && t.request != arriving.Request {
			s.respond(t.request, 503, nil)
		}
	}
}

// lost does for whoever sent an event that trapped what the platform does.
func (s *Sim) lost(e durable.Event) {
	switch e := e.(type) {
	case durable.SocketOpened:
		s.toTab(e.Conn, func(t *tab) { s.closed(t, 1011) })
	case durable.SocketMessage:
		s.toTab(e.Conn, func(t *tab) { s.closed(t, 1011) })
	case durable.RequestReceived:
		s.respond(e.Request, 500, nil)
	}
}
