package contract

import "hash/fnv"

// Records is the state of the root. It counts callbacks and ends of runs there, because state is
// committed or rolled back together with the event.
type Records struct {
	// Calls is the number of calls of callbacks, Last the last of them.
	Calls int    `json:"calls"`
	Last  Called `json:"last"`
	// Taken is the ends of detached runs, by run.
	Taken map[string]DeliveryRecord `json:"taken"`
}

// Called is one call of a callback.
type Called struct {
	ID      string `json:"id"`
	Planned int64  `json:"planned"`
	Attempt int    `json:"attempt"`
	Failed  bool   `json:"failed"`
}

// DeliveryRecord counts how often the end of a run was delivered to its handler, and how often the
// handler accepted it, with which status.
type DeliveryRecord struct {
	Tries  int    `json:"tries"`
	Took   int    `json:"took"`
	Status string `json:"status"`
}

// MaxTries is how often the end of a run is delivered at most, and how often a callback is called
// for one planned time.
const MaxTries = 5

// OnPurpose is the message of a panic that the agent's code raises on purpose.
const OnPurpose = "broken on purpose"

// Stubborn says whether a handler fails at an attempt to deliver the end of a run. The handlers of
// some runs fail once, those of others always.
func Stubborn(run string, attempt int) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(run))
	switch h.Sum32() % 8 {
	case 0:
		return true
	case 1, 2:
		return attempt == 1
	}
	return false
}
