package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/browser"
)

// do carries out one decision. What it speaks of may be gone, when a script was
// shortened: then nothing happens.
//
//	deliver LANE [BYTES]  the next thing on a lane arrives; at most so many bytes of a stream
//	tick                  the next timer or alarm goes off, of an object or of a tab
//	open                  a person opens another tab
//	drill CLASS RUN       and another one, on a helper's page
//	close, reload TAB     closes it; loads its page anew
//	say TAB TEXT          types and presses enter
//	stop, regenerate, clear TAB
//	answer TAB CALL yes|no  approves or denies a call
//	meddle TAB CALL       a tab gives a result for a tool of the server, which the tab shows to be open
//	resend TAB            the page sends its last request again on the same connection
//	result TAB CALL       a tool in the browser has a result, for a call that the tab shows to be open
//	submit TAB MODE ID KEY TEXT  has the root answer a text, as runTurn; "-" is no id, and no key
//	withdraw TAB ID         cancels what was submitted
//	schedule TAB ID KIND MS DOES  has a callback called, see [ScheduleRequest]
//	unschedule TAB ID
//	evict SLOT            the platform takes an object's memory
//	retire                the instance in which all objects live is replaced
//	crash, deploy         everyone's memory is lost, and the sockets; variables are read anew
//	trap SLOT N           the next event of an object traps, at its statement N
//	full SLOT             nothing can be written any more, until it is full again no more
//	cut LANE              a call, a stream or an answer of the model breaks
//	mute LANE             a call or a stream between objects falls silent, and nobody is told
//	shaky MS              for so long each stream of a run breaks as it is opened
//	drop TAB              a connection is lost
//	break TAB             a connection is lost while the page is frozen, which hears what was on its way to it before
//	echo TAB              the page sends its last probe again on the same connection
//	jump MS               the clock on the wall is set
//	lose SLOT N WHOM      the process dies when the object's next event has committed and N of its commands
//	                      are performed; WHOM is everyone, or a helper alone
//	sever LANE            what cut breaks, and a request for messages
//	outage MS             nothing can be written anywhere for so long
//	giveup                nothing can be written until the platform has given the root's alarm up
//	questions             from now on the model likes to ask several things of people at once
//	workshop              the root offers tools that use more of package flow, see [WorkshopVar]
//	plans                 from now on the root's model likes to have a helper plan, which asks people
//	tokens MS             from now on sockets are opened with tokens that end so much later
//	neighbour, hostile    another root in the same isolate; one that does harm
//	beside N DECISION     a decision about a neighbour
//	attack KIND BYTES     the hostile one sends something, see [hostile]
func (s *Sim) do(decision string) {
	s.script = append(s.script, decision)
	s.log.decided(decision)
	s.endOutage()
	verb, rest, _ := strings.Cut(decision, " ")
	first, second, _ := strings.Cut(rest, " ")
	slot := strings.TrimPrefix(first, "root")
	switch verb {
	case "deliver":
		s.deliver(first, second)
	case "tick":
		s.tick()
	case "open", "drill":
		s.open(rest)
	case "evict":
		s.world.Evict(slot)
	case "retire":
		for _, n := range s.everyone() {
			n.world.Retire()
		}
	case "crash":
		s.crash()
	case "deploy": // of the same code: every instance is replaced by one that reads its variables anew
		s.version++
		s.world.Set("VERSION", strconv.Itoa(s.version))
		s.crash()
	case "lose":
		s.lose(slot, second)
	case "sever":
		s.sever(first)
	case "outage":
		s.beginOutage(int64(number(first)))
	case "giveup":
		s.giveUpAlarm()
	case "questions":
		s.asking = true
	case "workshop":
		s.workshop = true
		s.world.Set(WorkshopVar, "open")
	case "plans":
		s.plans = true
	case "tokens":
		s.tokens = int64(number(first))
	case "neighbour":
		s.moveIn()
	case "hostile":
		s.invite()
	case "beside":
		if at := number(first); at > 0 && at <= len(s.neighbours) {
			s.neighbours[at-1].do(second)
		}
	case "attack":
		s.hostile.attack(first, number(second))
	case "trap":
		s.arm(slot, number(second))
	case "full":
		s.fill(slot)
	case "shaky":
		s.shaky = s.world.Now() + int64(number(first))
	case "cut":
		s.cut(first)
	case "mute":
		if isLookedAfter(first) {
			s.mute(first)
		}
	case "jump":
		if !s.any(func(n *Sim) bool { return n.hurried() != "" }) {
			s.jump(int64(number(first)))
		}
	default:
		if t := s.tab(first); t != nil {
			s.person(verb, t, second)
		}
	}
}

func number(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		return 0
	}
	return n
}

func (s *Sim) deliver(lane, most string) {
	switch {
	case s.inFlight.deliver(lane):
	case most != "":
		s.world.Deliver(lane, number(most))
	default:
		s.world.Deliver(lane)
	}
}

// prompt is how long a connection may keep something on its way, in milliseconds. One that
// takes longer is a connection that is lost.
const prompt = 2_000

// tick lets the next thing that falls due happen, to whom of the isolate ever, or what is on its
// way over a connection, if it is too long until then.
func (s *Sim) tick() {
	var who *Sim
	var when int64
	for _, n := range s.everyone() {
		if at, ok := n.falls(); ok && (who == nil || at < when) {
			who, when = n, at
		}
	}
	for _, n := range s.everyone() {
		if lane := n.hurried(); lane != "" && when > s.world.Now()+prompt {
			n.inFlight.deliver(lane)
			return
		}
	}
	if h := s.enemy(); h.falls(when, who != nil) {
		h.tick()
		return
	}
	if who == nil {
		return
	}
	for _, n := range s.everyone() { // only now does that time pass
		n.hibernate(when)
	}
	who.tickOwn()
}

// falls returns when the next thing falls due to this one, of the world or of a tab.
func (s *Sim) falls() (at int64, ok bool) {
	at, ok = s.world.Due()
	for _, t := range s.tabs {
		if t.page != nil && t.page.Due() < forever && (!ok || t.page.Due() < at) {
			at, ok = t.page.Due(), true
		}
	}
	if v := s.model.nextWord(); v != nil && (!ok || v.next < at) {
		at, ok = v.next, true
	}
	return at, ok
}

// tickOwn lets it happen.
func (s *Sim) tickOwn() {
	at, ok := s.world.Due()
	var first *tab
	for _, t := range s.tabs {
		if t.page != nil && (!ok && first == nil && t.page.Due() < forever || t.page.Due() < at) {
			first, at, ok = t, t.page.Due(), true
		}
	}
	if v := s.model.nextWord(); v != nil && (!ok || v.next < at) {
		s.world.Advance(v.next)
		s.model.speak(v)
		return
	}
	if first == nil {
		s.world.Tick()
		return
	}
	s.world.Advance(at)
	first.page.Tick()
	s.attend(first)
}

// hurried returns a connection on which something is under way.
func (s *Sim) hurried() string {
	for _, t := range s.tabs {
		for _, lane := range []string{string(t.conn) + ">", string(t.conn) + "<"} {
			if t.connected() && len(s.inFlight.items[lane]) > 0 {
				return lane
			}
		}
	}
	return ""
}

const forever = 1 << 62

func (s *Sim) tab(name string) *tab {
	i := slices.IndexFunc(s.tabs, func(t *tab) bool { return t.name == name })
	if i < 0 {
		return nil
	}
	return s.tabs[i]
}

// open opens a tab, if there is somebody to look at it. where is a helper's class and run,
// or "".
func (s *Sim) open(where string) {
	if len(s.tabs) >= s.profile.people && !s.settling {
		return
	}
	s.opened++
	t := &tab{name: name(s.opened)}
	if class, run, ok := strings.Cut(where, " "); ok {
		t.path = drillPath(class, run)
	}
	s.tabs = append(s.tabs, t)
	s.mount(t)
}

// drillPath is the path of a helper's page.
func drillPath(class, run string) string {
	return fmt.Sprintf("/sub/%s/%s", class, strings.ReplaceAll(run, "/", "%2F"))
}

// name gives tabs short names: a, b, ..., z, aa.
func name(n int) string {
	if n <= 26 {
		return string(rune('a' + n - 1))
	}
	return name((n-1)/26) + name((n-1)%26+1)
}

// person lets a person do something in a tab.
func (s *Sim) person(verb string, t *tab, text string) {
	page := t.page
	switch verb {
	case "close":
		s.leave(t)
		s.tabs = slices.DeleteFunc(s.tabs, func(have *tab) bool { return have == t })
		return
	case "reload":
		s.reload(t)
		return
	}
	if page == nil {
		return
	}
	switch verb {
	case "echo":
		if t.conn != "" && t.probed == t.conn {
			s.post(t, t.probe)
		}
	case "break":
		s.breakOff(t)
		return
	case "drop":
		if t.conn != "" {
			s.drop(t)
		}
	case "say":
		if !page.Busy() && patient(page) && !page.Buffered() {
			page.Send(text)
		}
	case "regenerate":
		if t.path == "" && !page.Busy() && len(page.Messages) > 0 {
			s.checks.anew = true
			page.Regenerate()
		}
	case "stop":
		page.Stop()
	case "answer":
		if id, yes, _ := strings.Cut(text, " "); slices.Contains(page.Asks(), id) && page.Identified {
			page.Approve(id, yes == "yes")
		}
	case "result":
		s.giveResult(t, text)
	case "meddle":
		s.meddle(t, text)
	case "resend":
		if t.conn != "" && t.askedOn == t.conn {
			s.post(t, t.asked)
		}
	case "submit", "withdraw", "schedule", "unschedule":
		s.doMethodCall(verb, t, text)
	case "clear":
		if page.Identified && !page.Stopping() {
			t.clearing = true
			page.Clear()
		}
	}
	s.attend(t)
}

// patient says that a person does not type in the moment between the connection and the
// transcript that comes with it, nor in the one between a stop and the end that it brings.
// The client would lose what was typed until the next transcript, also with its own server.
func patient(page *browser.Tab) bool { return page.Identified == page.Open() && !page.Stopping() }

// crash takes the process with everything in it.
func (s *Sim) crash() {
	for _, n := range s.everyone() {
		n.crashOwn()
	}
	s.enemy().crash()
}

// crashOwn takes what this one has in it.
func (s *Sim) crashOwn() {
	s.disarm()
	s.losing = unarmed
	s.world.Crash()
	for _, t := range s.tabs {
		if t.conn != "" {
			s.drop(t)
		}
		if t.request != "" {
			s.inFlight.lose(t.name + ".get>")
			s.respond(t.request, 502, nil)
		}
	}
	s.model.abandonAll()
	clear(s.checks.met)
	for _, lane := range slices.Clone(s.inFlight.lanes) { // of tabs that had given up
		if strings.HasSuffix(lane, ">") {
			s.inFlight.lose(lane)
		}
	}
	for _, t := range s.tabs {
		s.attend(t)
	}
}

// cut breaks what a lane is part of.
func (s *Sim) cut(lane string) {
	if s.model.cut(lane) || s.world.Cut(lane) {
		return
	}
	conn := durable.ConnID(strings.TrimRight(lane, "<>"))
	if t := s.holder(conn); t != nil {
		s.drop(t)
	}
}
