package task

// This file has the names that are stored, or that the host gives back in an event. A stored name never changes, because
// objects of earlier versions have it.

const (
	// DueReport is the kind of the schedule's entry that tells a parent how far a run has come.
	DueReport = "report"

	// settingPause is the key of the last pause of a helper's run, or of its end, JSON.
	settingPause = "paused"
	// settingGeneration is the key of the number of uses of a helper's slot, up to and including its
	// own, JSON.
	settingGeneration = "generation"
	// settingToken is the key of [Token].
	settingToken = "token"
	// settingNextWake is the key of when a helper's parent will wake it, JSON.
	settingNextWake = "woken"
)
