package object

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// This file compares what objects have stored. It reads the tables slot (n, run), await (routine,
// branch, place), task (run, log) and chunk (stream, first, body).

// SlotsAreHeld checks that the run that has taken a slot exists.
func (r *Rules) SlotsAreHeld(e check.Event) {
	if e.Trap != nil || !r.Made(e.Object) {
		return
	}
	for _, row := range r.TakenSlots(e.Object) {
		n, by := row.Int(0), row.Text(1)
		if !slices.ContainsFunc(e.Runs, func(run stored.Run) bool { return run.ID == by && run.Slot == n }) {
			r.Fail("I6", "the slot %d of %q is taken by %s, a run that does not exist", n, e.Slot, by)
		}
	}
}

// AwaitsHappenOnce checks I8 for tools: code that is run again finds the awaits of the first time.
func (r *Rules) AwaitsHappenOnce(e check.Event) {
	if !e.Opened || e.Trap != nil || !r.Made(e.Object) {
		return
	}
	for _, row := range r.Rows(e.Object, `SELECT routine, branch, place FROM await GROUP BY routine, branch, place HAVING COUNT(*) > 1`) {
		r.Fail("I8", "%s awaits twice at place %d of branch %d", row.Text(0), row.Int(2), row.Int(1))
	}
}

// LogsAgree checks I5 between objects: in a world at rest, a parent has stored the same log of each
// completed run as its helper has. A run that was cleared and is kept only for its delivery is left
// out.
func (r *Rules) LogsAgree() {
	for _, slot := range r.World.Slots() {
		object := r.World.Object(slot)
		if !r.Made(object) {
			continue
		}
		for _, row := range r.Rows(object, `SELECT id, seq, slot FROM run WHERE status = 'completed' AND slot > 0
			AND id NOT IN (SELECT run FROM letter WHERE last = 1)`) {
			helper := r.helper(slot, row.Int(2))
			if helper == "" || !r.Made(helper) {
				continue
			}
			for _, task := range r.Rows(helper, `SELECT log FROM task WHERE run = ?`, row.Text(0)) {
				if got, want := r.log(object, -row.Int(1)), r.log(helper, task.Int(0)); got != want {
					r.Fail("I5", "the log of the run %s is stored as %s", row.Text(0), check.Difference(got, want))
				}
				r.progressAgrees(object, helper, row.Text(0))
			}
		}
	}
}

// log returns all chunks of a stream.
func (r *Rules) log(object string, stream int64) string {
	text := ""
	for _, row := range r.Rows(object, `SELECT body FROM chunk WHERE stream = ? ORDER BY first`, stream) {
		text += row.Text(0) + "\n"
	}
	return text
}

// NothingIsSaidTwice checks that the conversation of a world at rest has each text once: the
// questions of people and of code, and the notices of milestones. The text of a submission may come
// again when its key is forgotten.
func (r *Rules) NothingIsSaidTwice() {
	root := r.World.Object("")
	if !r.Made(root) {
		return
	}
	said := map[string]bool{}
	for _, row := range r.Rows(root, `SELECT body FROM message ORDER BY place`) {
		var m struct {
			Parts    []struct{ Type, Text string }
			Metadata struct{ Merged []string }
		}
		if json.Unmarshal([]byte(row.Text(0)), &m) != nil {
			r.Fail("I6", "a message is stored as %.200s", row.Text(0))
			return
		}
		// Two pages that missed a clear send a message again, and one of them merged into another
		// message.
		if slices.ContainsFunc(m.Metadata.Merged, func(id string) bool { return len(r.Rows(root, `SELECT 1 FROM message WHERE id = ?`, id)) > 0 }) {
			continue
		}
		for _, p := range m.Parts {
			if said[p.Text] && r.isUnique(p.Text) && !r.forgotten[p.Text] {
				r.Fail("I6", "the conversation has a text twice: %s", p.Text)
			}
			said[p.Text] = true
		}
	}
}

// isUnique says whether a text has words that no other text has: what people type and, of agents
// that are made for the simulator, also what those say.
func (r *Rules) isUnique(text string) bool {
	begins := []string{"tell me of ", "work out ", "It is time for ", "Found two sources on "}
	if r.Mode.Own != nil {
		begins = begins[:1]
	}
	for _, begin := range begins {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

// NothingIsHeld checks I11: a world at rest holds nothing but its sockets, one link for each open
// page of a helper, and the alarm of repeated schedules.
func (r *Rules) NothingIsHeld(helperPages int) {
	var more []string
	for _, held := range r.World.Holding() {
		held = strings.TrimPrefix(held, ": ")
		if strings.Contains(held, "drill/") && helperPages > 0 {
			helperPages--
			continue
		}
		if _, only := r.NextRepeated(); held == "an alarm" && only {
			continue
		}
		more = append(more, held)
	}
	if len(more) > 0 {
		r.Fail("I11", "a world at rest holds %s", strings.Join(more, ", "))
	}
}
