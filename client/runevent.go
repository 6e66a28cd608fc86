package client

import "encoding/json"

// RunEventKind says what has happened to a helper's run.
type RunEventKind string

// The kinds of events, with the fields that they have besides RunID.
const (
	RunStarted     RunEventKind = "started"     // Agent, Title, Input
	RunChunk       RunEventKind = "chunk"       // Chunk: a piece of the helper's answer
	RunProgress    RunEventKind = "progress"    // Progress
	RunMilestone   RunEventKind = "milestone"   // Milestone
	RunFinished    RunEventKind = "finished"    // Summary
	RunFailed      RunEventKind = "error"       // Reason
	RunAborted     RunEventKind = "aborted"     // Reason
	RunInterrupted RunEventKind = "interrupted" // Reason: the parent no longer waits for the run
)

// RunEvent is something that has happened to a helper's run.
type RunEvent struct {
	RunID  string
	CallID string // the tool call that has started the run, or ""
	Kind   RunEventKind

	Agent     string          // the helper's class
	Title     string          // how a page shows the helper, or ""
	Input     json.RawMessage // what the helper was asked, or nil if the run keeps that to itself
	Chunk     Chunk
	Progress  Progress
	Milestone Milestone
	Summary   string // the result, as text
	Reason    string // why there is none
}

// End says whether the run is over.
func (e RunEvent) End() bool {
	switch e.Kind {
	case RunFinished, RunFailed, RunAborted, RunInterrupted:
		return true
	}
	return false
}

// Progress is how far a helper has come, as its code reports it. Any field may be missing.
type Progress struct {
	Fraction float64         `json:"fraction"` // from 0 to 1
	Message  string          `json:"message"`
	Phase    string          `json:"phase"`
	Data     json.RawMessage `json:"data"`
}

// Milestone is a point that a helper has reached, once for each name.
type Milestone struct {
	Name     string          `json:"name"`
	Sequence int64           `json:"sequence"` // counts the milestones of the run from 0
	At       int64           `json:"at"`       // in milliseconds since 1970
	Data     json.RawMessage `json:"data"`
}

// wireEvent is the event in a frame.
type wireEvent struct {
	Kind         string          `json:"kind"`
	RunID        string          `json:"runId"`
	AgentType    string          `json:"agentType"`
	InputPreview json.RawMessage `json:"inputPreview"`
	Display      struct {
		Name string `json:"name"`
	} `json:"display"`
	Body    string `json:"body"`
	Summary string `json:"summary"`
	Error   string `json:"error"`
	Reason  string `json:"reason"`
}

// seenRun is what was delivered of a run, so that nothing is delivered twice: the server sends the
// events of a run again on every connection.
type seenRun struct {
	started, ended bool
	next           int64  // the number of the next chunk
	progress       string // the last report
	milestones     int64
}

// take returns an event for a reader, and says whether there is a new one.
func (s *seenRun) take(f incoming) (RunEvent, bool) {
	e := RunEvent{RunID: f.Event.RunID, CallID: f.ParentToolCall, Kind: RunEventKind(f.Event.Kind)}
	switch e.Kind {
	case RunStarted:
		e.Agent, e.Title, e.Input = f.Event.AgentType, f.Event.Display.Name, f.Event.InputPreview
		fresh := !s.started
		s.started = true
		return e, fresh
	case RunFinished, RunFailed, RunAborted, RunInterrupted:
		e.Summary, e.Reason = f.Event.Summary, f.Event.Error
		if e.Reason == "" {
			e.Reason = f.Event.Reason
		}
		fresh := !s.ended
		s.ended = true
		return e, fresh
	case RunChunk:
		return s.takeChunk(e, f)
	}
	return e, false
}

func (s *seenRun) takeChunk(e RunEvent, f incoming) (RunEvent, bool) {
	var w wireChunk
	if json.Unmarshal([]byte(f.Event.Body), &w) != nil {
		return e, false
	}
	switch w.Type {
	case "data-agent-progress":
		e.Kind = RunProgress
		if w.ID == s.progress && w.ID != "" || json.Unmarshal(w.Data, &e.Progress) != nil {
			return e, false
		}
		s.progress = w.ID
		return e, true
	case "data-agent-milestone":
		e.Kind = RunMilestone
		if json.Unmarshal(w.Data, &e.Milestone) != nil || e.Milestone.Sequence < s.milestones {
			return e, false
		}
		s.milestones = e.Milestone.Sequence + 1
		return e, true
	}
	if f.Sequence < s.next {
		return e, false
	}
	s.next = f.Sequence + 1
	var ok bool
	e.Chunk, ok = w.chunk()
	return e, ok
}
