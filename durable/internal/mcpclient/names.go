package mcpclient

// This file has the names that are stored, or that the host gives back in an event. A stored name never changes, because
// objects of earlier versions have it.

// The kinds of the entries in the schedule.
const (
	// Due is the kind of the entries of the schedule. The id is that of a server, which is asked again or has
	// not answered in time, or "" for the end of the time for which a turn waits.
	Due = "mcp"
	// DueFrame is the kind of the entry that sends a frame which had to wait.
	DueFrame = "mcp-frame"
	// DuePutOff is the kind of the entries that wait for the end of a pause. The id is that of the server that is asked then.
	DuePutOff = "mcp-held"
	// DueSign is the kind of the entries at which a sign-in continues. The id is that of the server.
	DueSign = "mcp-sign"
	// dueRelay is the kind of the entry with which a stream goes on, and dueAsked of the one that ends a stream whose
	// question no helper has answered.
	dueRelay, dueAsked = "mcp-below", "mcp-asked"
	// DueReport is the kind of the entry that shows how far a call is. The id is that of the call.
	DueReport = "mcp-progress"
)

// Kinds are all of them.
var Kinds = []string{Due, DueFrame, DuePutOff, DueSign, dueRelay, dueAsked, DueReport}

const (
	// FetchOf begins the names of the fetches of servers.
	FetchOf = "mcp/"
	// relayFetch begins the names of the fetches of such requests. The number of the row follows.
	relayFetch = FetchOf + "/below/"
	// SampleOf begins the names of the fetches and timers of the answers that servers ask of a model.
	SampleOf = "mcp-sample/"
	// relayWaiter stands for the routine of an await, in the row of a helper's request that waits for a server.
	relayWaiter = "^below"
)

// The names of the secrets of a server.
const (
	// secretHeaders are headers that a person has given.
	secretHeaders = "headers"
	// SecretGiven is the client that was registered by hand, and SecretClient the one that was used last.
	SecretGiven  = "given"
	SecretClient = "client"
	// SecretToken is a token, and SecretSignIn how far signing in is.
	SecretToken  = "token"
	SecretSignIn = "sign-in"
	// secretAdded is the subject that has added the server, and secretAsker the one that has had it asked last.
	secretAdded = "added by"
	secretAsker = "asker"
	// SecretLink begins the name of a link that was pressed. The id of the link follows.
	SecretLink = "link/"
)

// The states of a server.
const (
	NotConnected   State = "not-connected"
	Connecting     State = "connecting"
	Discovering    State = "discovering"
	Ready          State = "ready"
	Authenticating State = "authenticating"
	Failed         State = "failed"
)
