package task

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// RecordMilestone stores a milestone of a turn's run, and sends it to the parent.
func (t *Tails) RecordMilestone(tx *durable.Tx, turn int64, m stream.Milestone) error {
	k, ok := OfTurn(tx, turn)
	if !ok {
		return nil
	}
	m.Sequence = int64(len(stream.Milestones(tx, stream.ID(k.Log), 0)))
	if m.Sequence >= limit.Milestones {
		return fmt.Errorf("milestone %s: the run has reached %d already, and can have no more", m.Name, limit.Milestones)
	}
	stream.AppendMilestone(tx, stream.ID(k.Log), m)
	k.reported.Milestones, k.reported.Due = m.Sequence+1, min(k.reported.Due, tx.Now) // earlier reports do not wait
	keepReported(tx, k)
	tx.Unschedule(DueReport, k.Run)
	t.FlushAll(tx)
	return nil
}

// appendMilestones writes milestones into a tail. A delayed report of progress that was made before
// a milestone is written before it.
func (t *Tails) appendMilestones(tx *durable.Tx, data []byte, w *tailWriter, k Task, list []stream.Milestone) []byte {
	for _, m := range list {
		if m.Sequence >= k.reported.Report.Progress.Milestones {
			data = t.appendProgress(tx, data, w, k, true)
		}
		data = wire.AppendFrame(data, wire.Frame{Kind: wire.KindMilestone, Index: m.Place, Body: limit.MustMarshal(m)})
		w.milestones = m.Sequence + 1
	}
	return data
}
