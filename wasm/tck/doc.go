// Package tck is the conformance kit of the module's hosts. It runs one guest under wazero and,
// with the shim, under Node, delivers the same events to both, and compares every byte that crosses
// the boundary. worker/ runs the same guest in workerd.
//
// [Node] is the shim as an engine, on which other tests run their scenarios.
package tck
