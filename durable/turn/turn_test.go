package turn_test

import (
	"fmt"
	"maps"
	"slices"
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
		if active, ok := turn.Active(tx); !ok || active.Seq != next.Seq {
			t.Errorf("%+v is active, want %d", active, next.Seq)
		}
		turn.Move(tx, &next, turn.Failed, "why")
		if found, ok := turn.Find(tx, next.Request); !ok || found.Status != turn.Failed || found.Reason != "why" {
			t.Errorf("found %+v", found)
		}
	}
	if _, ok := turn.Active(tx); ok || turn.Waiting(tx) != 0 {
		t.Error("a turn is still active or waits")
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

// planner is a storage that records how statements find the turns that they delete or choose.
type planner struct {
	*durabletest.SQLite
	plans map[string]string
}

func (p planner) SQL(statement string, args []any) ([]durable.Row, error) {
	if !strings.HasPrefix(statement, "CREATE") && (strings.HasPrefix(statement, "DELETE FROM turn") || strings.Contains(statement, "final")) {
		rows, err := p.SQLite.SQL("EXPLAIN QUERY PLAN "+statement, args)
		if err != nil {
			return nil, err
		}
		var plan []string
		for _, row := range rows {
			plan = append(plan, row.Text(3))
		}
		p.plans[statement] = strings.Join(plan, "; ")
	}
	return p.SQLite.SQL(statement, args)
}

// planned returns a storage with the maximum number of submissions and an empty record.
func planned(t *testing.T) (planner, *durable.Tx) {
	t.Helper()
	p := planner{durabletest.Memory(t), map[string]string{}}
	tx := durable.NewTx(1, p, durabletest.Rand(1))
	durable.Migrate(tx, turn.Schema)
	for i := range turn.KeepSubmissions {
		finish(tx, submit(tx, fmt.Sprint("s", i), "", ""))
	}
	clear(p.plans)
	return p, tx
}

// TestDeletingTurnsReadsNoSubmissions shows that deleting a turn reads none of the hundreds of
// submissions that are kept below it.
func TestDeletingTurnsReadsNoSubmissions(t *testing.T) {
	p, tx := planned(t)
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

// TestEndingASubmissionReadsNoOther shows that the end of a submission reads none of the
// hundreds of others: an index finds the last number and the rows to delete.
func TestEndingASubmissionReadsNoOther(t *testing.T) {
	p, tx := planned(t)
	finish(tx, submit(tx, "last", "", ""))
	got := slices.Sorted(maps.Values(p.plans))
	want := []string{
		"SEARCH turn USING INDEX turn_final (final>?)",
		"SEARCH turn USING INDEX turn_passing (seq<?)", // which holds no submissions
		"SEARCH turn USING INTEGER PRIMARY KEY (rowid=?)",
		"SEARCH turn USING INTEGER PRIMARY KEY (rowid=?); SCALAR SUBQUERY 1; SEARCH turn USING COVERING INDEX turn_final (final>?)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v", p.plans)
	}
	if n := tx.SQL(`SELECT COUNT(*) FROM turn`)[0].Int(0); n != turn.KeepSubmissions {
		t.Errorf("%d submissions are kept, want %d", n, turn.KeepSubmissions)
	}
}

// TestIndexesAreMadeByNeed shows that few turns have no index, and that a submission has those that
// find it.
func TestIndexesAreMadeByNeed(t *testing.T) {
	for _, c := range []struct {
		turns, submissions int
		want               []string
	}{
		{8, 0, nil},
		{9, 0, []string{"turn_status", "turn_request"}},
		{0, 1, []string{"turn_submission", "turn_key", "turn_final", "turn_passing"}},
	} {
		tx := durable.NewTx(1, durabletest.Memory(t), durabletest.Rand(1))
		new(durable.Tables).Open(tx, durable.NewLayout(turn.Schema))
		for i := range c.turns {
			turn.Accept(tx, turn.Turn{Request: fmt.Sprint(i)})
		}
		for i := range c.submissions {
			submit(tx, fmt.Sprint(i), "", "")
		}
		for _, row := range tx.SQL(`SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'turn' AND sql != ''`) {
			if !slices.Contains(c.want, row.Text(0)) {
				t.Errorf("%d turns and %d submissions have %s", c.turns, c.submissions, row.Text(0))
			}
		}
		for _, index := range c.want {
			if !tx.Made(index) {
				t.Errorf("%d turns and %d submissions have no %s", c.turns, c.submissions, index)
			}
		}
	}
}

// TestEarlierSubmissionsAreNumbered shows that a migration numbers the submissions of an earlier
// version.
func TestEarlierSubmissionsAreNumbered(t *testing.T) {
	tx := durable.NewTx(1, durabletest.Memory(t), durabletest.Rand(1))
	before := turn.Schema
	before.Parts = nil
	before.Steps = before.Steps[:slices.IndexFunc(before.Steps, func(step string) bool { return strings.Contains(step, "final") })]
	durable.Migrate(tx, before)
	tx.SQL(`INSERT INTO turn (request, conn, status, origin, cut, reply, continues, place, accepted_at, submission, ended_at) VALUES
		('a', '', 'completed', '[]', '', '', 0, 0, 1, 'a', 1), ('b', '', 'completed', '[]', '', '', 0, 0, 1, '', 1),
		('c', '', 'queued', '[]', '', '', 0, 0, 1, 'c', 0), ('d', '', 'error', '[]', '', '', 0, 0, 1, 'd', 1)`)
	durable.Migrate(tx, turn.Schema)
	waits, _ := turn.Submitted(tx, "c")
	finish(tx, waits)
	var got []string
	for _, row := range tx.SQL(`SELECT request, final FROM turn ORDER BY seq`) {
		got = append(got, fmt.Sprint(row.Text(0), row.Int(1)))
	}
	if want := []string{"a1", "b0", "c3", "d2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
