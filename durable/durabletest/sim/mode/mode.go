// Package mode is the switches that decisions turn on in a simulated world for the rest of its
// life.
package mode

import "encoding/json"

// Mode is the switches of one root. All parts of its world share them.
type Mode struct {
	// Questions makes the model ask several things of people in one answer.
	Questions bool
	// Plans makes the root's model have a helper plan, which asks people.
	Plans bool
	// Garbles makes the model's server send something else than a JSON object as the input of some calls, OneIndex number all
	// calls of an answer as the first one, so that their ids tell them apart, and OddErrors tell its failures in other
	// shapes than those of OpenAI.
	Garbles, OneIndex, OddErrors bool
	// Workshop makes the root offer the tools of the workshop.
	Workshop bool
	// Office makes the root offer the tools of the office.
	Office bool
	// Code makes the root offer a tool that runs code.
	Code bool
	// Servers says that the root uses servers, and that programs use the root.
	Servers bool
	// Delegates makes the root's model send helpers to servers.
	Delegates bool
	// Tokens is how long the token of a socket is valid, in milliseconds, or 0 if none is needed.
	Tokens int64
	// ShakyUntil is until when each stream of a run breaks as it is opened, once its helper has taken
	// the run: a run whose helper cannot be reached for so long is given up before that.
	ShakyUntil int64
	// Settling means that the world comes to rest: no trouble is made any more.
	Settling bool
	// Own is nil for the agents that are made for the simulator. See package contract.
	Own *Own
}

// Own is what the simulator knows of agents that are not made for it. They have tools of any kind,
// and nothing follows from the names and the inputs of those.
type Own struct {
	// Client are the tools that run in the browser, each with the JSON Schema of its output, or nil.
	Client map[string]json.RawMessage
	// Hooked says that hooks may change what a model is told, or refuse a turn or a run.
	Hooked bool
}

// IsClient says whether a tool of such agents runs in the browser.
func (m *Mode) IsClient(tool string) bool {
	if m.Own == nil {
		return false
	}
	_, ok := m.Own.Client[tool]
	return ok
}
