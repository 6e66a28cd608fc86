// Package run is the parent's side of helpers as tools: the registry of runs. One
// run is one execution of a helper: one id, one helper, one turn of it. Its row is
// written before the helper is woken, and reaches exactly one final status,
// whatever dies on the way (invariant I6).
//
// The package holds rows and rules. It sends nothing: whoever dispatches a run, or
// hears of it, tells it here.
package run
