package turn

import "slices"

// Policy says what happens to plain messages that a person sends while another turn is active or
// queued. An edit, a request for another answer, a submission, and everything queued between
// messages keep their places.
type Policy string

// The policies. A message that is skipped is marked by its metadata. The end of its request has the
// outcome skipped.
const (
	// Queue answers every message, one after the other. It is the default.
	Queue Policy = ""
	// Latest answers only the last message. The others stay in the conversation, and the model sees
	// them.
	Latest Policy = "latest"
	// Merge combines the messages into the last one, which is answered.
	Merge Policy = "merge"
	// Drop refuses the messages. They are removed from the page that sent them.
	Drop Policy = "drop"
	// Debounce is like Latest, but the last message is answered only when no other has come for 750
	// ms.
	Debounce Policy = "debounce"
)

// Valid says whether there is such a policy.
func (p Policy) Valid() bool {
	return slices.Contains([]Policy{Queue, Latest, Merge, Drop, Debounce}, p)
}

// DebounceDelay is the delay of Debounce, in milliseconds.
const DebounceDelay = 750
