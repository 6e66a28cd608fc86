// Package durable is the core that everything in Tributary stands on: an
// object is a function of its storage and one event, and its answer is a list
// of commands.
//
// Nothing in here, or in any package below, does I/O, starts a goroutine or
// reads a clock. State is read and written synchronously through [Storage];
// the outside world is reached through [Command] values, which a host
// performs after the event's transaction has committed. What a host learns
// from the outside comes back as the next [Event].
//
// An [Object]'s fields are a cache over its storage. A host may throw the
// value away between any two events and make a new one (invariant I4), so
// whatever must be remembered is in a row before Step returns.
package durable
