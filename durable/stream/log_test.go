package stream_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/stream"
)

func open(t *testing.T) *durable.Tx {
	t.Helper()
	tx := durable.NewTx(1, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, stream.Schema)
	return tx
}

func bodies(from, to int, size int) [][]byte {
	var list [][]byte
	for i := from; i < to; i++ {
		list = append(list, fmt.Appendf(nil, `{"n":%d,"pad":"%s"}`, i, strings.Repeat("x", size)))
	}
	return list
}

// TestIndexNeverChanges appends in pieces and reads from every cursor.
func TestIndexNeverChanges(t *testing.T) {
	tx := open(t)
	next := int64(0)
	for _, n := range []int{1, 3, 0, 2} {
		next = stream.Append(tx, 7, next, bodies(int(next), int(next)+n, 0)...)
	}
	if next != 6 || stream.Next(tx, 7) != 6 {
		t.Fatalf("next is %d, stored %d, want 6", next, stream.Next(tx, 7))
	}
	for from := range int64(8) {
		got, more := stream.Read(tx, 7, from, 1<<20)
		if want := max(6-from, 0); int64(len(got)) != want || more {
			t.Errorf("from %d: %d chunks, more %v; want %d", from, len(got), more, want)
		}
		for i, c := range got {
			if want := fmt.Sprintf(`{"n":%d,"pad":""}`, c.Index); c.Index != from+int64(i) || string(c.Body) != want {
				t.Errorf("from %d: chunk %d is %s at %d", from, i, c.Body, c.Index)
			}
		}
	}
}

// TestReadPages follows the pages of a stream that is larger than its budget.
func TestReadPages(t *testing.T) {
	tx := open(t)
	stream.Append(tx, 1, 0, bodies(0, 5, 700_000)...)
	stream.Append(tx, 2, 0, bodies(0, 1, 0)...)
	var seen, pages int
	for from, more := int64(0), true; more; pages++ {
		var page []stream.Chunk
		page, more = stream.Read(tx, 1, from, 1)
		for _, c := range page {
			if c.Index != int64(seen) {
				t.Fatalf("chunk %d, want %d", c.Index, seen)
			}
			seen++
			from = c.Index + 1
		}
	}
	if seen != 5 || pages != 5 {
		t.Errorf("%d chunks in %d pages, want 5 in 5", seen, pages)
	}
	stream.Delete(tx, 1)
	if stream.Next(tx, 1) != 0 || stream.Next(tx, 2) != 1 {
		t.Error("delete took the wrong stream")
	}
}

// TestMilestones shows that milestones stand between chunks, once each, and are deleted with their
// stream.
func TestMilestones(t *testing.T) {
	tx := open(t)
	for n, place := range []int64{0, 2, 2, 5} {
		stream.AppendMilestone(tx, 1, stream.Milestone{Sequence: int64(n), Place: place, Name: fmt.Sprint("m", n), At: 7, Data: []byte(`{}`)})
	}
	stream.AppendMilestone(tx, 1, stream.Milestone{Sequence: 1, Place: 9, Name: "again"})
	list := stream.Milestones(tx, 1, 1)
	var got []string
	for _, upTo := range []int64{1, 2, 4, 5} {
		for _, m := range stream.TakeUpTo(&list, upTo) {
			got = append(got, fmt.Sprint(m.Name, "<=", upTo))
		}
	}
	if want := []string{"m1<=2", "m2<=2", "m3<=5"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	stream.Delete(tx, 1)
	if left := stream.Milestones(tx, 1, 0); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// rowsOf returns the first index and the number of chunks of each row of stream 1.
func rowsOf(tx *durable.Tx) (rows []string) {
	for _, row := range tx.SQL(`SELECT first, count FROM chunk WHERE stream = 1 ORDER BY first`) {
		rows = append(rows, fmt.Sprint(row.Int(0), "+", row.Int(1)))
	}
	return rows
}

// TestChunksShareARowUntilItIsFull appends chunks one by one. What another version has stored, a row
// for each event, is read and appended to.
func TestChunksShareARowUntilItIsFull(t *testing.T) {
	tx := open(t)
	for i, b := range bodies(0, 3, 10) {
		tx.SQL(`INSERT INTO chunk (stream, first, count, body) VALUES (1, ?, 1, ?)`, i, string(b))
	}
	for i := 3; i < 10; i++ {
		stream.Append(tx, 1, int64(i), bodies(i, i+1, 4_000)...)
	}
	if got, want := rowsOf(tx), []string{"0+1", "1+1", "2+6", "8+2"}; !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	for from := range int64(10) {
		got, _ := stream.Read(tx, 1, from, 1<<20)
		if int64(len(got)) != 10-from || got[0].Index != from || !strings.Contains(string(got[0].Body), fmt.Sprintf(`{"n":%d,`, from)) {
			t.Errorf("from %d: %d chunks, the first is %d", from, len(got), got[0].Index)
		}
	}
}

// TestADamagedRowIsLeftAlone checks that chunks behind a damaged row keep their indices.
func TestADamagedRowIsLeftAlone(t *testing.T) {
	for _, damage := range []string{`count = 0`, `count = 'x'`, `count = 7`, `first = 'x'`} {
		tx := open(t)
		stream.Append(tx, 1, 0, bodies(0, 2, 0)...)
		tx.SQL(`UPDATE chunk SET ` + damage)
		stream.Append(tx, 1, 2, bodies(2, 3, 0)...)
		got, more := stream.Read(tx, 1, 2, 1<<20)
		if len(got) != 1 || got[0].Index != 2 || string(got[0].Body) != `{"n":2,"pad":""}` || more {
			t.Errorf("%s: read %v", damage, got)
		}
	}
}

// TestDamagedRowsAreReadPast reads behind rows that hold less than they count, with a budget that
// they exceed.
func TestDamagedRowsAreReadPast(t *testing.T) {
	tx := open(t)
	tx.SQL(`INSERT INTO chunk (stream, first, count, body) VALUES (1, 0, 9, 'damaged'), (1, 9, 1, '9')`)
	if got, more := stream.Read(tx, 1, 5, 1); len(got) != 1 || got[0].Index != 9 || more {
		t.Errorf("read %v, more %v", got, more)
	}
}

// TestStreamsAreReadTogether reads neighbours at once.
func TestStreamsAreReadTogether(t *testing.T) {
	tx := open(t)
	for id := stream.ID(-3); id < 0; id++ {
		for i := range int(-id) {
			stream.Append(tx, id, int64(i), bodies(i, i+1, 9_000)...)
		}
	}
	sizes, logs := stream.Sizes(tx, -3, -2), stream.Whole(tx, -3, -2)
	if len(sizes) != 2 || len(logs) != 2 {
		t.Fatalf("%d sizes and %d logs, want 2", len(sizes), len(logs))
	}
	for i, log := range logs {
		id := stream.ID(i - 3)
		all := slices.Collect(stream.All(tx, id, 0))
		if len(log) != int(-id) || fmt.Sprint(log) != fmt.Sprint(all) || sizes[id] < 9_000*len(log) {
			t.Errorf("stream %d: %d chunks of %d bytes", id, len(log), sizes[id])
		}
	}
}

// TestReadTakesFewStatements counts what reading a long log costs.
func TestReadTakesFewStatements(t *testing.T) {
	storage := &counter{SQLite: durabletest.Memory(t)}
	tx := durable.NewTx(1, storage, durabletest.Rand(1))
	durable.Migrate(tx, stream.Schema)
	for i := range 5_000 {
		stream.Append(tx, 1, int64(i), bodies(i, i+1, 50)...)
	}
	storage.statements = 0
	if n := len(slices.Collect(stream.All(tx, 1, 0))); n != 5_000 || storage.statements != 2 {
		t.Errorf("%d chunks in %d statements, want 5,000 in 2", n, storage.statements)
	}
	stream.Delete(tx, 1)
	if rows := rowsOf(tx); rows != nil || storage.statements != 5 {
		t.Errorf("%d rows are left after %d statements", len(rows), storage.statements)
	}
}

// counter counts statements.
type counter struct {
	*durabletest.SQLite
	statements int
}

func (c *counter) SQL(statement string, args []any) ([]durable.Row, error) {
	c.statements++
	return c.SQLite.SQL(statement, args)
}
