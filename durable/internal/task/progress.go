package task

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// reportEvery is the least time between two reports to the parent, in milliseconds. Reports in
// between wait, and only the last of them is sent.
const reportEvery = 200

// reported is the last progress that a run's code has reported, and when the parent is told of it,
// in milliseconds since 1970.
type reported struct {
	Report facet.Report `json:"report"`
	Due    int64        `json:"due"`
	// Milestones is how many milestones the run has reached.
	Milestones int64 `json:"milestones"`
}

func keepReported(tx *durable.Tx, k Task) {
	durable.Kept[openTasks](tx).forget(k.Run)
	tx.SQL(`UPDATE task SET reported = ? WHERE run = ?`, string(limit.MustMarshal(k.reported)), k.Run)
}

// Report stores the progress that a turn's code reports, for the parent.
func (t *Tails) Report(tx *durable.Tx, turn int64, p run.Progress) {
	k, ok := OfTurn(tx, turn)
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
		tx.Schedule(DueReport, k.Run, due)
		return
	}
	tx.Unschedule(DueReport, k.Run)
	t.FlushAll(tx)
}

// appendProgress appends to a stream what the parent was not sent yet: the usage of the run and, if
// it is due, the last report.
func (t *Tails) appendProgress(tx *durable.Tx, data []byte, w *tailWriter, k Task, due bool) []byte {
	p := facet.Progress{Usage: t.work.Usage(k), Received: t.work.Received(tx, k)}
	if due && k.reported.Report.N > w.sentReports {
		p.Report = k.reported.Report
		w.sentReports = p.Report.N
	}
	if p.Usage == w.sentUsage && p.Received == w.sentReceived && p.Report.N == 0 {
		return data
	}
	w.sentUsage, w.sentReceived = p.Usage, p.Received
	return wire.AppendFrame(data, wire.Frame{Kind: wire.KindProgress, Index: w.next, Body: limit.MustMarshal(p)})
}

// QuestionsChanged notes that the object's questions to a person have changed, and tells the parent.
func (t *Tails) QuestionsChanged(tx *durable.Tx) {
	t.asked++
	t.FlushAll(tx)
}

// HasNewQuestions says whether the questions have changed since a parent was told of them.
func (t *Tails) HasNewQuestions() bool { return t.asked != t.reportedAsked }

// appendQuestions appends to a stream the questions, if they have changed.
func (t *Tails) appendQuestions(tx *durable.Tx, data []byte, w *tailWriter, k Task) []byte {
	if w.asked == t.asked {
		return data
	}
	w.asked, t.reportedAsked = t.asked, t.asked
	questions := t.work.Questions(tx)
	if len(questions) == 0 {
		return data
	}
	p := facet.Progress{Usage: t.work.Usage(k), Questions: questions}
	w.sentUsage = p.Usage
	return wire.AppendFrame(data, wire.Frame{Kind: wire.KindProgress, Index: w.next, Body: limit.MustMarshal(p)})
}
