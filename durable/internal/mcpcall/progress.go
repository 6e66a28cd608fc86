package mcpcall

import (
	"bytes"
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file shows people how far calls of servers are. It lives in memory, as the streams do.

// reportEvery is the shortest time between two reports of a call, in milliseconds. The last of those in
// between is shown when it is over.
const reportEvery = 200

// report is the progress of a call: what is not shown yet, or nil, and what was shown last, at shownAt.
type report struct {
	waits, shown []byte
	shownAt      int64
}

// Progress is the data of the chunk data-mcp-progress, which shows how far a call of a server is. Its
// JSON is public. No log has the chunk.
type Progress struct {
	ToolCallID string `json:"toolCallId"`
	Server     string `json:"server"`
	Tool       string `json:"tool"`
	// Progress grows towards Total, if that is known.
	Progress float64  `json:"progress"`
	Total    *float64 `json:"total,omitempty"`
	Message  string   `json:"message,omitempty"`
}

// noted handles a notification of a server.
func (k *Call) noted(tx *durable.Tx, m mcp.Message) {
	note, ok := mcp.ParseNote(m)
	p, is := note.(mcp.Progress)
	switch {
	case !ok || !is || k.tool == "":
	case k.Code.Outside != 0:
		k.Object.Report(tx, k.Code.Call.ID, run.Progress{Fraction: fraction(p), Message: mcp.Quote(p.Message, limit.ReportWords)})
	default:
		k.servers.report(tx, Progress{
			ToolCallID: k.Code.Call.ID, Server: k.name, Tool: k.tool, Progress: p.Done, Total: p.Total, Message: mcp.Quote(p.Message, limit.ReportWords),
		})
	}
}

// fraction returns which part of a call is done, or 0 if that is not known.
func fraction(p mcp.Progress) float64 {
	if p.Total == nil || *p.Total <= 0 {
		return 0
	}
	return min(max(p.Done / *p.Total, 0), 1)
}

// does shows what a task is doing.
func (k *Call) does(t mcp.Task) {
	if t.Message != "" && k.tool != "" && k.Code.Outside == 0 {
		k.servers.reportLater(flow.Event(k), Progress{ToolCallID: k.Code.Call.ID, Server: k.name, Tool: k.tool, Message: mcp.Quote(t.Message, limit.ReportWords)})
	}
}

// reportLater shows a progress in a moment. Code that is run again over its journal comes by all that a task has
// done: only the last of that is shown, and only if it is not what is shown already.
func (s *Servers) reportLater(tx *durable.Tx, p Progress) {
	if s.keepReport(p) {
		tx.Schedule(mcpclient.DueReport, p.ToolCallID, tx.Now+reportEvery)
	}
}

// report shows a progress, or keeps it until it may be shown.
func (s *Servers) report(tx *durable.Tx, p Progress) {
	if !s.keepReport(p) {
		return
	}
	if r := s.reports[p.ToolCallID]; r.shown != nil && tx.Now < r.shownAt+reportEvery {
		tx.Schedule(mcpclient.DueReport, p.ToolCallID, r.shownAt+reportEvery)
		return
	}
	s.reportDue(tx, p.ToolCallID)
}

// keepReport keeps a progress until it may be shown. It is false for what is shown already.
func (s *Servers) keepReport(p Progress) bool {
	r := s.reports[p.ToolCallID]
	if r == nil {
		if s.reports == nil {
			s.reports = map[string]*report{}
		}
		r = &report{}
		s.reports[p.ToolCallID] = r
	}
	if r.waits = limit.MustMarshal(p); bytes.Equal(r.waits, r.shown) {
		r.waits = nil
	}
	return r.waits != nil
}

// reportDue shows what is not shown yet of a call.
func (s *Servers) reportDue(tx *durable.Tx, call string) {
	r := s.reports[call]
	if r == nil || r.waits == nil {
		return
	}
	s.object.ShowNote(tx, limit.MustMarshal(struct {
		Type      string          `json:"type"`
		ID        string          `json:"id"`
		Transient bool            `json:"transient"`
		Data      json.RawMessage `json:"data"`
	}{"data-mcp-progress", tx.NewID(), true, r.waits}))
	r.waits, r.shown, r.shownAt = nil, r.waits, tx.Now
}

// reported shows the last progress of a call that has ended, and forgets it.
func (s *Servers) reported(tx *durable.Tx, call string) {
	if s.reports[call] != nil {
		s.reportDue(tx, call)
		delete(s.reports, call)
		tx.Unschedule(mcpclient.DueReport, call)
	}
}
