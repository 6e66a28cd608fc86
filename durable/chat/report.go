package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is about the progress that the code of a run reports: how its helper stores it and
// tells the parent, and how the parent shows it.

// reportEvery is the least time between two reports to the parent, in milliseconds. Reports in
// between wait, and only the last of them is sent.
const reportEvery = 200

// Progress is how far a run has come, as its code reports it. Empty fields are not sent.
type Progress struct {
	// Fraction is the share of the work that is done, from 0 to 1.
	Fraction float64
	// Phase names the current part of the work. Message describes it to people.
	Phase, Message string
	// Data is for programs. It becomes JSON.
	Data any
}

// checked returns the progress in the form that is sent, or says what is wrong with it.
func (p Progress) checked() (run.Progress, error) {
	r := run.Progress{Fraction: min(p.Fraction, 1), Phase: p.Phase, Message: p.Message}
	switch {
	case !(p.Fraction >= 0): // NaN is refused too
		return r, fmt.Errorf("progress: a fraction of %v, not from 0 to 1", p.Fraction)
	case len(p.Phase) > limit.Phase:
		return r, fmt.Errorf("progress: a phase of %d bytes, at most %d", len(p.Phase), limit.Phase)
	case len(p.Message) > limit.ReportWords:
		return r, fmt.Errorf("progress: a message of %d bytes, at most %d", len(p.Message), limit.ReportWords)
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
	data, err := limit.MarshalWithin(v, limit.ReportData)
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return data, nil
}

// ReportProgress tells the watchers of a helper's run how far it has come. Reports are sent at most
// five times a second. The last of many reports always arrives, and a report that all the work is
// done is sent at once. A report replaces the one before it. Outside of a run the report goes to
// nobody. ReportProgress is an await like any other, and a call has 10,000 of them
// ([flow.MaxAwaits]): code with more items than that reports every hundredth item.
func (c *ToolContext) ReportProgress(p Progress) error {
	checked, err := p.checked()
	if err != nil {
		return err
	}
	_, err = flow.Step(c, "report progress", func(tx *durable.Tx) (any, error) {
		c.object.report(tx, checked)
		return nil, nil
	})
	return err
}

// reported is the last progress that a run's code has reported, and when the parent is told of it,
// in milliseconds since 1970.
type reported struct {
	Report facet.Report `json:"report"`
	Due    int64        `json:"due"`
	// Milestones is how many milestones the run has reached.
	Milestones int64 `json:"milestones"`
}

func keepReported(tx *durable.Tx, k task) {
	tx.SQL(`UPDATE task SET reported = ? WHERE run = ?`, string(limit.MustMarshal(k.reported)), k.run)
}

// report stores the progress that the active turn's code reports, for the parent.
func (o *Object) report(tx *durable.Tx, p run.Progress) {
	k, ok := taskOf(tx, o.active.turn.Seq)
	if !ok {
		return
	}
	p.At, p.Milestones = tx.Now, k.reported.Milestones
	due := k.reported.Due
	if due <= tx.Now { // no earlier report is waiting
		due = max(due+reportEvery, tx.Now)
	}
	if p.Fraction >= 1 {
		due = tx.Now
	}
	k.reported.Report, k.reported.Due = facet.Report{N: k.reported.Report.N + 1, Progress: p}, due
	keepReported(tx, k)
	if due > tx.Now {
		tx.Schedule(dueReport, k.run, due)
		return
	}
	tx.Unschedule(dueReport, k.run)
	o.flushTails(tx)
}

// appendProgress appends to a stream what the parent was not sent yet: the usage of the run and, if
// it is due, the last report.
func (o *Object) appendProgress(data []byte, w *tailWriter, k task, due bool) []byte {
	p := facet.Progress{Usage: o.taskUsage(k)}
	if due && k.reported.Report.N > w.sentReports {
		p.Report = k.reported.Report
		w.sentReports = p.Report.N
	}
	if p.Usage == w.sentUsage && p.Report.N == 0 {
		return data
	}
	w.sentUsage = p.Usage
	return wire.AppendFrame(data, wire.Frame{Kind: wire.KindProgress, Index: w.next, Body: limit.MustMarshal(p)})
}
