package chat

// This file has the names that are stored, or that the host gives back in an event. A stored name never changes, because
// objects of earlier versions have it.

// The kinds of entries in the schedule.
const (
	// dueUnauthorized is when the next socket's authorization expires.
	dueUnauthorized = "unauthorized"
	// dueTimer is a helper's timer. A helper has no alarm.
	dueTimer = "due"
)

// The keys of the settings.
const (
	// settingName is the name that the object is addressed by.
	settingName = "name"
	// settingState is the agent's state, JSON.
	settingState = "state"
	// settingTerminal is the request whose failure must be shown to a returning tab.
	settingTerminal = "terminal"
	// settingTools are the tools that the browser offers where nobody signs in, JSON. settingToolsOf are those
	// that people offer who sign in, for each of the last of them.
	settingTools, settingToolsOf = "tools", "tools of"
	// settingRecovered is the request whose answer was interrupted last. From then on every tab that
	// connects is told whether an answer is being recovered. It may have heard that one is before it
	// left, and believes it until it is told otherwise.
	settingRecovered = "recovered"
)

const (
	// narrationPrefix begins the request ids of turns in which a model narrates.
	narrationPrefix = "narration-"
	// jobPrefix begins the request ids of turns that do something for code which cannot wait. No
	// model is asked.
	jobPrefix = "errand-"
)
