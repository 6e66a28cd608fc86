// Package flow runs straight-line code that survives the loss of its instance. The code is a
// coroutine: it runs within an event until it waits, and continues within the event that brings the
// result. Each await is journaled by its place and name. When the instance is lost, the code is run
// again from its start over the journal. Awaits that have ended get their results from the journal
// at once, so nothing happens twice.
//
// Code can run a function once ([Step]), try something until it succeeds ([Do]), wait ([Sleep],
// [SleepUntil]), make a request ([Fetch]), read the time and random bytes ([Now], [Random]), run
// several branches ([Go], [All], [First], [Next]), and limit its time ([Within]). It can run
// Workflows of the platform ([RunWorkflow]), and the code of a run can wait for signals
// ([Receive]). Tools of package agent can also run helpers. All of these take the code's [Context],
// or a type that embeds one.
//
// The code must be deterministic: when it is run again, it must do the same. It reaches the outside
// only in these ways. It starts no goroutines, because nothing runs between two events, and code
// that blocks would block every object of the instance. The analyser in replay, part of go vet in
// this project, reports code that breaks this. If a replay asks for something else than the journal
// holds, it ends in a [*DivergedError].
//
// The owner of a routine starts it over its journal ([Start]), journals results ([Complete],
// [Wake], [Routine.Fetched]), and lets the code continue ([Routine.Resume]). To end the code, the
// owner cancels everything that it has begun ([Routine.Stop]). README.md beside this file has the
// decisions.
package flow
