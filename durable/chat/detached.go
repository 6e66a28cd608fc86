package chat

import (
	"fmt"
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about detached runs: they belong to the root and not to a turn, and their
// end goes to a handler of the agent, by the ledger of letters.

const (
	// usualTime is how long a detached run may take in all, and usualSilence how long nothing
	// may be heard of one, where nothing else is said.
	usualTime    = 24 * time.Hour
	usualSilence = time.Hour
)

// detached says of a helper whether its live turn works on a detached run.
func (h *Host) detached(tx *durable.Tx) bool {
	if !h.agent.Helper {
		return false
	}
	k, _ := taskOf(tx, h.live.turn.Seq)
	return k.asked.Detached
}

// detach makes a run one of the root's own.
func detach(r *run.Run) {
	r.Turn, r.ToolCall = 0, ""
	if r.Timeout <= 0 {
		r.Timeout = usualTime.Milliseconds()
	}
	if r.Silence <= 0 {
		r.Silence = usualSilence.Milliseconds()
	}
}

// cannotDetach says why there can be no such detached run, or "".
func (h *Host) cannotDetach(r run.Run) string {
	names := r.Tells.Names()
	switch {
	case h.agent.Helper:
		return "only the root can have detached runs, and " + h.agent.Class + " is a helper"
	case h.agent.Handlers[r.Handler] == nil:
		return fmt.Sprintf("%s has no handler named %.80q", h.agent.Class, r.Handler)
	case len(names) > MaxMilestones:
		return fmt.Sprintf("%d milestones to tell of, at most %d", len(names), MaxMilestones)
	case slices.ContainsFunc(names, func(name string) bool { return checkName(name) != nil }):
		return "one of the milestones to tell of has a name that none can have"
	}
	return ""
}

// listen has the schedule see to it that something is heard of a detached run.
func (h *Host) listen(tx *durable.Tx, r run.Run) {
	if r.Handler != "" && !r.Status.Final() {
		tx.Schedule(dueSilence, r.ID, max(r.HeardAt, r.BegunAt)+r.Silence)
	}
}

// silent gives a run up of which nothing was heard for too long. While it waits for its
// turn or for a person, or sleeps as it has said, nothing needs to be heard.
func (h *Host) silent(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	switch {
	case !ok || r.Status.Final():
	case r.Slot == 0, r.Status == run.Waiting, h.restful(tx, r):
		tx.Schedule(dueSilence, id, tx.Now+r.Silence)
	case tx.Now-max(r.HeardAt, r.BegunAt) < r.Silence:
		h.listen(tx, r)
	default:
		h.stopRun(tx, r, run.TimedOut, fmt.Sprintf("nothing was heard of the run for %s", time.Duration(r.Silence)*time.Millisecond))
	}
}

// owe puts a detached run's end into the ledger. The handler is called in an event of its
// own: what it breaks is not the run's.
func (h *Host) owe(tx *durable.Tx, r run.Run) {
	tx.Unschedule(dueSilence, r.ID)
	if r.Handler == "" {
		return
	}
	run.Owe(tx, r)
	tx.Schedule(dueLetter, r.ID, tx.Now)
}

// handOver makes the attempt that a letter was claimed for, or claims it for one.
func (h *Host) handOver(tx *durable.Tx, id string) {
	l, ok := run.Owed(tx, id)
	switch {
	case !ok || l.State == run.Dead:
	case l.State == run.Claimed:
		h.callHandler(tx, l)
	default:
		run.Claim(tx, &l)
		tx.Schedule(dueLetter, id, tx.Now)
	}
}

func (h *Host) callHandler(tx *durable.Tx, l run.Letter) {
	r, ok := run.Find(tx, l.Run)
	if !ok || !r.Status.Final() { // its id was given to another since
		run.Delivered(tx, l)
		return
	}
	err := fmt.Errorf("there is no handler named %.80q", l.Handler)
	if handler := h.agent.Handlers[l.Handler]; handler != nil {
		err = handler(h.conversation(tx), infoOf(r))
	}
	if err != nil {
		h.undelivered(tx, l, err.Error())
		return
	}
	run.Delivered(tx, l)
	if l.Last {
		h.wipe(tx, r)
	}
}

// undelivered has a letter tried again later, or leaves it in the ledger as a dead one.
func (h *Host) undelivered(tx *durable.Tx, l run.Letter, why string) {
	wait := run.Undelivered(tx, &l, cutOff(why, maxWords))
	tx.Log(durable.Error, "the end of a detached run could not be handed over", "run", l.Run, "handler", l.Handler,
		"attempt", fmt.Sprint(l.Attempts), "error", why)
	if wait > 0 {
		tx.Schedule(dueLetter, l.Run, tx.Now+wait)
	}
}

// lapse charges the letters that were being handed over when the instance was lost by a
// fault of this object, and says whether there were any: most likely it was their handler's.
func (h *Host) lapse(tx *durable.Tx, lost durable.Loss) bool {
	if lost == durable.LostQuietly {
		return false
	}
	claimed := run.Letters(tx, run.Claimed)
	for _, l := range claimed {
		h.undelivered(tx, l, "the instance was lost: "+string(lost))
	}
	return len(claimed) > 0
}

// DeadLetter is the end of a detached run whose handler has failed as often as it is
// called.
type DeadLetter struct {
	Run      RunInfo `json:"run"`
	Handler  string  `json:"handler"`
	Attempts int     `json:"attempts"`
	Failure  string  `json:"error"`
}

// DeadLetters lists them.
func (c *Conversation) DeadLetters() []DeadLetter {
	list := []DeadLetter{} // never null
	for _, l := range run.Letters(c.tx, run.Dead) {
		if r, ok := run.Find(c.tx, l.Run); ok {
			list = append(list, DeadLetter{infoOf(r), l.Handler, l.Attempts, l.Failure})
		}
	}
	return list
}

// RetryLetter has the handler of a dead letter called again, as if the run had just
// ended.
func (c *Conversation) RetryLetter(id string) error {
	l, ok := run.Owed(c.tx, id)
	if !ok || l.State != run.Dead {
		return fmt.Errorf("run %.80q has no dead letter", id)
	}
	run.Revive(c.tx, &l)
	c.tx.Schedule(dueLetter, id, c.tx.Now)
	return nil
}
