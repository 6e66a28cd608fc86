package approval

import "github.com/tributary-agents/tributary/durable"

// DueExpiry is the kind of the schedule's entry that denies a call when the time for an answer is
// over. Its id is the call.
const DueExpiry = "expiry"

// StopExpiry removes the entry of a call that is answered or withdrawn.
func StopExpiry(tx *durable.Tx, call string) {
	if tx.Scheduled(DueExpiry, call) {
		tx.Unschedule(DueExpiry, call)
	}
}
