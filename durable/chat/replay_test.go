package chat_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
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
	r.insert(insertRuns(result, status), n, ended, n)
}

// insertRuns is the statement that stores runs, given their number, their end, and their number
// again.
func insertRuns(result, status string) string {
	return `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?)
		INSERT INTO run (id, class, turn, tool_call, place, input, prompt, schema, preview, display, delivery, timeout, summary, output, failure, status, next, begun_at, ended_at)
		SELECT 'r' || n, 'Researcher', 1, 'c' || n, 0, printf('%0100000d', n), '', '', json_object('n', n), '', 'all', 0, ` + result + `, ` + status + `, 0, 1, ? FROM c
		WHERE n <= ?`
}

// event is the part of a frame about a run that a client reads.
type event struct {
	Sequence int
	Event    struct{ Kind, RunID, Summary, Error, Reason, Body string }
}

// connect opens a socket. It returns the events about runs that the socket is sent, and their size
// in bytes.
func (r *room) connect() (events []event, sent int) {
	frames, more := r.page(durable.SocketOpened{Conn: "a", URL: "/agents/x/room?_pk=a"})
	for more {
		var page []string
		page, more = r.page(durable.TimerFired{Timer: audience.ReplayTimer})
		frames = append(frames, page...)
	}
	for _, frame := range frames {
		var e event
		if err := json.Unmarshal([]byte(frame), &e); err != nil {
			r.m.t.Fatal(err)
		}
		events = append(events, e)
		sent += len(frame)
	}
	return events, sent
}

// page handles an event. It returns the frames about runs that are sent, and whether another page
// follows.
func (r *room) page(event durable.Event) (frames []string, more bool) {
	_, commands := r.step(event)
	for _, c := range commands {
		switch c := c.(type) {
		case durable.Send:
			if strings.Contains(c.Text, `"agent-tool-event"`) {
				frames = append(frames, c.Text)
			}
		case durable.StartTimer:
			more = more || c.Timer == audience.ReplayTimer
		}
	}
	return frames, more
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

// TestReplayComesInPages checks that a replay goes out in pages, the first of them with the
// greeting, and that a new life of the object brings what the earlier one has not.
func TestReplayComesInPages(t *testing.T) {
	const runs, chunks = 10, 500
	pages := func(lostBehind int) (frames []string, sizes []int) {
		r := roomOf(t)
		r.step(durable.Opened{Name: "room"})
		r.runs(runs, `'s' || n, '', ''`, `'completed'`, 1)
		r.insert(`UPDATE run SET next = ?`, chunks)
		for run := range runs {
			r.insert(`INSERT INTO chunk (stream, first, count, body) VALUES (?, 0, ?, ?)`, -run-1, chunks, lines(chunks))
		}
		page, more := r.page(durable.SocketOpened{Conn: "a", URL: "/agents/x/room?_pk=a"})
		for {
			frames, sizes = append(frames, page...), append(sizes, len(strings.Join(page, "")))
			if !more {
				return frames, sizes
			}
			if len(sizes) == lostBehind {
				_, more = r.page(durable.Opened{Name: "room", Conns: []durable.ConnID{"a"}})
				if !more {
					t.Fatal("the new life sends no page")
				}
			}
			page, more = r.page(durable.TimerFired{Timer: audience.ReplayTimer})
		}
	}
	whole, sizes := pages(0)
	if len(whole) != runs*(chunks+2) || len(sizes) < 5 || sizes[0] > 17<<10 || slices.Max(sizes) > 257<<10 {
		t.Errorf("%d frames in pages of %d bytes", len(whole), sizes)
	}
	for _, lost := range []int{1, 3, len(sizes) - 1} {
		frames, _ := pages(lost)
		if again := len(frames) - len(whole); again <= 0 || !slices.Equal(frames[again:], whole) || !slices.Equal(frames[:again], whole[:again]) {
			t.Errorf("lost behind page %d: %d frames, want %d and the first ones twice", lost, len(frames), len(whole))
		}
	}
}

// TestReplayOfShortRunsCostsFewStatements checks that short runs are read a few at a time, and once.
// Other events between the pages make the replay read again.
func TestReplayOfShortRunsCostsFewStatements(t *testing.T) {
	const runs, chunks = 16, 100
	r := roomOf(t)
	r.step(durable.Opened{Name: "room"})
	r.runs(runs, `'s' || n, '', ''`, `'completed'`, 1)
	r.insert(`UPDATE run SET next = ?`, chunks)
	for run := range runs {
		r.insert(`INSERT INTO chunk (stream, first, count, body) VALUES (?, 0, ?, ?)`, -run-1, chunks, lines(chunks))
	}
	r.m.statements, r.m.rows = 0, 0
	if events, _ := r.connect(); len(events) != runs*(chunks+2) {
		t.Errorf("%d events", len(events))
	}
	if r.m.statements > 16 || r.m.rows > 3*runs+2 {
		t.Errorf("%d statements return %d rows", r.m.statements, r.m.rows)
	}
}

// TestReplayReadsNoLogThatIsNotShown checks that the logs of runs are not read whose chunks no browser
// gets, beside one whose chunks it gets.
func TestReplayReadsNoLogThatIsNotShown(t *testing.T) {
	const runs, chunks, shown = 16, 100, 8
	r := roomOf(t)
	r.step(durable.Opened{Name: "room"})
	r.runs(runs, `'s' || n, '', ''`, `'completed'`, 1)
	r.insert(`UPDATE run SET next = ?, delivery = IIF(seq = ?, 'all', 'terminal')`, chunks, shown)
	for run := range runs {
		r.insert(`INSERT INTO chunk (stream, first, count, body) VALUES (?, 0, ?, ?)`, -run-1, chunks, lines(chunks))
	}
	r.m.statements, r.m.rows = 0, 0
	if events, _ := r.connect(); len(events) != 2*runs+chunks {
		t.Errorf("%d events", len(events))
	}
	if want := runs + 2; r.m.rows > want {
		t.Errorf("%d rows are read, want the runs, the size of one log, and its chunks: %d", r.m.rows, want)
	}
}

// TestLiveEventsWaitForTheReplay checks that a tab which is still sent a replay gets each event of a
// run once and in order, whether the replay has come to the run or not.
func TestLiveEventsWaitForTheReplay(t *testing.T) {
	for pages := range 6 {
		said := replayBesideARun(t, pages, 1_700_000_000_000)
		a, b := eventsOf(said, "a", "live"), eventsOf(said, "b", "live")
		if len(a) < 8 || !slices.Equal(a, b) {
			t.Errorf("behind %d pages: b is sent\n%s\nand a was sent\n%s", pages+1, strings.Join(b, "\n"), strings.Join(a, "\n"))
		}
		for _, run := range []string{"r1", "r2", "r3"} {
			if n := len(eventsOf(said, "b", run)); n != 302 {
				t.Errorf("behind %d pages: b is sent %d events of %s", pages+1, n, run)
			}
		}
	}
}

// TestRunThatIsDeletedDuringItsReplayHasAnEnd checks that a tab is told how a run has ended of which
// it was told the beginning. The runs are older than they are kept, and are deleted when another run
// ends.
func TestRunThatIsDeletedDuringItsReplayHasAnEnd(t *testing.T) {
	said := replayBesideARun(t, 0, 1)
	events := eventsOf(said, "b", "r1")
	if n := len(events); n < 10 || n == 302 || !strings.Contains(events[n-1], `"kind":"finished"`) {
		t.Errorf("%d events, the last is %s", n, events[n-1])
	}
	if n := len(eventsOf(said, "b", "r2")); n != 0 {
		t.Errorf("%d events of a run that was deleted before the replay came to it", n)
	}
}

// replayBesideARun returns the transcript of a tab a that has a run work. A tab b connects and is
// sent some pages of a replay behind the first one, when words of the run and its end arrive. Three
// runs of 300 words that ended at a time are kept.
func replayBesideARun(t *testing.T, pages int, ended int64) (said string) {
	t.Helper()
	w, engine := play(t, "Overseer", "")
	defer engine.Close()
	const runs, chunks = 3, 300
	sql(t, engine, insertRuns(`'s' || n, '', ''`, `'completed'`), runs, ended, runs)
	sql(t, engine, `UPDATE run SET next = ?`, chunks)
	for run := range runs {
		sql(t, engine, `INSERT INTO chunk (stream, first, count, body) VALUES (?, 0, ?, ?)`, -run-1, chunks, lines(chunks))
	}
	return do(t, w, "say a R1 u1: tool=research class=Reporter id=live say=one sleep=10s say=two reach=first say=three\ntick 1s\nhold\ntick 10s\nconnect b"+
		strings.Repeat("\ntick", pages)+"\nrelease\nrun")
}

// lines returns chunks as short as a model's, as a row of the log has them.
func lines(chunks int) string {
	return strings.TrimSuffix(strings.Repeat(`{"type":"text-delta","id":"p1","delta":"word"}`+"\n", chunks), "\n")
}

// eventsOf returns the events of a run that a tab is sent in a script's transcript, as if all were
// live.
func eventsOf(said, tab, run string) (events []string) {
	for line := range strings.Lines(said) {
		to, frame, _ := strings.Cut(strings.TrimPrefix(line, "\tsend "), " ")
		if strings.Contains(","+to+",", ","+tab+",") && strings.Contains(frame, `"runId":"`+run+`"`) {
			events = append(events, strings.TrimSpace(strings.Replace(frame, `"replay":true,`, "", 1)))
		}
	}
	return events
}

func (r *room) insert(statement string, args ...any) {
	r.m.t.Helper()
	if _, err := r.m.SQLite.SQL(statement, args); err != nil {
		r.m.t.Fatal(err)
	}
}
