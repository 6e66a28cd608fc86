// Package flow runs straight-line code that survives its instance. The code is a
// coroutine: it runs within an event until it waits, and goes on within the event
// that brings what it waits for. Everything that it awaits is journaled by its
// place and name. When its instance is gone, the code is run again from its
// start over the journal: what was awaited before is answered from there, at once,
// and so nothing happens twice.
//
// Code can do something once ([Step]), wait ([Sleep]), make a request ([Fetch]), have
// the time and chance ([Now], [Random]), go on in several branches ([Go], [All],
// [First]), and bound its time ([Within]). Tools of package agent have their helpers
// beside that. All of it is given the code's [Context], or whatever embeds one.
//
// The code must do the same again when it is run again: what it asks of the outside it
// asks in these ways, and it starts no goroutines, since nothing runs between two events
// and whoever blocks would block every object of the instance. The analyser in replay,
// part of go vet in this project, reports what breaks that, and a replay that asks
// something else than the journal holds ends in a [*DivergedError].
//
// Whoever owns a routine starts it over its journal ([Start]), tells the journal what
// has come ([Complete], [Wake], [Routine.Fetched]), and lets the code go on
// ([Routine.Resume]). When the code is to end, whatever it had begun is given up
// ([Routine.Stop]).
package flow
