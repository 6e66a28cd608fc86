package script

import "fmt"

// Open opens a box and runs the code of a script until it waits or ends.
type Open struct {
	// Box is a number that the instance has not used before.
	Box int64
	// Prelude is evaluated before Code, and makes what Code uses. Its own value is the object through
	// which the host drives the script, see README.md.
	Prelude, Code string
	// Seed is where the script's randomness comes from. Now is its time, in milliseconds since 1970.
	Seed [16]byte
	Now  int64
	// Memory is what the values of the script may take, and Stack its stack, both in bytes.
	Memory, Stack int64
	// Work is how many units of work the script may do before this request returns.
	Work int64
}

// Answer answers a call of the script and runs it on until it waits or ends.
type Answer struct {
	// Box is the box, and Call the number of the call in it.
	Box, Call int64
	// OK says that the call has succeeded. JSON is then its output, and otherwise its error: a JSON text
	// in both cases.
	OK   bool
	JSON string
	// Now is the time from here on, and Work as that of [Open].
	Now, Work int64
}

// Close drops a box. A box that is not there is no error, and the result is [Gone].
type Close struct{ Box int64 }

// State is how a script goes on.
type State int

const (
	// Waits says that the script waits for calls: those in Calls, and those that were not answered yet.
	Waits State = iota
	// Done says that the script has returned, with Value.
	Done
	// Failed says that the script has thrown. Words are the error's.
	Failed
	// Gone says that the host has no such box.
	Gone
	// Spent says that a limit was reached. Words name it: "work", "memory", "stack" or "engine", the last
	// of which means that the engine itself has failed. The box is gone.
	Spent
)

// Result is how a script goes on, and what it has done since the request before.
type Result struct {
	State State
	// Calls are the calls that it has begun, in their order.
	Calls []Call
	// Lines are what it has written to its console.
	Lines []string
	// Value is what it has returned, as JSON.
	Value string
	// Words say why it has failed, or which limit is spent.
	Words string
	// Work is how many units of work this request took, and Bytes what the engine's memory holds now.
	Work, Bytes int64
}

// Call is a call that a script has begun. The numbers of a box begin at 1.
type Call struct {
	Number int64
	Name   string
	// JSON is the call's input, a JSON text.
	JSON string
}

// Run has the host open a box.
func (o Open) Run() Result { return run(o.Encode()) }

// Run has the host answer a call.
func (a Answer) Run() Result { return run(a.Encode()) }

// Run has the host drop a box.
func (c Close) Run() Result { return run(c.Encode()) }

func run(request []byte) Result {
	r, err := DecodeResult(call(request))
	if err != nil {
		panic(fmt.Errorf("script: the host's result: %w", err))
	}
	return r
}
