package run

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about the detached runs that helpers begin. The root hosts them, because it alone has
// an alarm. Each has two rows: the root's is the run, and the helper's repeats what the root tells.

// Hop is one helper on the way from the root to a helper below it. Its JSON is public.
type Hop struct {
	// Slot is where the helper lives in its parent, and Run the run that it works on. Generation
	// counts the uses of that slot.
	Slot       int    `json:"slot"`
	Run        string `json:"runId"`
	Generation int64  `json:"generation"`
}

// Origin says which helper has begun a run: the last of a path from the root. Request numbers the
// helper's requests to begin runs, so that a request that is made again is known. If the root has
// restarted a run of the helper, Request is 0 until the helper has heard of that, and -1 from then on.
type Origin struct {
	Path    []Hop `json:"path"`
	Request int64 `json:"request"`
}

// Again returns the origin of a run that repeats one with this origin.
func (o *Origin) Again() *Origin {
	if o == nil {
		return nil
	}
	return &Origin{Path: o.Path}
}

// OriginKnows notes that the origin of a run which the root has restarted has heard of it.
func OriginKnows(tx *durable.Tx, r *Run) {
	r.Origin.Request = -1
	change(tx, `UPDATE run SET origin = ? WHERE seq = ?`, toStore(r.Origin), r.Seq)
}

// Same says whether two origins are the same helper. A nil origin is the object itself.
func (o *Origin) Same(other *Origin) bool {
	if o == nil || other == nil {
		return o == other
	}
	return slices.Equal(o.Path, other.Path)
}

// Hosted is what a helper keeps of a run that its root hosts.
type Hosted struct {
	// Asked says that the root has not answered the request to begin the run. NoQueue is part of that
	// request.
	Asked   bool `json:"asked,omitempty"`
	NoQueue bool `json:"noQueue,omitempty"`
	// Cancel says in words why the run is cancelled, until the root tells its end.
	Cancel string `json:"cancel,omitempty"`
	// Cleared says that the helper's conversation was cleared, and that the run is deleted when its
	// end is handed over.
	Cleared bool `json:"cleared,omitempty"`
}

// Refused says whether a run was refused. Such a run has not begun.
func (r Run) Refused() bool { return r.neverBegan() }

// BeginHosted writes a helper's row of a run that its root is asked to host.
func BeginHosted(tx *durable.Tx, r Run) Run {
	r.Status = Starting
	return insert(tx, r)
}

// KeepHosted stores what has changed of [Run.Hosted]. If it is nil, the id of a run that has failed
// is free again.
func KeepHosted(tx *durable.Tx, r *Run) {
	change(tx, `UPDATE run SET hosted = ? WHERE seq = ?`, toStore(r.Hosted), r.Seq)
}

// KeepUsage stores what the root says that a hosted run has cost. No sum of this object includes it.
func KeepUsage(tx *durable.Tx, r *Run, total Usage) {
	r.Usage = total
	change(tx, `UPDATE run SET input_tokens = ?, output_tokens = ?, model_calls = ? WHERE seq = ?`, total.InputTokens, total.OutputTokens, total.ModelCalls, r.Seq)
}

// pending chooses the hosted runs of which the root has still to hear something. Their [Hosted] is
// not empty.
const pending = `ended_at = 0 AND hosted NOT IN ('', '{}')`

// PendingHosted returns the hosted runs of which the root has still to hear something, oldest first
// and at most limit, with their inputs.
func PendingHosted(tx *durable.Tx, limit int) []Run {
	return all(tx.SQL(`SELECT `+columns+` FROM run WHERE `+pending+` ORDER BY seq LIMIT ?`, limit))
}

// CountPendingHosted counts these runs.
func CountPendingHosted(tx *durable.Tx) int {
	return int(tx.Number(`SELECT COUNT(*) FROM run WHERE ` + pending))
}

// UnfinishedFor returns the unfinished runs that helpers have begun, oldest first.
func UnfinishedFor(tx *durable.Tx) []Run {
	return all(tx.SQL(`SELECT ` + brief + ` FROM run WHERE ended_at = 0 AND origin != '' ORDER BY seq`))
}

// AwaitHost registers a waiter for the root's answer to the request to begin a run. No milestone has
// the empty name.
func AwaitHost(tx *durable.Tx, r Run, w Waiter) { AwaitMilestone(tx, r, "", w) }

// TakeHostWaiters removes and returns the waiters of [AwaitHost].
func TakeHostWaiters(tx *durable.Tx, r *Run) []Waiter { return TakeMilestoneWaiters(tx, *r, "") }

// toStore returns the stored form of an origin, or of what is kept of a hosted run.
func toStore[T any](v *T) string {
	if v == nil {
		return ""
	}
	return string(limit.MustMarshal(v))
}

// readStored reads the stored form. A damaged one is empty, and not nil: it still says whose the run
// is.
func readStored[T any](stored json.RawMessage) *T {
	if stored == nil {
		return nil
	}
	v := new(T)
	if json.Unmarshal(stored, v) != nil {
		return new(T)
	}
	return v
}
