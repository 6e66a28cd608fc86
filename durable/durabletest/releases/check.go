package releases

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// Engines opens an engine for scenes, whose randomness a seed determines.
type Engines func(seed uint32) durabletest.Inspector

// Each calls a function for each scene of each release in a folder.
func Each(t *testing.T, folder string, test func(t *testing.T, s Scene)) {
	t.Helper()
	scenes, err := Scenes(folder)
	if err != nil || len(scenes) == 0 {
		t.Fatalf("%d scenes: %v", len(scenes), err)
	}
	for _, s := range scenes {
		t.Run(s.Release+" "+s.Name, func(t *testing.T) { test(t, s) })
	}
}

// restore returns a world around a stored scene, on an engine that is closed when the test ends.
func restore(t *testing.T, s Scene, open Engines) (*durabletest.World, durabletest.Inspector) {
	t.Helper()
	e := open(Seed)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	w, err := s.Restore(e)
	if err != nil {
		t.Fatal(err)
	}
	return w, e
}

// CheckGoesOn opens what a release has stored. The transcript is the one that the release showed.
// What was under way goes on to its end, and what was finished is not done again.
func CheckGoesOn(t *testing.T, s Scene, open Engines) {
	t.Helper()
	w, _ := restore(t, s, open)
	want, err := s.Shown()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Ask(w); err != nil || got != want {
		t.Errorf("the transcript is\n%s, %v\nwant\n%s", got, err, want)
	}

	w, e := restore(t, s, open)
	finished := finishedWork(t, s, e)
	got, err := s.Later(w)
	if err != nil {
		t.Fatal(err)
	}
	durabletest.CompareScript(t, s.LaterFile(), got)
	if strings.Contains(got, "trap\n") {
		t.Error("an event was lost")
	}
	now := finishedWork(t, s, e)
	for _, row := range finished {
		if !slices.Contains(now, row) {
			t.Errorf("finished work has changed: %s", row)
		}
	}
	for object := range s.Objects {
		for _, query := range []string{`SELECT request, status FROM turn WHERE ended_at = 0`, `SELECT what FROM damage`} {
			if rows := Rows(t, e, object, query); len(rows) > 0 {
				t.Errorf("%s: %s: %q", object, query, rows)
			}
		}
	}
}

// finishedWork returns what the final turns and runs of all objects have been charged, and said.
func finishedWork(t *testing.T, s Scene, e durabletest.Inspector) (list []string) {
	t.Helper()
	for object := range s.Objects {
		for _, query := range []string{
			`SELECT 'turn', seq, request, status, reply, ended_at, spent.input_tokens, spent.output_tokens, spent.model_calls
				FROM turn JOIN spent ON spent.turn = seq WHERE ended_at > 0`,
			`SELECT 'run', id, status, summary, ended_at FROM run WHERE ended_at > 0`,
		} {
			for _, row := range Rows(t, e, object, query) {
				list = append(list, object+" "+row)
			}
		}
	}
	return list
}

// Rows returns the rows of a query in an object's storage, or none if its table is not made.
func Rows(t *testing.T, e durabletest.Inspector, object, statement string) (list []string) {
	t.Helper()
	storage, err := e.Storage(object)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := storage.SQL(statement, nil)
	if err != nil && !strings.Contains(err.Error(), "no such table") {
		t.Fatalf("%s: %v", statement, err)
	}
	for _, row := range rows {
		list = append(list, fmt.Sprint(row))
	}
	return list
}

// content returns everything that an object has stored.
func content(t *testing.T, e durabletest.Inspector, object string) string {
	t.Helper()
	storage, err := e.Storage(object)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := storage.SQL(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := Rows(t, e, object, `SELECT name, sql FROM sqlite_schema ORDER BY name`)
	for _, table := range tables {
		all = append(all, table.Text(0))
		all = append(all, Rows(t, e, object, `SELECT * FROM "`+table.Text(0)+`"`)...)
	}
	return strings.Join(all, "\n")
}

// FirstEvents are events of every kind. In a new version each can come first.
var FirstEvents = []durable.Event{
	durable.SocketOpened{Conn: "z", URL: "/agents/x/room?_pk=z"},
	durable.SocketMessage{Conn: "z", Text: `{"type":"cf_agent_stream_resume_request","probeId":"p"}`},
	durable.SocketMessage{Conn: "z", Text: `{"type":"cf_agent_chat_clear"}`},
	durable.SocketClosed{Conn: "a", Code: 1001},
	durable.RequestReceived{Request: "http", Method: "GET", URL: "/agents/x/room/get-messages"},
	durable.RequestReceived{Request: "http", Method: "GET", URL: "/agents/x/room/inspect"},
	durable.AlarmFired{},
	durable.TimerFired{Timer: "due"},
	durable.FetchResponded{Fetch: "turn-1-0-0", Status: 200},
	durable.FetchChunk{Fetch: "turn-1-0-0", Data: []byte("data: {}\n\n")},
	durable.FetchEnded{Fetch: "turn-1-0-0"},
	durable.FetchFailed{Fetch: "turn-1-0-0", Error: "gone"},
	durable.CallReceived{Call: "c", Data: []byte("{}")},
	durable.CallAnswered{Call: "waken/r1"},
	durable.CallFailed{Call: "waken/r1", Error: "gone"},
	durable.StreamRequested{Stream: "s", Data: []byte("{}")},
	durable.StreamData{Stream: "tail/r1", Data: []byte("{}")},
	durable.StreamEnded{Stream: "tail/r1"},
	durable.StreamFailed{Stream: "tail/r1", Error: "gone"},
	durable.StreamDrained{Stream: "s"},
	durable.StreamCancelled{Stream: "s"},
}

// deliver delivers an event to an object of a scene that is not in memory.
func deliver(s Scene, e durabletest.Inspector, object string, event durable.Event) error {
	opened := durable.Opened{Class: s.Objects[object], Name: object, Conns: []durable.ConnID{"z"}}
	if _, ok := event.(durable.SocketOpened); ok {
		opened.Conns = nil
	}
	_, err := e.Step(object, s.Now+1, opened, event)
	return err
}

// CheckEveryEvent checks that each object of a scene opens, whatever comes first.
func CheckEveryEvent(t *testing.T, s Scene, open Engines) {
	t.Helper()
	for object := range s.Objects {
		for _, event := range FirstEvents {
			e := open(Seed)
			if err := s.RestoreObject(e, object); err != nil {
				t.Fatal(err)
			}
			if err := deliver(s, e, object, event); err != nil {
				t.Errorf("%s: %T: %v", object, event, err)
			}
			if rows := Rows(t, e, object, `SELECT what FROM damage`); len(rows) > 0 {
				t.Errorf("%s: %T: rows were set aside: %q", object, event, rows)
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// Newer is a component whose stored version is one higher than the version that the program knows.
type Newer struct {
	Component string
	Known     int
}

// store writes the newer version into an object's storage.
func (n Newer) store(t *testing.T, e durabletest.Inspector, object string) {
	t.Helper()
	Rows(t, e, object, fmt.Sprintf(`INSERT INTO room_version (room, version) VALUES ('%s', %d)
		ON CONFLICT (room) DO UPDATE SET version = excluded.version`, n.Component, n.Known+1))
}

// words are in the error, and so in the log: the component and both versions.
func (n Newer) words() string {
	return fmt.Sprintf("its component %s has version %d, and this program knows version %d", n.Component, n.Known+1, n.Known)
}

// CheckRefusesNewer checks that each object refuses every event while one of its components is newer
// than the program, and that nothing is written. Another object of the instance loses nothing.
func CheckRefusesNewer(t *testing.T, s Scene, components []Newer, open Engines) {
	t.Helper()
	for _, newer := range components {
		for object := range s.Objects {
			e := open(Seed)
			_, err := e.Step("beside", s.Now, durable.Opened{Class: s.Class, Name: "beside"}, nil)
			if err := errors.Join(err, s.RestoreObject(e, object)); err != nil {
				t.Fatal(err)
			}
			newer.store(t, e, object)
			before := content(t, e, object)
			for _, event := range FirstEvents {
				err := deliver(s, e, object, event)
				if refused := (durabletest.RefusedError{}); !errors.As(err, &refused) || !strings.Contains(refused.Reason, newer.words()) {
					t.Errorf("%s of %s: %T: %v", newer.Component, object, event, err)
				}
			}
			if after := content(t, e, object); after != before {
				t.Errorf("%s of %s: it was written: %s", newer.Component, object, after)
			}
			if !e.Awake("beside") {
				t.Errorf("%s of %s: another object has lost its memory", newer.Component, object)
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// CheckComesBack checks what people see of a scene while an older version is deployed, and that the
// scene goes on when the newer version is back.
func CheckComesBack(t *testing.T, s Scene, newer Newer, open Engines) {
	t.Helper()
	w, e := restore(t, s, open)
	w.GiveUp()
	was := map[string][]string{}
	for object := range s.Objects {
		was[object] = Rows(t, e, object, `SELECT version FROM room_version WHERE room = '`+newer.Component+`'`)
		newer.store(t, e, object)
	}
	steps := []struct{ action, want string }{
		{"connect y", "respond y 503"},
		{transcript, "respond http 503"},
		{`frame y {"type":"cf_agent_stream_resume_request","probeId":"p"}`, "close y 1013"},
	}
	if s.Alarm > 0 {
		steps = append(steps, struct{ action, want string }{fmt.Sprintf("tick %dms", s.Alarm-s.Now+3*3600_000), "refused: "})
	}
	for _, step := range steps {
		if err := w.Do(step.action); err != nil {
			t.Fatal(err)
		}
		if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, step.want) || strings.Contains(out, "trap") {
			t.Errorf("%s: %s, want %q", step.action, out, step.want)
		}
	}
	if (s.Alarm > 0) != (w.Alarm() > 0) {
		t.Errorf("the alarm is at %d, and was at %d", w.Alarm(), s.Alarm)
	}
	for object, rows := range was {
		Rows(t, e, object, fmt.Sprintf(`UPDATE room_version SET version = %s WHERE room = '%s'`, strings.Trim(rows[0], "[]"), newer.Component))
	}
	w.Tick()
	if out := strings.Join(w.Take(), "\n"); strings.Contains(out, "refused") || out == "" && s.Alarm > 0 {
		t.Errorf("the alarm does %q", out)
	}
	if got, err := Ask(w); err != nil || !strings.HasPrefix(got, "respond http 200") {
		t.Errorf("%s: %v", got, err)
	}
}
