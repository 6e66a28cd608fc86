package run_test

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// planner is a storage that records which statements scan all runs.
type planner struct {
	*durabletest.SQLite
	scans []string
}

func (p *planner) SQL(statement string, args []any) ([]durable.Row, error) {
	if strings.HasPrefix(statement, "SELECT") {
		plan, err := p.SQLite.SQL("EXPLAIN QUERY PLAN "+statement, args)
		if err != nil {
			return nil, err
		}
		for _, row := range plan {
			if strings.HasPrefix(row.Text(3), "SCAN run") && !strings.Contains(row.Text(3), "INDEX run_") {
				p.scans = append(p.scans, statement)
			}
		}
	}
	return p.SQLite.SQL(statement, args)
}

// TestUnfinishedRunsAreFoundWithoutFinalOnes shows that unfinished runs are found without a scan of
// the final ones. Nearly every event asks for them, and hundreds of final runs are kept with their
// inputs.
func TestUnfinishedRunsAreFoundWithoutFinalOnes(t *testing.T) {
	p := &planner{SQLite: durabletest.Memory(t)}
	tx := durable.NewTx(1000, p, durabletest.Rand(1))
	durable.Migrate(tx, stream.Schema, run.Schema)
	begin(t, tx, "r")
	run.Active(tx)
	run.Unfinished(tx)
	run.UnfinishedBefore(tx, run.Newest)
	run.OfTurn(tx, 7)
	run.StoppedWith(tx, 7)
	run.UnacknowledgedCancels(tx)
	run.NextQueued(tx, limits)
	run.PendingHosted(tx, 16)
	run.CountPendingHosted(tx)
	run.UnfinishedFor(tx)
	for _, scan := range p.scans {
		t.Errorf("looks through all runs: %s", scan)
	}
}
