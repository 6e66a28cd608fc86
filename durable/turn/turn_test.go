package turn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/turn"
)

func open(t *testing.T) *durable.Tx {
	t.Helper()
	tx := durable.NewTx(1, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, durable.DamageSchema, turn.Schema)
	return tx
}

// TestMoves tries every status against every other.
func TestMoves(t *testing.T) {
	all := []turn.Status{turn.Queued, turn.Running, turn.Completed, turn.Aborted, turn.Skipped, turn.Failed}
	allowed := map[string]bool{
		"queued running": true, "queued aborted": true, "queued skipped": true,
		"running completed": true, "running aborted": true, "running error": true,
	}
	for _, from := range all {
		for _, to := range all {
			t.Run(fmt.Sprintf("%s to %s", from, to), func(t *testing.T) {
				tx := open(t)
				tt := turn.Accept(tx, turn.Turn{Request: "R"})
				tt.Status = from
				want := allowed[string(from)+" "+string(to)]
				if got := !panics(func() { turn.Move(tx, &tt, to, "") }); got != want {
					t.Errorf("allowed %v, want %v", got, want)
				}
			})
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// TestQueueIsFirstInFirstOut follows three turns through the queue.
func TestQueueIsFirstInFirstOut(t *testing.T) {
	tx := open(t)
	for i := range 3 {
		turn.Accept(tx, turn.Turn{Request: fmt.Sprint("R", i), Origin: []string{fmt.Sprint("u", i)}})
	}
	for i := range 3 {
		next, ok := turn.Next(tx)
		if !ok || next.Request != fmt.Sprint("R", i) || next.Origin[0] != fmt.Sprint("u", i) {
			t.Fatalf("next is %+v, want R%d", next, i)
		}
		turn.Move(tx, &next, turn.Running, "")
		if speaking, ok := turn.Speaking(tx); !ok || speaking.Seq != next.Seq {
			t.Errorf("%+v speaks, want %d", speaking, next.Seq)
		}
		turn.Move(tx, &next, turn.Failed, "why")
		if found, ok := turn.Find(tx, next.Request); !ok || found.Status != turn.Failed || found.Reason != "why" {
			t.Errorf("found %+v", found)
		}
	}
	if _, ok := turn.Speaking(tx); ok || turn.Waiting(tx) != 0 {
		t.Error("somebody still speaks or waits")
	}
}

// TestOldTurnsAreForgotten keeps the rows bounded.
func TestOldTurnsAreForgotten(t *testing.T) {
	tx := open(t)
	for i := range turn.Keep + 10 {
		tt := turn.Accept(tx, turn.Turn{Request: fmt.Sprint("R", i)})
		turn.Move(tx, &tt, turn.Running, "")
		turn.Journal(tx, tt, 0, turn.Step{Text: "x", Finish: "stop", Calls: []turn.Call{{ID: "c"}}})
		turn.Move(tx, &tt, turn.Completed, "")
	}
	for table, want := range map[string]int64{"turn": turn.Keep, "step": 0, "tool_call": 0} {
		if n := tx.SQL(`SELECT COUNT(*) FROM ` + table)[0].Int(0); n != want {
			t.Errorf("%d rows of %s, want %d", n, table, want)
		}
	}
}

// planner is a storage that tells how statements that delete turns find them.
type planner struct {
	*durabletest.SQLite
	plans map[string]string
}

func (p planner) SQL(statement string, args []any) ([]durable.Row, error) {
	if strings.HasPrefix(statement, "DELETE FROM turn") {
		rows, err := p.SQLite.SQL("EXPLAIN QUERY PLAN "+statement, args)
		if err != nil {
			return nil, err
		}
		p.plans[statement] = rows[0].Text(3)
	}
	return p.SQLite.SQL(statement, args)
}

// TestForgettingPassesSubmissionsOver: hundreds of them are kept below the turns that go, and
// none is looked at when one goes.
func TestForgettingPassesSubmissionsOver(t *testing.T) {
	p := planner{durabletest.Memory(t), map[string]string{}}
	tx := durable.NewTx(1, p, durabletest.Rand(1))
	durable.Migrate(tx, turn.Schema)
	for i := range turn.KeepSubmissions {
		finish(tx, submit(tx, fmt.Sprint("s", i), "", ""))
	}
	clear(p.plans)
	for range turn.Keep + 10 {
		finish(tx, turn.Accept(tx, turn.Turn{Request: "R"}))
	}
	if len(p.plans) != 1 {
		t.Errorf("%d statements delete turns: %v", len(p.plans), p.plans)
	}
	for statement, plan := range p.plans {
		if !strings.Contains(plan, "SEARCH turn USING") || !strings.Contains(plan, "INDEX turn_passing (seq<?)") {
			t.Errorf("%s\n\t%s", statement, plan)
		}
	}
	if n := tx.SQL(`SELECT COUNT(*) FROM turn WHERE submission = ''`)[0].Int(0); n != turn.Keep {
		t.Errorf("%d turns are kept, want %d", n, turn.Keep)
	}
}
