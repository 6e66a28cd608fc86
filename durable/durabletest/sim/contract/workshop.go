package contract

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// WorkshopVar is the variable that makes the root offer the workshop: tools that use more of
// package flow than the shipped ones. Each takes a query, and its result follows from the query
// alone.
const WorkshopVar = "WORKSHOP"

// The tools of the workshop.
const (
	// Relay has branches that sleep, and takes the first of several.
	Relay = "relay"
	// Hasty limits the time of something that takes longer.
	Hasty = "hasty"
	// Vain fails.
	Vain = "vain"
	// Careless returns while a run, a branch and a request of its own are open.
	Careless = "careless"
	// Follow awaits a milestone that its run does not reach.
	Follow = "follow"
	// Mine traps each time that it goes on.
	Mine = "mine"
)

var workshop = []string{Relay, Hasty, Vain, Careless, Follow, Mine}

// InWorkshop says whether a tool is one of the workshop.
func InWorkshop(tool string) bool { return slices.Contains(workshop, tool) }

// The words in a text that make something happen.
const (
	// Breaks in a question makes the object trap before its model is asked.
	Breaks = "which breaks"
	// EndBreaks in the input of a detached run makes the handler of its end trap.
	EndBreaks = "whose end breaks"
	// Twice in a query makes a helper reach each milestone twice.
	Twice = "twice"
)

// ToolResult is the result of a tool of the workshop.
type ToolResult struct {
	Query string `json:"query"`
	// Parts are the results of its branches. Raced says that it has the first of several branches.
	Parts []string `json:"parts,omitempty"`
	Raced bool     `json:"raced,omitempty"`
	// Late says that its time limit has passed, WentOn that something went on behind the limit.
	Late   bool `json:"late,omitempty"`
	WentOn bool `json:"wentOn,omitempty"`
	// Missed says that a milestone did not come.
	Missed bool `json:"missed,omitempty"`
}

// results are the results of the tools, without the query.
var results = map[string]ToolResult{
	Relay: {Parts: []string{"one", "two", "three"}, Raced: true}, Hasty: {Late: true}, Careless: {}, Follow: {Missed: true},
}

// VainError is the error of [Vain] for a query.
func VainError(query string) string { return "nothing is known " + query }

// Result returns the result of a tool's call that the model must be told, as JSON, or "" if it does
// not follow from the query.
func Result(tool, query string) string {
	var v any
	result, known := results[tool]
	switch {
	case tool == Vain:
		v = map[string]any{"ok": false, "error": VainError(query)}
	case known:
		result.Query = query
		v = result
	default:
		return ""
	}
	body, err := json.Marshal(v)
	if err != nil {
		panic("contract: " + err.Error())
	}
	return string(body)
}

// ToolServer is where these tools send requests. It never answers.
const ToolServer = "http://tools.test/"

// FromTool says whether a request is that of a tool, and not one to the model.
func FromTool(f durable.Fetch) bool { return strings.HasPrefix(f.URL, ToolServer) }
