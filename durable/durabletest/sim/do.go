package sim

import (
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/decide"
)

// do carries out one decision. Nothing happens if the decision names something that does not exist,
// as it may in a script that was shortened.
//
//	deliver LANE [BYTES]  the next item of a lane arrives; at most so many bytes of a stream
//	tick                  the next timer or alarm goes off, of an object or of a tab
//	open                  a person opens another tab
//	drill CLASS RUN       a person opens another tab, on a helper's page
//	close, reload TAB     closes the tab; loads its page again
//	say TAB TEXT          types a text and sends it
//	greet TEXT            opens a page that sends a message as it mounts, before its socket is open
//	stop, regenerate, clear TAB
//	answer TAB CALL yes|no  approves or denies a call
//	meddle TAB CALL       a tab sends a result for an open call of a tool of the server
//	resend TAB            the page sends its last request again on the same connection
//	result TAB CALL       a tool in the browser returns a result
//	submit TAB MODE ID KEY TEXT  calls runTurn; "-" is no id, and no key
//	withdraw TAB ID       cancels a submission
//	schedule TAB ID KIND MS DOES  makes a schedule, see [contract.ScheduleRequest]
//	unschedule TAB ID     cancels a schedule
//	evict SLOT            the platform takes an object's memory
//	retire                the instance in which all objects live is replaced
//	crash, deploy         all memory and all sockets are lost; variables are read again
//	trap SLOT N           the next event of an object traps, at its statement N
//	kill SLOT N           the process is killed inside the next event of an object, at its statement N
//	full SLOT             nothing can be written to a storage, or it is full no more
//	cut LANE              a call, a stream or an answer of the model breaks
//	mute LANE             a call or a stream between objects falls silent, and nobody is told
//	shaky MS              for so long each stream of a run that was taken breaks as it is opened
//	drop TAB              a connection is lost
//	break TAB             a connection is lost; its frozen page gets the frames on their way first
//	echo TAB              the page sends its last probe again on the same connection
//	jump MS               the clock on the wall is set
//	lose SLOT N WHOM      the process dies when the object's next event has committed and N of
//	                      its commands are performed; WHOM is everyone, or a helper alone
//	sever LANE            like cut, also for a request for messages
//	outage MS             for so long nothing can be written anywhere
//	giveup                nothing can be written until the platform has given the root's alarm up
//	questions             from now on the model likes to ask several things of people at once
//	workshop              the root offers more tools, see [contract.WorkshopVar]
//	office                the root offers clerks, see [contract.OfficeVar]
//	code                  the root offers a tool that runs code, see [contract.CodeVar]
//	signal TAB RUN ID     sends a signal to a run
//	pause, resume, cancel TAB RUN
//	undo TAB ACTION       undoes an action
//	settle TAB ACTION yes|no  says whether an action has happened
//	restart TAB RUN STEP  runs it again from a step, or from the beginning for "-"
//	misfit TAB CALL       answers a question with what its form refuses
//	late TAB CALL         answers a question that was answered
//	sign press TAB        presses the link that a tab shows, to sign in to a server
//	sign VERB N           the Nth person who has pressed one does something, see package login
//	program VERB          a foreign program does something, see package program
//	plans                 from now on the root's model often has a helper plan, which asks people
//	delegates             from now on the root's model often sends helpers to servers
//	tokens MS             from now on sockets are opened with tokens that end so much later
//	neighbour, hostile    adds another root to the isolate; adds a hostile one
//	beside N DECISION     a decision about a neighbour
//	attack KIND BYTES     the hostile root does something, see package hostile
func (r *root) do(decision string) {
	r.script = append(r.script, decision)
	r.log.Decided(decision)
	r.endOutage()
	verb, rest, _ := strings.Cut(decision, " ")
	first, second, _ := strings.Cut(rest, " ")
	slot := strings.TrimPrefix(first, "root")
	switch verb {
	case "deliver":
		r.deliver(first, second)
	case "tick":
		r.tick()
	case "open", "drill":
		r.people.Open(rest)
	case "greet":
		r.people.Greet(rest)
	case "evict":
		r.world.Evict(slot)
	case "retire":
		for _, n := range r.everyone() {
			n.world.Retire()
		}
	case "crash":
		r.crash()
	case "deploy": // of the same code: every instance is replaced by one that reads its variables again
		r.version++
		r.world.Set("VERSION", strconv.Itoa(r.version))
		r.crash()
	case "lose":
		r.lose(slot, second)
	case "sever":
		if !r.people.SeverLoad(first) {
			r.cut(first)
		}
	case "outage":
		r.beginOutage(int64(number(first)))
	case "giveup":
		r.giveUpAlarm()
	case "questions":
		r.mode.Questions = true
	case "garbles":
		r.mode.Garbles = true
	case "one-index":
		r.mode.OneIndex = true
	case "odd-errors":
		r.mode.OddErrors = true
	case "workshop":
		r.mode.Workshop = true
		r.world.Set(contract.WorkshopVar, "open")
	case "office":
		for _, n := range r.everyone() {
			n.mode.Office = true
		}
		r.world.Set(contract.OfficeVar, "open")
	case "code":
		for _, n := range r.everyone() {
			n.mode.Code = true
		}
		r.world.Set(contract.CodeVar, "open")
	case "program":
		r.programs.Do(first)
	case "sign":
		if t := r.people.Tab(second); first == "press" && t != nil {
			r.login.Press(t.Link)
		}
		r.login.Do(first, number(second))
	case "plans":
		r.mode.Plans = true
	case "delegates":
		r.mode.Delegates = true
	case "tokens":
		r.mode.Tokens = int64(number(first))
	case "neighbour":
		r.moveIn()
	case "hostile":
		r.invite()
	case "beside":
		if at := number(first); at > 0 && at <= len(r.neighbours) {
			r.neighbours[at-1].do(second)
		}
	case "attack":
		r.hostile.Attack(first, number(second))
	case "trap":
		r.arm(slot, number(second))
	case "kill":
		r.armKill(slot, number(second))
	case "full":
		r.fill(slot)
	case "shaky":
		r.mode.ShakyUntil = r.world.Now() + int64(number(first))
	case "cut":
		r.cut(first)
	case "mute":
		if decide.IsSupervision(first) {
			r.mute(first)
		}
	case "jump":
		if !r.any(func(n *root) bool { return n.people.Underway() != "" }) {
			r.jump(int64(number(first)))
		}
	default:
		if t := r.people.Tab(first); t != nil {
			r.people.Do(verb, t, second)
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

// deliver delivers the next item of a lane. most is the largest number of bytes of a stream, or "".
func (r *root) deliver(lane, most string) {
	switch {
	case r.lanes.Deliver(lane):
	case most != "":
		r.world.Deliver(lane, number(most))
	default:
		r.world.Deliver(lane)
	}
}

// cut breaks a lane.
func (r *root) cut(lane string) {
	if !r.model.Cut(lane) && !r.world.Cut(lane) {
		r.people.Drop(lane)
	}
}
