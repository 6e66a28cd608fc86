// Package meter makes a WebAssembly module count its own work and its own stack.
//
// Every entry of a function and every round of a loop takes one unit from a countdown, and so does
// every 32 bytes that one instruction moves. At zero the module traps. The countdown is a global that
// the module exports under the name [Fuel]. It begins at zero, so the host must set it before the
// first call.
//
// Every function that calls another takes a share of the stack for as long as it runs. The share is
// an estimate of what its frame takes on any host. Where too little is left, the module traps, and
// does so on every host at the same call, while the stacks of the hosts have different sizes. What is
// left is a global that the module exports under the name [Stack]. It is less than zero after such a
// trap.
//
// What the module computes is the same as before.
package meter
