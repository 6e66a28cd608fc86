// Package object holds the rules about what objects do and store: turns, runs, schedules,
// submissions, and what a parent and its helpers tell each other.
package object

import (
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check/request"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// Rules are the rules about one root and its helpers.
type Rules struct {
	*check.View
	requests *request.Rules

	// status is the status that a turn or a run was last seen in.
	status map[string]string
	// broken are the objects whose code has trapped on purpose since a turn of theirs failed last.
	broken map[string]bool
	// lost counts by object the events inside of which its memory was lost since a turn of it ended.
	lost map[string]int
	// rootTraps counts the events of the root that have trapped.
	rootTraps int
	// harmed counts the events of the root that a decision has made trap.
	harmed int
	// begun is the last turn of each object that has begun.
	begun map[string]int64
	// submissions are the texts of all submissions by their ids, and skipped the ids of those that were
	// skipped. forgotten are the texts of those that were kept long enough: their keys serve again.
	submissions        map[string]string
	skipped, forgotten map[string]bool
	// submissionEnds is when a submission was first seen to have ended.
	submissionEnds map[string]int64
	// queuedAt is when a message was queued that waits for others, by turn.
	queuedAt map[int64]int64
	// calls are the callbacks that have to be called.
	calls expectedCalls
	// alarm is when the root's alarm was to go off after its last event.
	alarm int64
	// starts are the runs that have not begun.
	starts map[string]start
	// clocks are the clocks of runs when they were seen last.
	clocks map[string]stored.Clock
	// detached is the status of detached runs. dead are the runs whose deliveries have ever been dead
	// letters.
	detached map[string]string
	dead     map[string]bool
	// hosted is what is known of the runs that helpers have begun.
	hosted hosted
	// answered are the calls whose answers were sent to a helper.
	answered map[string]bool
	// questions is the message of each call that waited for a person. lastTurn is the last turn of the
	// root.
	questions map[string]string
	lastTurn  int64
	// helperTold is the slot of the helper, by the call that may bring it a person's answer.
	helperTold map[string]string
	// muted are the links that fell silent and were not begun again, by the name of their
	// requester.
	muted map[string]bool
	// repeats is how often an object has asked for the same while the world comes to rest.
	repeats map[repeated]int
}

// New returns the rules. The rules about requests know whether a model has failed.
func New(v *check.View, requests *request.Rules) *Rules {
	return &Rules{
		View: v, requests: requests,
		status: map[string]string{}, broken: map[string]bool{}, lost: map[string]int{}, begun: map[string]int64{},
		submissions: map[string]string{}, skipped: map[string]bool{}, forgotten: map[string]bool{}, queuedAt: map[int64]int64{},
		calls: expectedCalls{schedules: map[string]*expectedCall{}}, starts: map[string]start{}, clocks: map[string]stored.Clock{},
		detached: map[string]string{}, dead: map[string]bool{}, answered: map[string]bool{}, questions: map[string]string{},
		helperTold: map[string]string{}, muted: map[string]bool{}, hosted: newHosted(), submissionEnds: map[string]int64{},
		repeats: map[repeated]int{},
	}
}
