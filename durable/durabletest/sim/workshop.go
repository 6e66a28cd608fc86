package sim

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// This file is what a subject has in common with its simulator about tools that use more of package
// flow. They are offered where the variable [WorkshopVar] is set, each takes a query, and what each
// returns follows from that alone.

// WorkshopVar is the variable that has the root offer them.
const WorkshopVar = "WORKSHOP"

// The tools.
const (
	// Relay has branches that sleep, and takes the first of several.
	Relay = "relay"
	// Hasty limits the time of what takes longer.
	Hasty = "hasty"
	// Vain fails.
	Vain = "vain"
	// Careless returns while a run, a branch and a request of its are open.
	Careless = "careless"
	// Follow awaits a milestone that its run does not reach.
	Follow = "follow"
	// Mine takes the instance along whenever it goes on.
	Mine = "mine"
)

var workshop = []string{Relay, Hasty, Vain, Careless, Follow, Mine}

// Words in a text that have something happen.
const (
	// Breaks in a question takes the instance along before the model is asked it.
	Breaks = "which breaks"
	// EndBreaks in the input of a detached run takes the instance along when its end is handed over.
	EndBreaks = "whose end breaks"
	// Twice in a query has a helper reach a milestone twice.
	Twice = "twice"
)

// remarks are what the model adds to what it asks of tools.
var remarks = []choice{{"", 4}, {", " + Twice, 2}, {", " + EndBreaks, 1}}

// ToolServer is where these tools send requests. It never answers.
const ToolServer = "http://tools.test/"

// ToolResult is what such a tool returns.
type ToolResult struct {
	Query string `json:"query"`
	// Parts are what its branches have returned, and Raced says that one of several was first.
	Parts []string `json:"parts,omitempty"`
	Raced bool     `json:"raced,omitempty"`
	// Late says that its time was over, and WentOn that what it limited went on nevertheless.
	Late   bool `json:"late,omitempty"`
	WentOn bool `json:"wentOn,omitempty"`
	// Missed says that a milestone did not come.
	Missed bool `json:"missed,omitempty"`
}

// results are what the tools return besides the query.
var results = map[string]ToolResult{
	Relay: {Parts: []string{"one", "two", "three"}, Raced: true}, Hasty: {Late: true}, Careless: {}, Follow: {Missed: true},
}

// VainError is what [Vain] says of a query.
func VainError(query string) string { return "nothing is known " + query }

// unfinished says whether the model is told that a call has not come to its end: its turn has ended
// before, or the answer that made it broke off.
func unfinished(result string) bool {
	return slices.ContainsFunc([]string{`"the turn failed"`, `"the turn was stopped"`, `"the model's answer broke off here"`}, func(why string) bool {
		return strings.Contains(result, why)
	})
}

// workshopResult returns what the model has to be told of a call, or "" where that does not follow from
// its input.
func workshopResult(c toolCall) string {
	var v any
	result, known := results[c.name]
	switch {
	case c.name == Vain:
		v = map[string]any{"ok": false, "error": VainError(c.values[0])}
	case known:
		result.Query = c.values[0]
		v = result
	default:
		return ""
	}
	body, err := json.Marshal(v)
	if err != nil {
		panic("sim: " + err.Error())
	}
	return string(body)
}

// preferred leaves the workshop's tools of some, half of the time where they are offered, and seldom
// the one that takes the instance along.
func preferred(d dice, tools []tool) []tool {
	own := slices.DeleteFunc(slices.Clone(tools), func(t tool) bool { return !slices.Contains(workshop, t.Function.Name) })
	if len(own) == 0 || d.chance(2) {
		return tools
	}
	if !d.chance(4) {
		own = slices.DeleteFunc(own, func(t tool) bool { return t.Function.Name == Mine })
	}
	return own
}

// rememberFailures is that the model is told in later turns, too, why a call of [Vain] has failed.
func (e *endpoint) rememberFailures(q question, made map[string]toolCall) {
	for _, m := range q.Messages[:q.asked()] {
		if made[m.ToolCallID].name == Vain && strings.Contains(m.Content, "was interrupted") {
			e.sim.fail("I8", "the model is told of a call that has failed: %s", m.Content)
		}
	}
}

// sameJSON says whether two texts are the same JSON.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// ofTool says whether a request is a tool's.
func ofTool(f durable.Fetch) bool { return strings.HasPrefix(f.URL, ToolServer) }
