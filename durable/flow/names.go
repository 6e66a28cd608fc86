package flow

// This file has the names that are stored, or that the host gives back in an event. A stored name never changes, because
// objects of earlier versions have it.

// The kinds of the entries in the object's schedule.
const (
	// DueSleep is the kind of a sleep, or of a time limit, in the object's schedule. The schedule's
	// owner passes due entries of this kind to [Wake].
	DueSleep = "sleep"
	// DueWorkflow asks how an instance goes on. The schedule's owner passes due entries of this kind to
	// [Routine.Ask].
	DueWorkflow = "workflow"
	// DueTerminate terminates an instance again. The schedule's owner passes due entries of this kind
	// to [TerminateAgain].
	DueTerminate = "terminate"
)

// The names of awaits in a journal.
const (
	// GuardName is the name of the await of a guard.
	GuardName = "guard"
	// branchOf begins the name of the await of a branch.
	branchOf = "branch "
	// claimOf begins the name of the await of a claim. The key follows. beginsUndo is the step that begins to undo an action.
	// Directly behind either of them, ActionLease is the await that is open until the action has ended.
	claimOf     = "action "
	beginsUndo  = "step action undo"
	ActionLease = "action held"
	// silentOf begins the id of the entry that ends the wait for an instance. It is there while the
	// platform fails, so no loss of memory makes the time longer. The id of the other entry follows.
	silentOf = "silent "
	// workflowOf begins the name of the await of a Workflow. The binding and the instance's id follow.
	workflowOf = "workflow "
)

// The beginnings of the names of fetches and timers.
const (
	// FetchOf begins the names of the fetches that code makes. The object passes their events to [Routine.Fetched].
	FetchOf = "await/"
	// TerminateOf begins the names of the fetches that terminate instances. The object passes their events to [Terminated].
	TerminateOf = "terminate/"
	// SliceTimer begins the names of the timers of slices. The object passes a timer that has fired to [Routine.Fired].
	SliceTimer = "stretch "
)
