package chat_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// keepRuns stores runs in the conversation that completed, failed and were stopped, in turn, with
// results of the given size.
func (r *room) keepRuns(n, size int) {
	r.runs(n, fmt.Sprintf(`printf('%%0%dd', n), json_quote(printf('%%0%dd', n)), iif(n %% 3 = 1, '', printf('%%0%dd', n))`, size, size, size),
		`CASE n % 3 WHEN 1 THEN 'completed' WHEN 2 THEN 'error' ELSE 'aborted' END`, 1)
}

// runs stores runs in the conversation with a status and an end. Their summary, output and failure
// are SQL expressions.
func (r *room) runs(n int, result, status string, ended int) {
	r.m.t.Helper()
	_, err := r.m.SQLite.SQL(`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?)
		INSERT INTO run (id, class, turn, tool_call, place, input, prompt, schema, preview, display, delivery, timeout, summary, output, failure, status, next, begun_at, ended_at)
		SELECT 'r' || n, 'Researcher', 1, 'c' || n, 0, printf('%0100000d', n), '', '', json_object('n', n), '', 'all', 0, `+result+`, `+status+`, 0, 1, ? FROM c
		WHERE n <= ?`, []any{n, ended, n})
	if err != nil {
		r.m.t.Fatal(err)
	}
}

// event is the part of a frame about a run that a client reads.
type event struct {
	Sequence int
	Event    struct{ Kind, RunID, Summary, Error, Reason, Body string }
}

// connect opens a socket. It returns the events about runs that the socket is sent, and their size
// in bytes.
func (r *room) connect() (events []event, sent int) {
	_, commands := r.step(durable.SocketOpened{Conn: "a", URL: "/agents/x/room?_pk=a"})
	for _, c := range commands {
		s, ok := c.(durable.Send)
		if !ok || !strings.Contains(s.Text, `"agent-tool-event"`) {
			continue
		}
		var e event
		if err := json.Unmarshal([]byte(s.Text), &e); err != nil {
			r.m.t.Fatal(err)
		}
		events = append(events, e)
		sent += len(s.Text)
	}
	return events, sent
}

// TestAConnectionIsToldOfTheNewestRuns checks that a connection is sent the beginnings and ends of
// the newest runs, to the byte and in order. Beyond the budget it is sent nothing that it could
// take for a new event.
func TestAConnectionIsToldOfTheNewestRuns(t *testing.T) {
	const size = 100 << 10
	r := roomOf(t)
	r.step(durable.Opened{Name: "room"})
	r.keepRuns(500, size)
	events, sent := r.connect()
	if most := 4<<20/2 + 2*size; sent > most || sent < 2<<20 {
		t.Errorf("%d bytes are sent, want 2 MiB and at most %d", sent, most)
	}
	first := 500 - len(events)/2 + 1
	for i, e := range events {
		n := first + i/2
		words := e.Event.Summary + e.Event.Error + e.Event.Reason
		if i%2 == 1 && words != fmt.Sprintf("%0*d", size, n) || i%2 == 0 && e.Event.Kind != "started" || e.Event.RunID != fmt.Sprint("r", n) || e.Sequence != i%2 {
			t.Fatalf("event %d of %d is %s of %s, %d bytes", i, len(events), e.Event.Kind, e.Event.RunID, len(words))
		}
	}
	if first > 481 {
		t.Errorf("the first is run %d", first)
	}
}

// TestAConnectionIsToldOfAllShortRuns checks that a connection is sent all kept runs if they are
// short.
func TestAConnectionIsToldOfAllShortRuns(t *testing.T) {
	r := roomOf(t)
	r.step(durable.Opened{Name: "room"})
	r.keepRuns(500, 2<<10)
	if events, _ := r.connect(); len(events) != 1000 || events[0].Event.RunID != "r1" || len(events[1].Event.Summary) != 2<<10 {
		t.Errorf("%d events, want the beginning and the end of 500 runs", len(events))
	}
}

// TestAConnectionIsToldOfEveryUnfinishedRun checks that a connection is sent an unfinished run,
// however many runs came after it. A client ignores all events of a run that it does not know.
func TestAConnectionIsToldOfEveryUnfinishedRun(t *testing.T) {
	r := roomOf(t)
	r.step(durable.Opened{Name: "room"})
	r.runs(3, `'', '', ''`, `'starting'`, 0)
	if _, err := r.m.SQLite.SQL(`UPDATE run SET id = 'open' || seq`, nil); err != nil {
		t.Fatal(err)
	}
	r.keepRuns(100, 100<<10)
	events, _ := r.connect()
	var open []string
	for _, e := range events[:3] {
		open = append(open, e.Event.Kind+" "+e.Event.RunID)
	}
	if want := []string{"started open1", "started open2", "started open3"}; !slices.Equal(open, want) {
		t.Errorf("got %q, want %q", open, want)
	}
}

// TestAConnectionIsSentTheNewestRunsWhole checks the limit up to which a replay equals the live
// events, to the byte. Of 9 runs of 600 KB, the newest 7 are within it.
func TestAConnectionIsSentTheNewestRunsWhole(t *testing.T) {
	r := roomOf(t)
	r.step(durable.Opened{Name: "room"})
	r.runs(9, `'s' || n, '', ''`, `'completed'`, 1)
	const chunks, size = 6, 100_000
	body := func(run, i int) string { return fmt.Sprintf(`"%0*d"`, size-2, run*100+i) }
	for run := 1; run <= 9; run++ {
		var row []string
		for i := range chunks {
			row = append(row, body(run, i))
		}
		r.insert(`INSERT INTO chunk (stream, first, count, body) VALUES (?, 0, ?, ?)`, -run, chunks, strings.Join(row, "\n"))
	}
	r.insert(`UPDATE run SET next = ?`, chunks)
	events, _ := r.connect()
	for run := 1; run <= 9; run++ {
		var got []string
		for _, e := range events {
			if e.Event.RunID == fmt.Sprint("r", run) {
				got = append(got, fmt.Sprintf("%d %s %s%s", e.Sequence, e.Event.Kind, e.Event.Summary, e.Event.Body))
			}
		}
		want := []string{"0 started "}
		for i := range chunks {
			if run > 2 {
				want = append(want, fmt.Sprintf("%d chunk %s", i+1, body(run, i)))
			}
		}
		want = append(want, fmt.Sprintf("%d finished s%d", chunks+1, run))
		if !slices.Equal(got, want) {
			t.Errorf("run %d: %d events, want %d", run, len(got), len(want))
		}
	}
}

// TestOneLongRunHidesNoOthers checks that a run that exceeds the limit by itself is not replayed,
// and that the runs before it are.
func TestOneLongRunHidesNoOthers(t *testing.T) {
	r := roomOf(t)
	r.step(durable.Opened{Name: "room"})
	r.runs(2, `'s' || n, '', ''`, `'completed'`, 1)
	for i := range 9 {
		r.insert(`INSERT INTO chunk (stream, first, count, body) VALUES (-2, ?, 1, ?)`, i, `"`+strings.Repeat("x", 1<<20)+`"`)
	}
	r.insert(`INSERT INTO chunk (stream, first, count, body) VALUES (-1, 0, 1, '"short"')`)
	r.insert(`UPDATE run SET next = 9 WHERE id = 'r2'`)
	events, sent := r.connect()
	if len(events) != 5 || events[1].Event.Body != `"short"` || sent > 4_000 {
		t.Errorf("%d events of %d bytes, want 5", len(events), sent)
	}
}

func (r *room) insert(statement string, args ...any) {
	r.m.t.Helper()
	if _, err := r.m.SQLite.SQL(statement, args); err != nil {
		r.m.t.Fatal(err)
	}
}
