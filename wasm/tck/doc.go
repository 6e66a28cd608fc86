// Package tck is the proof that both hosts of the module are the same host: it
// runs one guest under wazero and, by the shim, under Node, with the same
// events, and compares every byte that passes the boundary. worker/ runs the
// same guest in workerd.
//
// [Node] is the shim as an engine, for other tests to run their scenarios on.
package tck
