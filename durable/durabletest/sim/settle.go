package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check/object"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/people"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// maxSettling is how many steps a world may take to come to rest. A world that takes more does not end. Repeated
// schedules may always have something due: people answer what is open behind answersFrom steps, and end those schedules
// behind endsFrom. They answer code behind codeFrom, because the other calls of the code may take long.
const (
	maxSettling = 12_000
	answersFrom = 3_000
	endsFrom    = 1_500
	codeFrom    = 400
)

// maxTraps is how many events may trap while the world comes to rest: what traps is tried again a few times, and
// then given up.
const maxTraps = 200

// settle lets the isolate come to rest: no trouble is made any more, the model answers, and
// everything arrives.
func (r *root) settle() {
	for _, n := range r.everyone() {
		n.mode.Settling, n.outage, n.losing = true, 0, check.NoSlot
		n.world.Lose("", never)
		n.heal()
	}
	r.hostile.Leave()
	before := r.allTraps()
	for n := range maxSettling {
		switch {
		case r.hasFailed():
			return
		case r.allTraps()-before > maxTraps:
			r.view.Fail("I6", "what traps is tried again and again")
		case r.any((*root).deliverAll):
		case r.any(func(n *root) bool {
			return n.model.EndHanging() || n.office.EndSilence() || n.servers.EndSilence() || n.login.EndSilence()
		}):
		case r.any(func(n *root) bool { return n.programs.GoOn() }):
		case n > answersFrom && r.any((*root).answerOpen):
		case n > endsFrom && r.any((*root).endRepeated):
		case r.any((*root).signalWanted):
		case r.any((*root).isPatient) && r.any((*root).answerOpen):
		case n > codeFrom && r.any((*root).answerCode):
		case r.any((*root).signIn):
		case r.any(func(n *root) bool { return n.login.Repeat() }):
		case r.any((*root).due):
			r.tick()
		case r.any((*root).visit):
		case r.any((*root).answerOpen):
		default:
			return
		}
	}
	r.view.Fail("I6", "the world does not come to rest")
}

// allTraps returns how many events of all roots have trapped.
func (r *root) allTraps() int {
	traps := 0
	for _, n := range r.everyone() {
		traps += n.traps
	}
	return traps
}

// deliverAll delivers the next item of every lane, and says whether there was any.
func (r *root) deliverAll() bool {
	lanes := r.allLanes()
	for _, lane := range lanes {
		if !r.hasFailed() {
			r.deliver(lane, "")
		}
	}
	return len(lanes) > 0
}

// due says whether anything is due besides the calls of repeated schedules.
func (r *root) due() bool {
	if at, ok := r.world.Due(); ok {
		if next, only := r.objects.NextRepeated(); !only || at != next || at <= r.world.Now() || r.hasTimer() {
			return true
		}
	}
	if t, _ := r.people.NextDue(); t != nil {
		return true
	}
	_, ok := r.model.Next()
	return ok
}

// hasTimer says whether an object waits for a timer. It may be due a moment after the next call of a schedule.
func (r *root) hasTimer() bool {
	return slices.ContainsFunc(r.world.Holding(), func(held string) bool { return strings.Contains(held, "the timer ") })
}

// day is a day in milliseconds.
const day = 24 * 60 * 60_000

// isPatient says whether there is an office or code, and whatever is due is a callback, or is due after a
// day or later. The questions of clerks expire.
func (r *root) isPatient() bool {
	if !r.mode.Office && !r.mode.Code && !r.mode.Servers {
		return false
	}
	soon := r.world.Now() + day
	at, ok := r.nextDue()
	if !ok || at > soon {
		return true
	}
	root := r.world.Object("")
	return r.view.Made(root) && at == r.view.Number(root, `SELECT MIN(due) FROM schedule WHERE kind = 'callback'`) &&
		r.view.Number(root, `SELECT COUNT(*) FROM schedule WHERE kind != 'callback' AND due <= ?`, soon) == 0
}

// visit makes a person come if something is due and nothing else will wake the root, and says
// whether a person came. An alarm that was lost, or that the platform has given up, is set again
// when the root is opened, or at an event that comes a minute later.
func (r *root) visit() bool {
	due := r.view.Due(r.world.Object(""))
	if due == 0 || r.world.Alarm() > 0 || r.visits >= 3 {
		return false
	}
	r.visits++
	r.world.Advance(max(r.world.Now(), due) + object.OverdueFor + 1)
	r.do("open")
	return true
}

// endRepeated makes a person cancel a repeated schedule of an office, or beside code, and says whether there is one.
// What expires there after days would come too late: the calls until then are too many steps.
func (r *root) endRepeated() bool {
	root := r.world.Object("")
	if !r.mode.Office && !r.mode.Code && !r.mode.Servers || !r.view.Made(root) {
		return false
	}
	rows := r.view.Rows(root, `SELECT id FROM callback WHERE state != 'failed' AND timing ->> 'type' IN ('interval', 'cron') ORDER BY id LIMIT 1`)
	if len(rows) == 0 {
		return false
	}
	if i := slices.IndexFunc(r.people.Tabs, (*people.Tab).CallsMethods); i >= 0 {
		r.do("unschedule " + r.people.Tabs[i].Name + " " + rows[0].Text(0))
	} else {
		r.do("open")
	}
	return true
}

// signalWanted makes a person have a paused run go on, or send a signal to a run that waits for it,
// and says whether there is such a run.
func (r *root) signalWanted() bool {
	run, id, ok := r.effects.Wanted()
	verb := "signal "
	if paused := r.paused(); paused != "" {
		run, id, ok, verb = paused, "", true, "resume "
	}
	if !ok {
		return false
	}
	i := slices.IndexFunc(r.people.Tabs, (*people.Tab).CallsMethods)
	if i < 0 {
		r.do("open")
		return true
	}
	r.do(verb + r.people.Tabs[i].Name + " " + run + " " + id)
	return true
}

// mostPresses is how often people press a link to sign in while a world comes to rest.
const mostPresses = 12

// signIn makes a person sign in to a server that code waits for, and says whether one did.
func (r *root) signIn() bool {
	root := r.world.Object("")
	if !r.mode.Servers || !r.view.Made(root) || r.presses >= mostPresses || !r.foreign.WaitsForPerson(root) {
		return false
	}
	if at, ok := r.nextDue(); ok && at < r.world.Now()+1_000 { // a tab may soon be shown another link
		return false
	}
	for _, t := range r.people.Tabs {
		if t.Link != "" && t.Connected() && r.login.GoOn(t.Link) {
			r.presses++
			return true
		}
	}
	if !slices.ContainsFunc(r.people.Tabs, func(t *people.Tab) bool { return t.Path == "" && t.Connected() }) {
		r.do("open")
		return true
	}
	return false
}

// paused returns a run that people have paused, or "".
func (r *root) paused() string {
	root := r.world.Object("")
	if !r.view.Made(root) {
		return ""
	}
	for _, run := range r.view.Runs(root) {
		if run.Status == "paused" && !run.Pause.Inherited {
			return run.ID
		}
	}
	return ""
}

// answerOpen makes a person answer a question, and says whether there is one.
func (r *root) answerOpen() bool {
	r.objects.AnswersHaveArrived()
	if !r.waits() {
		return false
	}
	for _, t := range r.people.Tabs {
		if t.Connected() && r.answerIn(t) {
			return true
		}
	}
	if r.reloadCleared() {
		return true
	}
	if slices.ContainsFunc(r.people.Tabs, func(t *people.Tab) bool { return t.Path == "" && t.Connected() }) {
		return r.openHelperPage()
	}
	r.do("open")
	return true
}

// waits says whether a run or the root waits for a person.
func (r *root) waits() bool {
	return (r.mode.Questions || r.mode.Office || r.mode.Code || r.mode.Servers || r.mode.Own != nil) && len(r.view.OpenCalls(r.world.Object(""))) > 0 || slices.ContainsFunc(r.world.Slots(), func(slot string) bool {
		object := r.world.Object(slot)
		return r.view.Made(object) && slices.ContainsFunc(r.view.Runs(object), func(run stored.Run) bool { return run.Status == "waiting" })
	})
}

// answerCode makes a person answer a question of code, and says whether there is one.
func (r *root) answerCode() bool {
	root := r.world.Object("")
	return (r.mode.Code || r.mode.Servers) && r.view.Made(root) &&
		r.view.Number(root, `SELECT COUNT(*) FROM question WHERE run = '' AND over_at = 0`) > 0 &&
		slices.ContainsFunc(r.people.Tabs, func(t *people.Tab) bool { return t.Connected() && r.answerIn(t) })
}

// maxAnswers is how often people answer a call. The client goes on showing that a helper's call
// waits when it has been answered.
const maxAnswers = 3

// answerTime is how long a person takes to answer, at least: a socket may have so many frames a second.
const answerTime = 20

// answerIn makes a person answer a question that a tab shows.
func (r *root) answerIn(t *people.Tab) bool {
	for _, id := range t.Page.Asks() {
		if r.answered[id]++; r.answered[id] <= maxAnswers {
			r.world.Advance(r.world.Now() + answerTime)
			r.do("answer " + t.Name + " " + id + " " + []string{"yes", "no"}[dice.New(r.seed, "settle", id).Under(2)])
			return true
		}
	}
	for _, p := range r.people.ClientCalls(t) {
		if id := p.ToolCallID; r.answered[id] < maxAnswers {
			r.answered[id]++
			r.world.Advance(r.world.Now() + answerTime)
			r.do("result " + t.Name + " " + id)
			return true
		}
	}
	return false
}

// reloadCleared makes a person load a page again whose request to clear was lost, and says whether
// there is one. Such a client has forgotten its runs, and does not show them when it is told of
// them again.
func (r *root) reloadCleared() bool {
	i := slices.IndexFunc(r.people.Tabs, func(t *people.Tab) bool { return t.Clearing && t.Connected() })
	if i < 0 {
		return false
	}
	r.people.Tabs[i].Clearing = false
	r.do("reload " + r.people.Tabs[i].Name)
	return true
}

// openHelperPage makes a person open the page of a helper that waits, and says whether there is one
// without a page. A question for a tool in the browser is answered on the helper's page alone, and
// so is a question of a helper below it. The run itself may be over: the page still answers the
// questions that a person has asked on it.
func (r *root) openHelperPage() bool {
	for _, run := range r.view.Runs(r.world.Object("")) {
		class := stored.Kebab(run.Class)
		open := slices.ContainsFunc(r.people.Tabs, func(t *people.Tab) bool { return t.Path == people.HelperPath(class, run.ID) })
		if (run.Status == "waiting" || r.waitsBelow(run)) && !open {
			r.do("drill " + class + " " + run.ID)
			return true
		}
	}
	return false
}

// waitsBelow says whether a helper below the helper of a run waits for a person.
func (r *root) waitsBelow(run stored.Run) bool {
	object := r.world.Object(fmt.Sprint("helper-", run.Slot))
	return run.Slot > 0 && r.view.Made(object) && slices.ContainsFunc(r.view.Runs(object), func(below stored.Run) bool { return below.Status == "waiting" })
}
