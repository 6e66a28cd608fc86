package modeltest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// transcript is an endpoint's answer. Its file has the status, the header, a blank line and the
// body.
type transcript struct {
	model model.Model
	head  durable.FetchResponded
	body  []byte
	end   durable.Event
}

func readTranscript(t testing.TB, models map[string]model.Model, path string) transcript {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := bytes.Cut(file, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	s := transcript{
		model: models[filepath.Base(filepath.Dir(path))],
		head:  durable.FetchResponded{Fetch: "a1", Header: map[string]string{}},
		body:  body,
		end:   durable.FetchEnded{Fetch: "a1"},
	}
	if s.head.Status, err = strconv.Atoi(lines[0]); err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		if reason, failed := strings.CutPrefix(value, "failed "); name == "end" && failed {
			s.end = durable.FetchFailed{Fetch: "a1", Error: reason}
			continue
		}
		if reason, unsent := strings.CutPrefix(value, "unsent "); name == "end" && unsent {
			s.end = durable.FetchFailed{Fetch: "a1", Error: reason, Unsent: true}
			continue
		}
		s.head.Header[name] = value
	}
	return s
}

// play delivers a transcript to its model, with the body in the given pieces.
func (s transcript) play(t testing.TB, pieces ...[]byte) string {
	t.Helper()
	request := model.Request{Messages: []model.Message{Said(model.Assistant, model.ToolCall{ID: "used", Name: "research"})}}
	w := &World{}
	answer := w.Begin(t, s.model, request)
	var events []durable.Event
	if s.head.Status != 0 {
		events = append(events, s.head)
	}
	for _, p := range pieces {
		events = append(events, durable.FetchChunk{Fetch: "a1", Data: p})
	}
	return Show(w.Take(t, answer, append(events, s.end)...))
}

// RunTranscripts delivers testdata/<folder>/*.http to the models, and compares the deltas with the
// file beside each: in one piece, in two that are split at every place, and byte by byte, with each
// of the three line endings. The key of models is the folder.
func RunTranscripts(t *testing.T, models map[string]model.Model) {
	files, err := filepath.Glob("testdata/*/*.http")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		name, _ := filepath.Rel("testdata", strings.TrimSuffix(file, ".http"))
		t.Run(name, func(t *testing.T) {
			s := readTranscript(t, models, file)
			got := s.play(t, s.body)
			golden(t, strings.TrimSuffix(file, ".http")+".deltas", got)
			for _, newline := range []string{"\n", "\r\n", "\r"} {
				body := bytes.ReplaceAll(s.body, []byte("\n"), []byte(newline))
				want := s.play(t, body)
				if s.head.Status == 200 && want != got {
					t.Fatalf("lines ended by %q: got:\n%s\nwant:\n%s", newline, want, got)
				}
				for i := range body {
					if got := s.play(t, body[:i], body[i:]); got != want {
						t.Fatalf("split at %d, lines ended by %q: got:\n%s\nwant:\n%s", i, newline, got, want)
					}
				}
				if got := s.play(t, singly(body)...); got != want {
					t.Fatalf("byte by byte: got:\n%s\nwant:\n%s", got, want)
				}
			}
		})
	}
}

func singly(body []byte) [][]byte {
	var pieces [][]byte
	for i := range body {
		pieces = append(pieces, body[i:i+1])
	}
	return pieces
}

// PlayAnswer delivers an answer to a model as a transcript: in one piece, in two that are split at
// every place, and byte by byte. The test fails if that makes a difference. It returns the deltas and
// the error, see [Show].
func PlayAnswer(t testing.TB, m model.Model, status int, media, body string) string {
	t.Helper()
	s := transcript{
		model: m, body: []byte(body), end: durable.FetchEnded{Fetch: "a1"},
		head: durable.FetchResponded{Fetch: "a1", Status: status, Header: map[string]string{"content-type": media}},
	}
	want := s.play(t, s.body)
	for i := range s.body {
		if got := s.play(t, s.body[:i], s.body[i:]); got != want {
			t.Fatalf("split at %d: got:\n%s\nwant:\n%s", i, got, want)
		}
	}
	if got := s.play(t, singly(s.body)...); got != want {
		t.Fatalf("byte by byte: got:\n%s\nwant:\n%s", got, want)
	}
	return want
}

// PlayEvents is [PlayAnswer] for a stream of events, given by the data of each.
func PlayEvents(t testing.TB, m model.Model, events ...string) string {
	t.Helper()
	return PlayAnswer(t, m, 200, "text/event-stream", "data: "+strings.Join(events, "\n\ndata: ")+"\n\n")
}
