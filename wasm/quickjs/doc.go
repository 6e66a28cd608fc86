// Package quickjs runs the scripts of durable/script on wazero, as wasm/shim/scripts.ts does in a
// Worker: one instance of the engine a box. README.md lists the calls of the engine that a request
// consists of. Their order counts, because each of them takes units of work.
//
// A native program that imports this package for its effect runs scripts on a host of the process.
package quickjs
