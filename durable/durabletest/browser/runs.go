package browser

import (
	"encoding/json"
	"strings"
)

// Run is what a tab shows of a helper's run.
type Run struct {
	RunID            string          `json:"runId"`
	AgentType        string          `json:"agentType"`
	ParentToolCallID string          `json:"parentToolCallId,omitempty"`
	InputPreview     json.RawMessage `json:"inputPreview,omitempty"`
	Order            int             `json:"order"`
	Display          json.RawMessage `json:"display,omitempty"`
	Status           string          `json:"status"`
	Parts            []*Part         `json:"parts"`
	Summary          *string         `json:"summary,omitempty"`
	Error            string          `json:"error,omitempty"`
	Reason           string          `json:"reason,omitempty"`
	Milestones       []Milestone     `json:"milestones,omitempty"`
}

// Milestone is a point that a run has reached.
type Milestone struct {
	Name     string          `json:"name"`
	Sequence int             `json:"sequence"`
	At       int64           `json:"at"`
	Data     json.RawMessage `json:"data,omitempty"`
}

// event is the body of a frame about a run.
type event struct {
	Kind         string          `json:"kind"`
	RunID        string          `json:"runId"`
	AgentType    string          `json:"agentType"`
	InputPreview json.RawMessage `json:"inputPreview"`
	Order        int             `json:"order"`
	Display      json.RawMessage `json:"display"`
	Body         string          `json:"body"`
	UnstoredID   *string         `json:"unstoredId"`
	Summary      *string         `json:"summary"`
	Error        string          `json:"error"`
	Reason       string          `json:"reason"`
}

const milestone = "data-agent-milestone"

// hear handles one event of a run. An event that was seen before changes nothing. An event of an
// unknown run is lost for good, because it counts as seen.
func (t *Tab) hear(f frame) {
	var e event
	if json.Unmarshal(f.Event, &e) != nil {
		return
	}
	key := identity(f, e)
	if t.seen[key] {
		return
	}
	t.seen[key] = true
	run := t.Runs[e.RunID]
	switch {
	case e.Kind == "started":
		t.begin(f.ParentToolCallID, e)
	case run != nil:
		run.hear(e)
	}
}

// identity returns the key by which events are told apart: chunks by their number, others by their
// content.
func identity(f frame, e event) string {
	key := "event:" + string(f.Event)
	switch {
	case e.Kind != "chunk":
	case e.UnstoredID != nil:
		key = "unstored:" + *e.UnstoredID
	case strings.Contains(e.Body, milestone) || strings.Contains(e.Body, "data-agent-progress"):
		key = "lifecycle:" + e.Body
	default:
		key = "seq:" + string(f.Sequence)
	}
	return strings.Join([]string{f.ParentToolCallID, e.RunID, key}, "\x00")
}

// begin shows a run, or updates it. A run that has ended does not begin again.
func (t *Tab) begin(call string, e event) {
	run := t.Runs[e.RunID]
	if run == nil {
		run = &Run{Parts: []*Part{}, Status: "running"}
		t.Runs[e.RunID] = run
	}
	if run.Status != "running" {
		return
	}
	run.RunID, run.AgentType, run.ParentToolCallID = e.RunID, e.AgentType, call
	run.InputPreview, run.Order, run.Display = e.InputPreview, e.Order, e.Display
}

func (r *Run) hear(e event) {
	switch e.Kind {
	case "chunk":
		var c chunk
		if json.Unmarshal([]byte(e.Body), &c) == nil {
			r.Parts = apply(r.Parts, c)
			r.addMilestone(c)
		}
	case "finished":
		r.Status, r.Summary, r.Error = "completed", e.Summary, ""
	case "error":
		r.Status, r.Error = "error", e.Error
	case "aborted":
		r.Status, r.Error = "aborted", e.Reason
	case "interrupted":
		r.Status, r.Error, r.Reason = "interrupted", e.Error, e.Reason
	}
}

// addMilestone adds a milestone if it is new.
func (r *Run) addMilestone(c chunk) {
	var m Milestone
	if c.Type != milestone || json.Unmarshal(c.Data, &m) != nil {
		return
	}
	for _, have := range r.Milestones {
		if have.Sequence == m.Sequence {
			return
		}
	}
	r.Milestones = append(r.Milestones, m)
}
