package chat_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/releases"
)

var release = flag.String("release", "", "write the storage of this version into the folder of releases")

const releaseFolder = "../durabletest/releases"

// releaseEngine returns an engine with all classes that scenes use.
func releaseEngine(seed uint32) durabletest.Inspector {
	return durabletest.NewNative(seed, append(chattest.Classes(), agents.Classes()...)...)
}

// TestWriteRelease writes the scenes of a release, if it is asked to.
func TestWriteRelease(t *testing.T) {
	if *release == "" {
		return
	}
	if err := releases.Write(releaseFolder, *release, releaseEngine); err != nil {
		t.Fatal(err)
	}
}

// eachScene calls a function for each scene of each release.
func eachScene(t *testing.T, test func(t *testing.T, s releases.Scene)) {
	t.Helper()
	scenes, err := releases.Scenes(releaseFolder)
	if err != nil || len(scenes) == 0 {
		t.Fatalf("%d scenes: %v", len(scenes), err)
	}
	for _, s := range scenes {
		t.Run(s.Release+" "+s.Name, func(t *testing.T) { test(t, s) })
	}
}

// restoreScene returns a world around the stored scene.
func restoreScene(t *testing.T, s releases.Scene) (*durabletest.World, durabletest.Inspector) {
	t.Helper()
	e := releaseEngine(releases.Seed)
	t.Cleanup(func() { _ = e.Close() })
	w, err := s.Restore(e)
	if err != nil {
		t.Fatal(err)
	}
	return w, e
}

// TestStorageOfReleasesGoesOn opens what each release has stored. The transcript is the one that the
// release showed. What was under way goes on to its end, and what was finished is not done again.
func TestStorageOfReleasesGoesOn(t *testing.T) {
	eachScene(t, func(t *testing.T, s releases.Scene) {
		w, e := restoreScene(t, s)
		want, err := s.Shown()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := releases.Ask(w); err != nil || got != want {
			t.Errorf("the transcript is\n%s, %v\nwant\n%s", got, err, want)
		}

		w, e = restoreScene(t, s)
		finished := finishedWork(t, s, e)
		got, err := s.Later(w)
		if err != nil {
			t.Fatal(err)
		}
		durabletest.CompareScript(t, s.LaterFile(), got)
		if strings.Contains(got, ": trap") || strings.Contains(got, "\ttrap") {
			t.Error("an event was lost")
		}
		now := finishedWork(t, s, e)
		for _, row := range finished {
			if !slices.Contains(now, row) {
				t.Errorf("finished work has changed: %s", row)
			}
		}
		for object := range s.Objects {
			if rows := storedRows(t, e, object, `SELECT request, status FROM turn WHERE ended_at = 0`); len(rows) > 0 && s.Name != "asked" {
				t.Errorf("%s: turns are not over: %q", object, rows)
			}
			if rows := storedRows(t, e, object, `SELECT what FROM damage`); len(rows) > 0 {
				t.Errorf("%s: rows were set aside: %q", object, rows)
			}
		}
	})
}

// finishedWork returns what the final turns and runs of all objects have been charged, and said.
func finishedWork(t *testing.T, s releases.Scene, e durabletest.Inspector) (list []string) {
	t.Helper()
	for object := range s.Objects {
		for _, query := range []string{
			`SELECT 'turn', seq, request, status, reply, input_tokens, output_tokens, model_calls, ended_at FROM turn JOIN spent ON turn = seq WHERE ended_at > 0`,
			`SELECT 'run', id, status, summary, ended_at FROM run WHERE ended_at > 0`,
		} {
			for _, row := range storedRows(t, e, object, query) {
				list = append(list, object+" "+row)
			}
		}
	}
	return list
}

// storedRows returns the rows of a query, or none if its table is not made.
func storedRows(t *testing.T, e durabletest.Inspector, object, statement string) (list []string) {
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

// firstEvents are events of every kind that can be the first in a new version.
var firstEvents = []durable.Event{
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

// TestStorageOfReleasesOpensByEveryEvent checks that each object of each release opens, whatever
// comes first.
func TestStorageOfReleasesOpensByEveryEvent(t *testing.T) {
	eachScene(t, func(t *testing.T, s releases.Scene) {
		for object, class := range s.Objects {
			for _, event := range firstEvents {
				e := releaseEngine(releases.Seed)
				if err := s.RestoreObject(e, object); err != nil {
					t.Fatal(err)
				}
				opened := durable.Opened{Class: class, Name: object, Conns: []durable.ConnID{"z"}}
				if _, ok := event.(durable.SocketOpened); ok {
					opened.Conns = nil
				}
				if _, err := e.Step(object, s.Now+1, opened, event); err != nil {
					t.Errorf("%s: %T: %v", object, event, err)
				}
				if rows := storedRows(t, e, object, `SELECT what FROM damage`); len(rows) > 0 {
					t.Errorf("%s: %T: rows were set aside: %q", object, event, rows)
				}
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
