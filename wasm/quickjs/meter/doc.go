// Package meter makes a WebAssembly module count its own work. Every entry of a function and every
// round of a loop takes one unit from a countdown, and so does every 32 bytes that one instruction
// moves. At zero the module traps.
//
// The countdown is a global that the module exports under the name [Fuel]. It begins at zero, so the
// host must set it before the first call. What the module computes is the same as before.
package meter
