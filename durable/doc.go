// Package durable is the core of Tributary: an object is a function of its storage and one event,
// and its answer is a list of commands.
//
// Neither this package nor any package below it does I/O, starts a goroutine or reads a clock. An
// object reads and writes its state synchronously through [Storage]. It acts on the outside world
// through [Command] values, which a host performs after the event's transaction has committed.
// Whatever the host receives from outside comes back as the next [Event].
//
// An [Object]'s fields are a cache over its storage. A host may discard the value between any two
// events and make a new one (invariant I4). So everything that must be remembered is in a row
// before Step returns.
package durable
