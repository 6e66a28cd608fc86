// Package flow runs straight-line code that survives its instance. The code is a
// coroutine: it runs within an event until it waits, and goes on within the event
// that brings what it waits for. Everything that it awaits is journaled by its
// position and name. When its instance is gone, the code is run again from its
// start over the journal: what was awaited before is answered from there, at once,
// and so nothing happens twice.
//
// The code must therefore do the same again: what it asks of the outside (time,
// chance, storage) it asks by [Step] or another function of this package. A
// replay that asks something else than the journal holds ends in a
// [*DivergedError].
package flow
