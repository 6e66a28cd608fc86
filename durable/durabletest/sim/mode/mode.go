// Package mode is the switches that decisions turn on in a simulated world for the rest of its
// life.
package mode

// Mode is the switches of one root. All parts of its world share them.
type Mode struct {
	// Questions makes the model ask several things of people in one answer.
	Questions bool
	// Plans makes the root's model have a helper plan, which asks people.
	Plans bool
	// Workshop makes the root offer the tools of the workshop.
	Workshop bool
	// Tokens is how long the token of a socket is valid, in milliseconds, or 0 if none is needed.
	Tokens int64
	// ShakyUntil is until when each stream of a run breaks as it is opened, once its helper has taken
	// the run: a run whose helper cannot be reached for so long is given up before that.
	ShakyUntil int64
	// Settling means that the world comes to rest: no trouble is made any more.
	Settling bool
}
