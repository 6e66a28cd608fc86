// Package run is the parent's side of helpers as tools: the registry of runs. A run is one
// execution of a helper: one id, one helper, one turn of it. Its row is written before the helper
// is woken, and reaches exactly one final status, whatever fails on the way (invariant I6).
//
// The package holds rows and rules. It sends nothing: its caller dispatches runs, and reports to
// the package what it hears of them. README.md beside this file has the states of a run and the
// decisions.
package run
