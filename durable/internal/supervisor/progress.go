package supervisor

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// progressReported stores at the parent what a run's code has reported, and shows it. A report has
// no sequence number, because it is in no log.
func (s *Supervisor) progressReported(tx *durable.Tx, r *run.Run, p facet.Report) {
	p.Progress = boundReport(p.Progress)
	if r.Status.Final() || !run.Report(tx, r, p.N, p.Progress) {
		return
	}
	s.report(tx, Progressed{*r})
	s.notifyOrigin(tx, r, true)
}

// boundReport keeps a helper's report within the limits. The helper should have kept them itself.
func boundReport(p run.Progress) run.Progress {
	p.Phase, p.Message = protocol.CutOff(p.Phase, limit.Phase), protocol.CutOff(p.Message, limit.ReportWords)
	if len(p.Data) > limit.ReportData {
		p.Data = nil
	}
	return p
}

// asked reports a helper's questions to a person.
func (s *Supervisor) asked(tx *durable.Tx, r run.Run, questions []facet.Question) {
	if len(questions) > 0 && !r.Status.Final() {
		s.report(tx, Asked{r, questions})
	}
}
