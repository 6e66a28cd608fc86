package object

import (
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// submissionAge is for how long a submission is kept that has ended, in milliseconds.
const submissionAge = 7 * 24 * 60 * 60_000

// SubmissionsAreKept checks I6 for submissions: a submission has one turn, by its id and by its
// key, and its turn is not deleted before the time for which it is kept.
func (r *Rules) SubmissionsAreKept(e check.Event) {
	if e.Slot != "" || e.Trap != nil {
		return
	}
	seen := map[string]bool{}
	for _, t := range e.Turns {
		if t.Submission == "" {
			continue
		}
		for _, name := range []string{"the id " + t.Submission, "the key " + t.Key, "the text " + t.Asked} {
			if seen[name] && name != "the key " {
				r.Fail("submission", "%s has two turns", name)
			}
			seen[name] = true
		}
		r.submissions[t.Submission] = t.Asked
		if stored.Final(t.Status) && r.submissionEnds[t.Submission] == 0 {
			r.submissionEnds[t.Submission] = r.World.Now()
		}
		if stored.Final(t.Status) && !t.Begun {
			r.requests.Withdraw(t.Asked)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.submissions)) {
		if ended := r.submissionEnds[id]; ended > 0 && r.World.Now()-ended > submissionAge && !seen["the id "+id] {
			r.forgotten[r.submissions[id]] = true
			delete(r.submissions, id)
			continue
		}
		if !seen["the id "+id] && r.Made(e.Object) {
			r.Fail("submission", "%s is gone", id)
		}
	}
}

// SubmissionsStay checks that no message displaces a submission: only clearing the conversation
// skips it.
func (r *Rules) SubmissionsStay(e check.Event) {
	if e.Slot != "" || e.Trap != nil {
		return
	}
	m, _ := e.Event.(durable.SocketMessage)
	for _, t := range e.Turns {
		if t.Submission == "" || t.Status != "skipped" || r.skipped[t.Submission] {
			continue
		}
		r.skipped[t.Submission] = true
		if !strings.Contains(m.Text, "cf_agent_chat_clear") {
			r.Fail("submission", "%s is skipped, and the conversation was not cleared", t.Submission)
		}
	}
}
