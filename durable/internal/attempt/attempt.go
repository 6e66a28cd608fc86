// Package attempt counts the attempts at calling an author's code. The code may crash the instance,
// and the event that calls it is then rolled back. So an attempt is claimed, and counted, in the
// event before. If the instance is lost, the claimed call has most likely crashed it.
package attempt

import (
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// State is the state of a call. A call that has succeeded has none.
type State string

// The states of a call.
const (
	// Waiting calls wait for their next attempt.
	Waiting State = "waiting"
	// Claimed calls are about to be attempted. The attempt is counted.
	Claimed State = "claimed"
	// Failed calls have used all their attempts, and are kept.
	Failed State = "failed"
)

// Record is what is kept of the attempts at a call.
type Record struct {
	State State
	// Attempts counts the attempts, including one that is about to be made.
	Attempts int
	// Failure says in words why the last attempt failed.
	Failure string
}

// Claim counts an attempt that is about to be made.
func (r *Record) Claim() { r.State, r.Attempts = Claimed, r.Attempts+1 }

// Fail notes that an attempt failed, and says whether there is another one: a call is attempted at
// most a given number of times.
func (r *Record) Fail(why string, most int) (again bool) {
	r.State, r.Failure = Waiting, protocol.CutOff(why, limit.HookWords)
	if r.Attempts >= most {
		r.State = Failed
	}
	return r.State == Waiting
}
