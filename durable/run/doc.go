// Package run keeps a parent's runs of helpers. A run is one execution of a helper: it has one id,
// one helper, and one turn of that helper. Its row is written before the helper is woken, and
// reaches exactly one final status, whatever fails on the way (invariant I6).
//
// The package stores runs and decides which changes are allowed. It sends nothing. Package
// supervisor sends runs to helpers, and passes to this package what the helpers send back.
// README.md beside this file has the states of a run and the decisions.
package run
