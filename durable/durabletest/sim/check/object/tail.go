package object

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// This file checks that a parent keeps reading the logs of its helpers. Without these checks the
// reconciliation every half a minute would hide most faults. The file reads the names of links
// between objects, the kind follow in the table schedule, and the tables answer (seq, run) and
// drill (conn, run).

// HelpersAreFollowed checks that a parent reads the stream of each run that its helper was handed,
// or a page of its log, or has scheduled to do so.
func (r *Rules) HelpersAreFollowed(e check.Event) {
	r.keepMuted(e)
	if e.Performed < len(e.Commands) {
		return
	}
	for _, run := range e.Runs {
		handed := run.Slot > 0 && (run.Status == "running" || run.Status == "starting")
		if handed && !r.follows(e, run.ID) && !r.isToldToGoOn(e, run) && !r.isCopied(e, run.ID) {
			r.Fail("follow", "the run %s of %q is %s, and its log is not read", run.ID, e.Slot, run.Status)
		}
	}
	r.answeredRunsAreFollowed(e)
	r.answersAreSentAgain(e)
}

// follows says whether a parent reads of a run, or is scheduled to.
func (r *Rules) follows(e check.Event, run string) bool {
	return r.listens(e.Slot, "tail/"+run) || r.listens(e.Slot, "page/"+run) ||
		len(r.Rows(e.Object, `SELECT 1 FROM schedule WHERE kind = 'follow' AND id = ?`, run)) > 0
}

// isToldToGoOn says whether a helper is told that its run goes on that was paused, or will be told
// again. Its parent reads of the run when the helper has acknowledged that.
func (r *Rules) isToldToGoOn(e check.Event, run stored.Run) bool {
	return run.Pause.Due && (r.listens(e.Slot, "pause/"+run.ID) || len(r.Rows(e.Object, `SELECT 1 FROM schedule WHERE kind = 'runs'`)) > 0)
}

// isCopied says whether the journal of the run that a run repeats is on its way to the new helper.
func (r *Rules) isCopied(e check.Event, run string) bool {
	return r.listens(e.Slot, "journal/"+run) || r.listens(e.Slot, "copy/"+run)
}

// listens says whether an object has begun a link, and has not been told that the link has ended.
func (r *Rules) listens(slot, name string) bool {
	return r.World.Linked(slot, name) || r.muted[slot+":"+name]
}

// Muted notes that a link has fallen silent without an event to its requester.
func (r *Rules) Muted(requester string) { r.muted[requester] = true }

// keepMuted forgets the silent links that are begun again, or whose requester has lost its memory.
func (r *Rules) keepMuted(e check.Event) {
	if len(r.muted) == 0 {
		return
	}
	if e.Opened {
		maps.DeleteFunc(r.muted, func(lane string, _ bool) bool { return strings.HasPrefix(lane, e.Slot+":") })
	}
	for _, c := range e.Commands {
		switch c := c.(type) {
		case durable.OpenStream:
			delete(r.muted, e.Slot+":"+c.Stream)
		case durable.CancelStream:
			delete(r.muted, e.Slot+":"+c.Stream)
		case durable.Call:
			delete(r.muted, e.Slot+":"+c.Call)
		}
	}
}

// answeredRunsAreFollowed checks that a parent reads of a run that waits for a person, once the
// helper has taken something that may be the person's answer: the run may have gone on.
func (r *Rules) answeredRunsAreFollowed(e check.Event) {
	if e.Trap != nil {
		return
	}
	for _, c := range e.Commands {
		if c, ok := c.(durable.Call); ok && mayAnswer(c.Call) {
			key := e.Object + " " + c.Call
			if _, again := r.helperTold[key]; !again || !strings.HasPrefix(c.Call, "answer/") {
				r.helperTold[key] = c.To.Slot
			}
		}
	}
	call, ok := callOf(e.Event)
	if !ok || !mayAnswer(call) {
		return
	}
	slot := r.helperTold[e.Object+" "+call]
	if _, answered := e.Event.(durable.CallAnswered); answered && strings.HasPrefix(call, "answer/") {
		r.helperTold[e.Object+" "+call] = "" // an answer that is sent again changes nothing more
	}
	for _, run := range e.Runs {
		if run.Status == "waiting" && slot == fmt.Sprintf("helper-%d", run.Slot) && r.isOpen(e, call, run.ID) && !r.follows(e, run.ID) {
			r.Fail("follow", "the helper of %s was told %s, and its log is not read", run.ID, call)
		}
	}
}

// mayAnswer says whether a call may bring a helper the answer of a person.
func mayAnswer(call string) bool {
	return strings.HasPrefix(call, "answer/") || strings.HasPrefix(call, "frame/")
}

// callOf returns the call that an event is the outcome of.
func callOf(e durable.Event) (call string, ok bool) {
	switch e := e.(type) {
	case durable.CallAnswered:
		return e.Call, true
	case durable.CallFailed:
		return e.Call, true
	}
	return "", false
}

// isOpen says whether the page that has sent a frame to a run is still open.
func (r *Rules) isOpen(e check.Event, call, run string) bool {
	conn, ok := strings.CutPrefix(call, "frame/")
	return !ok || len(r.Rows(e.Object, `SELECT 1 FROM drill WHERE conn = ? AND run = ?`, conn, run)) > 0
}

// answersAreSentAgain checks that a parent that is opened sends its helpers the answers that they
// have not acknowledged. One that was sent often in vain waits for its time. The rule reads the table
// owed (kind, id, tries, next).
func (r *Rules) answersAreSentAgain(e check.Event) {
	if !e.Opened || e.Trap != nil || !r.Made(e.Object) {
		return
	}
	for _, row := range r.Rows(e.Object, `SELECT answer.seq, answer.run FROM answer JOIN run ON run.id = answer.run AND run.ended_at = 0`) {
		if !r.listens(e.Slot, fmt.Sprint("answer/", row.Int(0))) && !r.wasSentOften(e.Object, row.Int(0)) {
			r.Fail("follow", "the helper of %s has not acknowledged an answer, and is not sent it again", row.Text(1))
		}
	}
}

// oftenSent is how often an answer is sent at least before it waits for longer than half a minute.
const oftenSent = 10

// wasSentOften says whether an answer was sent often in vain, and is sent again later.
func (r *Rules) wasSentOften(object string, answer int64) bool {
	return len(r.Rows(object, `SELECT 1 FROM owed WHERE kind = 'answer' AND id = ? AND tries >= ? AND next > ?`, strconv.FormatInt(answer, 10), oftenSent, r.World.Now())) > 0
}
