package sim

import (
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
)

// endpoint is the model's server. What it answers depends on the seed, on what is asked,
// and on how often that was asked before; so it does not change when something else in
// the world goes another way.
type endpoint struct {
	sim *Sim
	// times counts how often a question was put, bought how often its answer arrived
	// whole and was kept.
	times, bought map[string]int
	calls         map[string]toolCall
	// said is what a model call has said, over all attempts at it.
	said map[string]string
	// failed is how the last answer of an object has gone, by its storage.
	failed map[string]bool
	// silent is since when the objects wait that have heard nothing of their models.
	silent map[string]modelWait
	// counted are the attempts that the objects' turns had counted when they were looked at last.
	counted map[string]attempts
	// hanging are fetches of which nothing more comes.
	hanging []*serving
	// thoughts is what the models have thought in one answer each, as far as it may have come.
	thoughts map[string]bool
	// dawdling are those of which something comes now and then.
	dawdling []*serving
	// attempts are the last requests of model calls, by what [told] calls them.
	attempts map[string]*attempt
	// busyUntil is when model calls may be asked again that were refused.
	busyUntil map[string]int64
}

// serving is one request that is being answered.
type serving struct {
	slot, object, fetch string
	question            question
	answer              answer
	// begun is the event of it that has not arrived whole.
	begun string
	// since is when it began, next when a slow one brings something.
	since monotonicTime
	next  int64
}

func newEndpoint(s *Sim) *endpoint {
	return &endpoint{
		sim: s, times: map[string]int{}, bought: map[string]int{}, calls: map[string]toolCall{}, said: map[string]string{}, failed: map[string]bool{},
		silent: map[string]modelWait{}, counted: map[string]attempts{}, attempts: map[string]*attempt{}, thoughts: map[string]bool{}, busyUntil: map[string]int64{},
	}
}

func lane(slot, fetch string) string { return slot + "/" + fetch }

// begin answers a request.
func (e *endpoint) begin(slot string, f durable.Fetch) {
	q, err := parseQuestion(f.Body)
	if err != nil {
		e.sim.fail("I8", "a request to the model is no JSON: %v", err)
		return
	}
	e.check(q)
	if slot == "" {
		e.checkHistory(q)
	}
	v := &serving{slot: slot, object: e.sim.world.Object(slot), fetch: f.Fetch, question: q}
	e.checkTold(v)
	e.waits(v.object, v.fetch)
	v.answer = e.answer(q)
	e.askedForReason(v)
	e.askedInTime(v)
	e.times[q.key()]++
	for _, c := range v.answer.calls {
		c.step = told(v.object, v.fetch)
		e.keepCall(c)
	}
	e.thought(v.answer)
	e.cancel(slot, f.Fetch)
	for i, piece := range v.answer.pieces {
		e.sim.inFlight.post(lane(slot, f.Fetch), func() { e.arrive(v, i, named(f.Fetch, piece)) })
	}
	switch {
	case v.answer.every > 0:
		v.since, v.next = e.sim.moment(), e.sim.world.Now()+v.answer.every
		e.dawdling = append(e.dawdling, v)
	case v.answer.whole < 0:
		e.hanging = append(e.hanging, v)
	}
}

// keepCall notes a call that the model makes, by each key that it can be told of by.
func (e *endpoint) keepCall(c toolCall) {
	broken := toolCall{name: c.name, input: "{}"} // one that broke off in the middle of its input is told without it
	e.calls[c.content()], e.calls[broken.content()] = c, c
	if !e.sim.profile.counts { // else it is that of another answer, too
		e.calls[c.id] = c
	}
}

// arrive lets one piece arrive, and notes when an answer was kept.
func (e *endpoint) arrive(v *serving, i int, piece durable.Event) {
	e.failed[v.object] = v.answer.fault || i < 0
	e.attended(v)
	wanted, before := false, tokens{}
	if i == v.answer.whole {
		before = e.sim.costOf(v.object)
	}
	took := e.sim.took(func() { wanted = e.sim.world.Fetched(v.slot, v.fetch, piece) })
	if !wanted {
		e.cancel(v.slot, v.fetch)
	}
	if !wanted || !took {
		return
	}
	e.heard(v, piece)
	e.isBusy(v, i)
	if i == v.answer.whole {
		e.costs(v.object, before)
		e.spoke(v.object, v.fetch)
		e.keep(v)
	}
}

// keep notes that an answer has arrived whole.
func (e *endpoint) keep(v *serving) {
	key := v.object + "\x00" + v.fetch
	e.bought[key]++
	e.bought[v.question.identity()]++
	e.keptOnce(v)
}

func (e *endpoint) cancel(slot, fetch string) {
	e.sim.inFlight.lose(lane(slot, fetch))
	e.stopDawdling(slot, fetch)
}

// answer decides what a question gets.
func (e *endpoint) answer(q question) answer {
	n := e.times[q.key()]
	d := newDice(e.sim.seed, "answer", q.key(), strconv.Itoa(n))
	a := answer{whole: -1, workshop: e.sim.workshop, serverHabits: e.sim.profile.serverHabits}
	a.head(200, map[string]string{"content-type": "text/event-stream"})
	if d.chance(4) {
		a.think(d)
	}
	tools := usable(q.Tools)
	people := e.sim.forPeople(tools)
	tools = slices.DeleteFunc(tools, tool.asks)
	if e.sim.plans {
		tools = planning(tools)
	}
	if e.sim.settling && e.sim.methodCalls != nil && q.noticed() { // else what comes of a run begins others for ever
		tools, people = nil, nil
	}
	if len(people) > 0 && d.under(3) > q.rounds() {
		a.askPeople(d, people, tools)
		a.finish("tool_calls")
	} else if len(tools) > 0 && d.under(4) > q.rounds()*2 {
		tools = preferred(d, tools)
		if d.chance(2) {
			a.delta(map[string]any{"content": d.word() + ". "})
		}
		a.ask(d, tools)
		a.finish("tool_calls")
	} else {
		a.text(d, q)
		a.finish("stop")
	}
	if !e.sim.settling {
		a = e.spoil(d, a)
	}
	a = e.slow(newDice(e.sim.seed, "slow", q.key(), strconv.Itoa(n)), a)
	a.shred(d)
	if e.sim.settling || d.chance(10) { // what nothing can come between any more need not come in many pieces
		a.gather()
	}
	return a
}

// spoil lets an answer fail, if the seed wants it to.
func (e *endpoint) spoil(d dice, a answer) answer {
	if !d.chance(e.sim.profile.faultyModel) {
		return a
	}
	kinds := []string{"busy", "broken", "unreachable", "cut", "short", "silent", "refused"}
	bad := answer{whole: -1, fault: true}
	switch kind := kinds[d.under(len(kinds))]; kind {
	case "busy":
		seconds := 1 + d.under(4)
		bad.retryAfter = int64(seconds) * 1_000
		bad.head(429, map[string]string{"retry-after": strconv.Itoa(seconds)})
		bad.pieces = append(bad.pieces, durable.FetchEnded{})
	case "broken", "refused":
		bad.head(map[string]int{"broken": 500, "refused": 400}[kind], nil)
		bad.data(`{"error":{"message":"no ` + d.word() + `"}}`)
		bad.pieces = append(bad.pieces, durable.FetchEnded{})
	case "unreachable":
		bad.pieces = append(bad.pieces, durable.FetchFailed{Error: "connection refused"})
	case "cut":
		a.cut(1+d.under(len(a.pieces)-2), durable.FetchFailed{Error: "connection reset"})
		return a
	case "short":
		a.cut(1+d.under(len(a.pieces)-4), durable.FetchEnded{})
		return a
	case "silent":
		a.cut(d.under(len(a.pieces)-2), nil)
		return a
	}
	return bad
}

// hungUp is no piece of an answer, but its end.
const hungUp = -2

// release ends what hangs.
func (e *endpoint) release() {
	for _, v := range e.hanging {
		f := durable.FetchFailed{Fetch: v.fetch, Error: "the connection was idle for too long"}
		e.sim.inFlight.post(lane(v.slot, v.fetch), func() { e.arrive(v, hungUp, f) })
	}
	e.hanging = nil
}
