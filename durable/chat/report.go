package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is about what the code of a run says of its progress: how its helper keeps
// that, and tells the parent, and how the parent shows it.

// reportEvery is how long after one report the parent is told of the next, in
// milliseconds. What is said in between waits, and only the last of it is told.
const reportEvery = 200

// The sizes of a report, in bytes.
const (
	maxPhase   = limit.Phase
	maxMessage = limit.ReportWords
	// MaxReportData is the size of what a report says to programs.
	MaxReportData = limit.ReportData
)

// Progress is how far a run has come, as its code reports it. What is empty in it is not
// told.
type Progress struct {
	// Fraction is what is done, from 0 to 1.
	Fraction float64
	// Phase names the part of the work that is under way, Message says it to people.
	Phase, Message string
	// Data is for programs. It becomes JSON.
	Data any
}

// checked returns what can be told, or what is wrong with it.
func (p Progress) checked() (run.Progress, error) {
	r := run.Progress{Fraction: min(p.Fraction, 1), Phase: p.Phase, Message: p.Message}
	switch {
	case !(p.Fraction >= 0): // nor is it a number otherwise
		return r, fmt.Errorf("progress: a fraction of %v, not from 0 to 1", p.Fraction)
	case len(p.Phase) > maxPhase:
		return r, fmt.Errorf("progress: a phase of %d bytes, at most %d", len(p.Phase), maxPhase)
	case len(p.Message) > maxMessage:
		return r, fmt.Errorf("progress: a message of %d bytes, at most %d", len(p.Message), maxMessage)
	}
	var err error
	r.Data, err = reportData(p.Data)
	if err != nil {
		return r, fmt.Errorf("progress: %w", err)
	}
	return r, nil
}

func reportData(v any) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	data, err := encodeWithin(v, MaxReportData)
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return data, nil
}

// ReportProgress tells whoever watches a helper's run how far it has come: at most five
// times a second, where the last report of many always arrives, and one of all that there
// is to do at once. A report replaces the one before it. Outside of a run there is nobody
// to tell. It is an await like any other, of which a call has 10,000 ([flow.MaxAwaits]): code
// with more to do than that reports every hundredth thing.
func (c *ToolContext) ReportProgress(p Progress) error {
	checked, err := p.checked()
	if err != nil {
		return err
	}
	_, err = flow.Step(c, "report progress", func(tx *durable.Tx) (any, error) {
		c.host.report(tx, checked)
		return nil, nil
	})
	return err
}

// reported is what a run's code has last said of its progress, and when the parent is
// told, in milliseconds since 1970.
type reported struct {
	Report report `json:"report"`
	Due    int64  `json:"due"`
	// Milestones is how many milestones the run has reached.
	Milestones int64 `json:"milestones"`
}

func keepReported(tx *durable.Tx, k task) {
	tx.SQL(`UPDATE task SET reported = ? WHERE run = ?`, string(encode(k.reported)), k.run)
}

// report keeps what the live turn's code says of its run, for the parent.
func (h *Host) report(tx *durable.Tx, p run.Progress) {
	k, ok := taskOf(tx, h.live.turn.Seq)
	if !ok {
		return
	}
	p.At, p.Milestones = tx.Now, k.reported.Milestones
	due := k.reported.Due
	if due <= tx.Now { // the one before it is not waiting
		due = max(due+reportEvery, tx.Now)
	}
	if p.Fraction >= 1 {
		due = tx.Now
	}
	k.reported.Report, k.reported.Due = report{N: k.reported.Report.N + 1, Progress: p}, due
	keepReported(tx, k)
	if due > tx.Now {
		tx.Schedule(dueReport, k.run, due)
		return
	}
	tx.Unschedule(dueReport, k.run)
	h.pumpAll(tx)
}

// appendProgress writes what a tail has not been told yet of its run: what it costs,
// and, where that is due, what its code has said of its progress.
func (h *Host) appendProgress(data []byte, t *tail, k task, due bool) []byte {
	p := progress{Usage: h.taskUsage(k)}
	if due && k.reported.Report.N > t.reports {
		p.Report = k.reported.Report
		t.reports = p.Report.N
	}
	if p.Usage == t.told && p.Report.N == 0 {
		return data
	}
	t.told = p.Usage
	return wire.AppendFrame(data, wire.Frame{Kind: wire.KindProgress, Index: t.next, Body: encode(p)})
}

// heardOf notes at the parent what a run's code has said of its progress, and shows it.
// It takes no number: it is in no log.
func (h *Host) heardOf(tx *durable.Tx, r *run.Run, p report) {
	p.Progress = fitting(p.Progress)
	if r.Status.Final() || !run.Report(tx, r, p.N, p.Progress) {
		return
	}
	h.showEvent(tx, *r, r.Next+1, progressOf(*r))
	h.tellHook(tx, h.agent.OnProgress, "the hook for progress failed", *r)
}

// fitting is a helper's report within the limits that it has held it to itself.
func fitting(p run.Progress) run.Progress {
	p.Phase, p.Message = cutOff(p.Phase, maxPhase), cutOff(p.Message, maxMessage)
	if len(p.Data) > MaxReportData {
		p.Data = nil
	}
	return p
}
