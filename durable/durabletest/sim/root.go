package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check/client"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check/mcp"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check/object"
	officerules "github.com/tributary-agents/tributary/durable/durabletest/sim/check/office"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check/request"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/decide"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/hostile"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/lane"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/login"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/mode"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/model"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/office"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/people"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/profile"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/program"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/reply"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/servers"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/transcript"
)

// root is one root object with its helpers, its people, its model's server and its rules. The first
// root of an isolate may have neighbours. Trouble is decided by the first root, and hits all of
// them.
type root struct {
	seed        uint32
	subject     Subject
	methodCalls *contract.MethodCalls
	profile     profile.Profile
	engine      durabletest.Inspector
	world       *durabletest.World
	lanes       *lane.Set
	mode        *mode.Mode
	log         *transcript.Transcript
	people      *people.People
	model       *model.Server
	office      *office.Server
	servers     *servers.Server
	login       *login.Server
	programs    *program.Programs
	chooser     *decide.Chooser

	view     *check.View
	requests *request.Rules
	objects  *object.Rules
	clients  *client.Rules
	effects  *officerules.Rules
	foreign  *mcp.Rules
	rules    []rule

	// first is the first root of the isolate, or nil if this is it. neighbours and hostile are the
	// others that it has.
	first      *root
	neighbours []*root
	hostile    *hostile.Root

	// script are the decisions so far.
	script []string
	// events counts all events, heard those that were delivered, and traps those that have trapped.
	events, heard, traps int
	// trapped are the slots whose last event has trapped.
	trapped map[string]bool
	// sleptInTurn says that an object hibernated during a turn.
	sleptInTurn bool
	// version is that of the deployment.
	version int
	// outage is until when nothing can be written anywhere.
	outage int64
	// losing is the slot whose process dies when its next event has committed, or none. dies says
	// what dies with it.
	losing, dies string
	// presses counts how often people have signed in while the world came to rest.
	presses int
	// visits counts the people who came because nothing else would have woken the root.
	visits int
	// answered counts how often people have answered a call while the world came to rest.
	answered map[string]int
}

// newFirst returns the first root of an isolate.
func newFirst(subject Subject, seed uint32, log *transcript.Transcript) *root {
	r := &root{seed: seed, subject: subject, engine: subject.Engine(seed), log: log}
	if subject.MethodCalls != nil {
		r.methodCalls = subject.MethodCalls(seed)
	}
	r.profile = profile.New(seed, r.methodCalls)
	r.mode = &mode.Mode{Own: subject.Own, Servers: r.methodCalls != nil && r.methodCalls.Servers}
	if subject.Own != nil { // a test of a project has less time
		r.profile.Length /= 2
	}
	r.world = durabletest.NewWorld(r.engine, subject.Root, "room")
	for name, value := range subject.Vars {
		r.world.Set(name, value)
	}
	r.world.Set("MODEL_PROVIDER", "openai")
	r.world.Set("MODEL_BASE_URL", model.Address)
	r.world.Set("MODEL_NAME", "simulated")
	r.furnish(check.NewReport())
	r.chooser.Plan(r.profile.Planned...)
	return r
}

// newNeighbour returns another root in the isolate of the first.
func newNeighbour(first *root, number string) *root {
	seed := dice.New(first.seed, "neighbour", number).Seed()
	r := &root{
		seed: seed, subject: first.subject, methodCalls: first.methodCalls, engine: first.engine,
		log: first.log.Beside("beside " + number), first: first,
	}
	r.profile = profile.New(seed, r.methodCalls)
	r.profile.Faults, r.profile.Calm = nil, 0
	r.mode = &mode.Mode{Own: r.subject.Own, Questions: slices.Contains(r.profile.Planned, "questions"), Plans: slices.Contains(r.profile.Planned, "plans"), Office: first.mode.Office, Code: first.mode.Code, Servers: first.mode.Servers}
	r.world = first.world.Beside(r.subject.Root, "room-"+number)
	r.furnish(first.view.Beside())
	return r
}

// furnish makes everything around the world of a root.
func (r *root) furnish(report *check.Report) {
	r.losing, r.trapped, r.answered = check.NoSlot, map[string]bool{}, map[string]int{}
	r.lanes = lane.New()
	reader := stored.NewReader(r.engine)
	r.view = check.NewView(r.world, reader, report, r.mode, r.methodCalls)
	r.requests = request.New(r.view)
	r.objects = object.New(r.view, r.requests)
	r.clients = client.New(r.view)
	r.effects = officerules.New(r.view)
	r.foreign = mcp.New(r.view, r.effects.RunOf)
	r.rules = r.rulesOfEvents()
	r.model = model.New(r.seed, r.profile.Server, r.methodCalls != nil, r.mode, model.Config{
		World: r.world, Lanes: r.lanes, Observer: r.requests, Hidden: r.foreign.Hidden, Took: r.took,
	})
	r.office = office.New(r.seed, office.Config{Sender: r.sender(), Mode: r.mode, Observer: r.effects})
	r.login = login.New(r.seed, login.Config{Sender: r.sender(), Mode: r.mode, Wrong: r.foreign.Wrong})
	r.servers = servers.New(r.seed, servers.Config{Sender: r.sender(), Mode: r.mode, Observer: r.foreign, Login: r.login})
	r.programs = program.New(r.seed, program.Config{World: r.world, Lanes: r.lanes, View: r.view, Address: people.Address, Stamped: r.requests.IsStamped})
	r.world.Reader(r.programs.Read)
	r.people = people.New(people.Config{
		World: r.world, Lanes: r.lanes, View: r.view, Mode: r.mode, Log: r.log, Most: r.profile.Tabs, Took: r.took, Output: r.output, Happened: r.effects.Happened, Mounted: r.subject.Mounted,
	})
	r.chooser = decide.New(r.seed, decide.Config{
		World: r.world, Lanes: r.lanes, People: r.people, Profile: r.profile, Mode: r.mode, Stored: reader, Happened: r.office.Applied, Visits: r.login.Visits,
	})
	r.world.Hold(r.witness)
}

// sender sends the answers of one server.
func (r *root) sender() *reply.Sender {
	return &reply.Sender{World: r.world, Lanes: r.lanes, Took: r.took}
}

// output returns the result of a tool in the browser: what fits its schema, or a text.
func (r *root) output(tool, call string) json.RawMessage {
	schema := r.mode.Own.Client[tool]
	if schema == nil {
		schema = json.RawMessage(`{"type":"string"}`)
	}
	return r.model.Draw(dice.New(r.seed, "output", call), schema)
}

// moveIn adds a neighbour to the isolate.
func (r *root) moveIn() {
	if r.first != nil {
		return
	}
	n := newNeighbour(r, strconv.Itoa(len(r.neighbours)+1))
	r.neighbours = append(r.neighbours, n)
	r.chooser.Beside = append(r.chooser.Beside, n.chooser)
}

// invite adds a hostile root to the isolate.
func (r *root) invite() {
	if r.first != nil || r.hostile != nil {
		return
	}
	r.hostile = hostile.New(hostile.Config{
		World: r.world.Beside(r.subject.Root, "hostile"), Storage: r.view.Storage, Address: people.Address, Report: r.view.Report,
		Others: func() (others []hostile.Other) {
			for _, n := range r.everyone() {
				others = append(others, hostile.Other{World: n.world, Traps: n.traps})
			}
			return others
		},
	})
}

// everyone returns the roots of the isolate that are not hostile.
func (r *root) everyone() []*root {
	if r.first != nil {
		return r.first.everyone()
	}
	return append([]*root{r}, r.neighbours...)
}

// any makes all roots of the isolate do something, and says whether any of them had something to
// do.
func (r *root) any(do func(*root) bool) bool {
	did := false
	for _, n := range r.everyone() {
		did = do(n) || did
	}
	return did
}

// enemy returns the hostile root of the isolate, or nil.
func (r *root) enemy() *hostile.Root { return r.everyone()[0].hostile }

// hasFailed says whether a rule is broken.
func (r *root) hasFailed() bool { return r.view.Failure != nil }

// allLanes returns all lanes that have something on its way.
func (r *root) allLanes() []string { return append(r.lanes.Names(), r.world.Lanes()...) }

// took calls a function that delivers an event, and says whether the event was handled without a
// trap.
func (r *root) took(deliver func()) bool {
	heard, traps := r.heard, r.traps
	deliver()
	return r.heard > heard && r.traps == traps
}

// witness sees every handled event: it performs the commands, and checks the rules.
func (r *root) witness(h durabletest.HandledEvent) {
	r.events++
	r.log.Happened(h)
	if h.Opened {
		r.view.Openings[h.Object]++
		r.abandon(h)
	}
	if e, ok := h.Event.(durable.SocketOpened); ok && h.Trap == nil {
		r.people.Opened(e.Conn)
	}
	if e, ok := h.Event.(durable.CallReceived); ok && h.Trap == nil && people.Clears(e.Data) && r.view.Number(h.Object, `SELECT COUNT(*) FROM message`) == 0 {
		r.people.Cleared(e.Data)
	}
	if e, ok := h.Event.(durable.SocketMessage); ok && h.Trap == nil && people.IsClear(e.Text) {
		r.programs.Cleared()
	}
	for _, c := range h.Commands[:h.Performed] {
		r.perform(h.Slot, c)
	}
	r.requests.NotAsked(h)
	if h.Event != nil {
		r.heard++
	}
	if h.Trap != nil {
		r.traps++
		r.failSender(h.Event)
	}
	r.trapped[h.Slot] = h.Trap != nil
	e := r.view.Event(h)
	for _, holds := range r.rules {
		if r.hasFailed() {
			return
		}
		r.view.Checks++
		holds(e)
	}
	switch {
	case r.view.Armed != h.Slot:
	case h.Event != nil:
		r.disarm()
	case h.Trap == nil: // opening has changed the storage, and the trap is still to come
		r.view.Before = ""
	}
	r.requests.AttemptCounted(h)
	switch {
	case errors.Is(h.Trap, durabletest.ErrKilled):
		r.crash()
	case h.Performed < len(h.Commands):
		r.die(h.Slot)
	}
}

// perform brings a command to its receiver.
func (r *root) perform(slot string, c durable.Command) {
	switch c := c.(type) {
	case durable.Send:
		for _, conn := range c.To {
			r.people.Send(conn, c.Text)
		}
	case durable.Close:
		r.people.Close(c.Conn, c.Code)
	case durable.Respond:
		r.people.Respond(c.Request, c.Status, c.Body)
		r.programs.Respond(c.Request, c.Status, c.Body)
		r.login.Respond(c)
	case durable.Begin:
		r.programs.Begin(c.Request)
	case durable.OpenStream:
		lane, starts := path.Join(slot, c.From.Slot)+":"+c.Stream, bytes.Contains(c.Data, []byte("run.start"))
		if r.world.Now() < r.mode.ShakyUntil && decide.IsSupervision(lane) && !starts {
			r.world.Cut(lane)
		}
	case durable.Fetch:
		server, ofServer := contract.ServerOf(c)
		switch {
		case ofServer:
			r.servers.Serve(slot, server, c)
		case contract.ToLogin(c):
			r.login.Serve(slot, c)
		case r.mode.Own != nil && !model.IsAsked(c):
			r.model.Serve(slot, c)
		case contract.ToStamps(c):
			r.model.Stamp(slot, c, func() { r.requests.Stamped(string(c.Body)) })
		case contract.ToOffice(c):
			r.office.Serve(slot, c)
		case !contract.FromTool(c):
			r.model.Answer(slot, c)
		}
	case durable.CancelFetch:
		r.requests.HungUp(r.world.Object(slot), c.Fetch)
		r.model.Cancel(slot, c.Fetch)
	}
}

// abandon ends everything that an object had begun before it was opened again: its requests to the
// model, and the requests that wait for it, but for the one that opens it.
func (r *root) abandon(h durabletest.HandledEvent) {
	r.model.Abandon(h.Slot)
	if h.Slot == "" {
		arriving, _ := h.Event.(durable.RequestReceived)
		r.people.RefuseWaiting(503, arriving.Request)
		r.programs.Lose(arriving.Request)
		r.login.Lose(arriving.Request)
	}
}

// failSender does what the platform does to the sender of an event that has trapped.
func (r *root) failSender(e durable.Event) {
	switch e := e.(type) {
	case durable.SocketOpened:
		r.people.Close(e.Conn, 1011)
	case durable.SocketMessage:
		r.people.Close(e.Conn, 1011)
	case durable.RequestReceived:
		r.people.Respond(e.Request, 500, nil)
		r.programs.Respond(e.Request, 500, nil)
		r.login.Respond(durable.Respond{Request: e.Request, Status: 500})
	}
}
