package mcpserver

// This file has the names that are stored, or that the host gives back in an event. A stored name never changes, because
// objects of earlier versions have it.

// The kinds of the server's entries in the schedule.
const (
	// dueExpiry ends a call that its client has not asked for any more, or forgets a task.
	dueExpiry = "mcp-expiry"
	// dueAgain has the code of a call go on in an event of its own.
	dueAgain = "mcp-again"
	// dueWatch wakes an object whose tasks wait for what is lost with its memory.
	dueWatch = "mcp-watch"
	// dueSession is the kind of the entry of the schedule that ends a session.
	dueSession = "mcp-session"
)

// Kinds are all of them. Entries of a Workflow are the server's too.
var Kinds = []string{dueExpiry, dueAgain, dueWatch, dueSession}

const (
	// SlowTimer begins the names of the timers of requests that wait.
	SlowTimer = "mcp/"
	// AliveTimer is the timer at which clients that wait are told that the server is alive.
	AliveTimer = "mcp-alive"
	// routineOf begins the names of the routines of calls.
	routineOf = "mcp-"
	// submissionOf begins the ids of the submissions that calls wait for. Behind it stand the routine and
	// the await, so a turn that ends finds its call without a row.
	submissionOf = "mcp/"
)

// The kinds of calls.
const (
	// ofRequest is the answer to the request that waits. The call ends when its client leaves.
	ofRequest kind = "request"
	// ofTask is a task that the client asks for.
	ofTask kind = "task"
	// ofSession is the answer to a request of a session. The call goes on if its client leaves, which may
	// come back for it.
	ofSession kind = "session"
)

// The states of a call.
const (
	working   state = "working"
	asking    state = "asking"
	completed state = "completed"
	failed    state = "failed"
	cancelled state = "cancelled"
)
