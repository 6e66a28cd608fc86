package task

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// counter is a storage that counts the rows that it returns.
type counter struct {
	*durabletest.SQLite
	rows int
}

func (c *counter) SQL(statement string, args []any) ([]durable.Row, error) {
	rows, err := c.SQLite.SQL(statement, args)
	c.rows += len(rows)
	return rows, err
}

// atWork is a run that goes on.
type atWork struct{}

func (atWork) Store(*durable.Tx)                             {}
func (atWork) Usage(Task) run.Usage                          { return run.Usage{} }
func (atWork) Received(*durable.Tx, Task) run.Received       { return run.Received{} }
func (atWork) Pause(*durable.Tx, Task) (facet.Pause, bool)   { return facet.Pause{}, false }
func (atWork) Questions(*durable.Tx) []facet.Question        { return nil }
func (atWork) NextWake(*durable.Tx) int64                    { return 0 }
func (atWork) Idle(*durable.Tx) bool                         { return false }
func (atWork) TakeRequests(*durable.Tx) []*facet.HostRequest { return nil }

// helper is the tails of a helper that was handed the run r, whose log is the stream 1.
func helper(t *testing.T) (*counter, *durable.Tx, *Tails) {
	t.Helper()
	storage := &counter{SQLite: durabletest.Memory(t)}
	tx := durable.NewTx(1, storage, durabletest.Rand(1))
	durable.Migrate(tx, stream.Schema, durable.Schema{Component: "chat", Steps: []string{
		`CREATE TABLE task (run TEXT PRIMARY KEY, turn INTEGER NOT NULL, log INTEGER NOT NULL, asked TEXT NOT NULL DEFAULT '',
			ended INTEGER NOT NULL DEFAULT 0, outcome TEXT NOT NULL DEFAULT '', reported TEXT NOT NULL DEFAULT '') WITHOUT ROWID`,
		`CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
	}})
	tx.Use(&durable.Tables{})
	Accept(tx, facet.StartRequest{Run: "r"}, 1)
	return storage, tx, New(atWork{})
}

// TestALogStaysFollowedWhileItHasAReader has the parent open a second stream of a run before it
// closes the first. A chunk that comes then is not read back from storage.
func TestALogStaysFollowedWhileItHasAReader(t *testing.T) {
	storage, tx, tails := helper(t)
	for _, name := range []string{"first", "second"} {
		if err := tails.OpenTail(tx, name, facet.TailRequest{Run: "r"}); err != nil {
			t.Fatal(err)
		}
	}
	tails.Close(tx, "first")
	storage.rows = 0
	stream.Append(tx, 1, 0, []byte(`"word"`))
	tails.FlushAll(tx)
	tails.Drained(tx, "second")
	if storage.rows != 0 {
		t.Errorf("%d rows are read, want none", storage.rows)
	}
}

// TestKeptRunsCountWithTheirReports checks that the size of the runs in memory has that of the last
// report, which can be larger than all else.
func TestKeptRunsCountWithTheirReports(t *testing.T) {
	_, tx, _ := helper(t)
	k, _ := Find(tx, "r")
	k.reported.Report = facet.Report{N: 1, Progress: run.Progress{Message: strings.Repeat("x", limit.ReportWords)}}
	keepReported(tx, k)
	findBriefTask(tx, "r")
	if n := durable.Kept[openTasks](tx).Bytes(); n < limit.ReportWords {
		t.Errorf("%d bytes are counted, want at least %d", n, limit.ReportWords)
	}
}
