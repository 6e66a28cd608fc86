package check

import "strings"

// expectedFailures are the failures that the core is allowed today, each with its reason, and as
// narrow as possible. A row is deleted when its reason is gone.
var expectedFailures = []expectedFailure{
	{
		name: "watching on", invariant: "show", contains: "watches what has ended while it was away",
		reason: "the published client forgets a stream that it watched only when it hears that stream's end, or of none",
	},
	{
		name: "haunted", invariant: "show", contains: "(haunted: true,",
		reason: "the published client puts what it had watched when its connection broke over the next transcript, also when that knows better",
	},
	{
		name: "holding on", invariant: "show", contains: "holds on: true",
		reason: "the published client keeps an answer as it has it when it was stopped while it was looking for a stream, until a transcript comes behind the beginning of another of its own",
	},
	{
		name: "cleared in vain", invariant: "show", contains: "(cleared in vain: true) shows in a run",
		reason: "the published client remembers having heard what it heard of a run that it had forgotten, and forgets runs before the clear arrives",
	},
	{
		name: "confused", invariant: "show", contains: "(confused: true) shows in another order",
		reason: "the published client remembers behind which message an answer began, also when that was another question or never arrived",
	},
}

type expectedFailure struct{ name, invariant, contains, reason string }

func expected(f *Failure) (expectedFailure, bool) {
	for _, e := range expectedFailures {
		if e.invariant == f.Invariant && strings.Contains(f.Message, e.contains) {
			return e, true
		}
	}
	return expectedFailure{}, false
}
