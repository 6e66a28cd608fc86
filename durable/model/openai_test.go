package model

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var endpoint = OpenAI{URL: "http://model.test/v1/chat/completions", Model: "m", Secret: VarKey}

// providers are the models that transcripts are of, by the folder of those.
var providers = map[string]Model{
	"openai":    endpoint,
	"anthropic": Anthropic{URL: "http://model.test/v1/messages", Model: "m", Secret: VarKey, MaxTokens: 1000, Thinking: Thinking{Budget: 500}},
	"workersai": WorkersAI{Binding: "AI", Model: "@cf/a/b", MaxTokens: 1000},
}

// transcript is what an endpoint answered: a file of status, header, blank line
// and body.
type transcript struct {
	model Model
	head  durable.FetchResponded
	body  []byte
	end   durable.Event
}

func readTranscript(t testing.TB, path string) transcript {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := bytes.Cut(file, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	s := transcript{
		model: providers[filepath.Base(filepath.Dir(path))],
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

// play hands a transcript over with its body in the given pieces.
func (s transcript) play(t testing.TB, pieces ...[]byte) string {
	t.Helper()
	request := Request{Messages: []Message{said(Assistant, ToolCall{ID: "used", Name: "research"})}}
	w := &world{}
	answer := w.begin(t, s.model, request)
	var events []durable.Event
	if s.head.Status != 0 {
		events = append(events, s.head)
	}
	for _, p := range pieces {
		events = append(events, durable.FetchChunk{Fetch: "a1", Data: p})
	}
	return show(w.take(t, answer, append(events, s.end)...))
}

func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.http")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		name, _ := filepath.Rel("testdata", strings.TrimSuffix(file, ".http"))
		t.Run(name, func(t *testing.T) {
			s := readTranscript(t, file)
			got := s.play(t, s.body)
			golden := strings.TrimSuffix(file, ".http") + ".deltas"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Fatalf("got:\n%s\nwant:\n%s", got, want)
			}
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

func TestOpenAIWithoutKeySendsNoAuthorization(t *testing.T) {
	w := &world{}
	answer := w.begin(t, OpenAI{URL: "http://model.test/", Model: "m"}, asked("hi"))
	for _, h := range w.commands[0].(durable.Fetch).Header {
		if h.Secret != "" || h.Name == "Authorization" {
			t.Errorf("header %v", h)
		}
	}
	_, err := w.take(t, answer, durable.FetchResponded{Status: 401}, durable.FetchEnded{})
	if err == nil || !strings.Contains(err.Error(), "set the secret MODEL_API_KEY") {
		t.Errorf("got %v", err)
	}
}

func TestOpenAIRefusesABrokenSchema(t *testing.T) {
	request := asked("hi")
	request.Tools = []Tool{{Name: "now", Schema: json.RawMessage(`{`)}}
	w := &world{}
	w.step(func(tx *durable.Tx) {
		if _, err := endpoint.Begin(tx, "a1", request); err == nil {
			t.Error("no error")
		}
	})
	if len(w.commands) != 0 {
		t.Errorf("commands: %v", w.commands)
	}
}

func TestOpenAILetsGoOfTheFetchAtTheEnd(t *testing.T) {
	stream := durable.FetchResponded{Status: 200, Header: map[string]string{"content-type": "text/event-stream"}}
	chunk := func(text string) durable.Event { return durable.FetchChunk{Data: []byte(text)} }
	for name, c := range map[string]struct {
		events []durable.Event
		cancel bool
		want   int
	}{
		"done":         {events: []durable.Event{stream, chunk("data: [DONE]\n\n"), durable.FetchEnded{}}, want: 1},
		"garbled":      {events: []durable.Event{stream, chunk("data: ?\n\n"), durable.FetchEnded{}}, want: 1},
		"ended":        {events: []durable.Event{stream, durable.FetchEnded{}, durable.FetchEnded{}}},
		"failed":       {events: []durable.Event{durable.FetchFailed{}, durable.FetchEnded{}}},
		"cancel":       {events: []durable.Event{stream}, cancel: true, want: 1},
		"done, cancel": {events: []durable.Event{stream, chunk("data: [DONE]\n\n")}, cancel: true, want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{}
			answer := w.begin(t, endpoint, asked("hi"))
			w.take(t, answer, c.events...)
			if c.cancel {
				w.step(answer.Cancel)
				w.step(answer.Cancel)
				if deltas, err := w.take(t, answer, chunk("data: ?\n\n")); len(deltas) > 0 || err != nil {
					t.Errorf("after cancel: %v, %v", deltas, err)
				}
			}
			got := 0
			for _, command := range w.commands {
				if command == durable.Command(durable.CancelFetch{Fetch: "a1"}) {
					got++
				}
			}
			if got != c.want {
				t.Errorf("%d cancels, want %d", got, c.want)
			}
		})
	}
}

func TestOpenAILimits(t *testing.T) {
	stream := map[string]string{"content-type": "text/event-stream"}
	whole := map[string]string{"content-type": "application/json"}
	call := `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"research","arguments":"` +
		strings.Repeat("x", 150<<10) + `"}}]}}]}` + "\n\n"
	var many strings.Builder
	for i := range maxCalls + 1 {
		many.WriteString(`data: {"choices":[{"delta":{"tool_calls":[{"index":` + strconv.Itoa(i) + `,"function":{"name":"now"}}]}}]}` + "\n\n")
	}
	for name, c := range map[string]struct {
		status int
		header map[string]string
		body   string
		want   string
	}{
		"line":       {200, stream, "data: " + strings.Repeat("x", maxEvent), "error garbled status=0 retry=0 ms: the model sent an event larger than 1 MiB\n"},
		"event":      {200, stream, strings.Repeat("data: "+strings.Repeat("x", 1000)+"\n", 1100), "error garbled status=0 retry=0 ms: the model sent an event larger than 1 MiB\n"},
		"body":       {200, whole, strings.Repeat("x", maxBody+1), "error garbled status=0 retry=0 ms: the model's answer is larger than 4 MiB\n"},
		"error body": {500, nil, strings.Repeat("x", maxErrorBody+1), "error unavailable status=500 retry=0 ms: the model cannot answer now (status 500): " + strings.Repeat("x", maxQuote-3) + "…\n"},
		"input":      {200, stream, call + call, `error garbled status=0 retry=0 ms: the input that the model gave to the tool "research" is larger than 256 KiB` + "\n"},
		"calls":      {200, stream, many.String(), "error garbled status=0 retry=0 ms: the model asked for more than 128 tools at once\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{}
			answer := w.begin(t, endpoint, asked("hi"))
			events := []durable.Event{durable.FetchResponded{Status: c.status, Header: c.header}}
			for body := []byte(c.body); len(body) > 0; {
				n := min(len(body), 100_000)
				events = append(events, durable.FetchChunk{Data: body[:n]})
				body = body[n:]
			}
			_, err := w.take(t, answer, events...)
			if got := show(nil, err); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func FuzzAnswers(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*.http")
	for _, file := range files {
		s := readTranscript(f, file)
		_, failed := s.end.(durable.FetchFailed)
		f.Add(filepath.Base(filepath.Dir(file)), s.head.Status, s.head.Header["content-type"], s.body, 7, failed)
	}
	f.Fuzz(func(t *testing.T, provider string, status int, media string, body []byte, split int, failed bool) {
		if providers[provider] == nil {
			return
		}
		s := transcript{
			model: providers[provider],
			head:  durable.FetchResponded{Status: status, Header: map[string]string{"content-type": media}},
			end:   durable.FetchEnded{},
		}
		if failed {
			s.end = durable.FetchFailed{Error: "reset"}
		}
		split = max(0, min(split, len(body)))
		got, want := s.play(t, body[:split], body[split:]), s.play(t, body)
		if got != want {
			t.Fatalf("got:\n%s\nwant:\n%s", got, want)
		}
		w := &world{}
		answer := w.begin(t, s.model, asked("hi"))
		deltas, err := w.take(t, answer, s.head, durable.FetchChunk{Data: body}, s.end)
		checkDeltas(t, deltas, err)
	})
}

// checkDeltas holds for the deltas of any whole answer.
func checkDeltas(t *testing.T, deltas []Delta, err error) {
	t.Helper()
	finished := false
	started, done := map[string]bool{}, map[string]bool{}
	for _, d := range deltas {
		switch d := d.(type) {
		case TextDelta:
			if d.Text == "" {
				t.Error("empty text")
			}
		case ReasoningDelta:
			if d.Text == "" {
				t.Error("empty reasoning")
			}
		case ToolCallStarted:
			if started[d.ID] || d.Name == "" {
				t.Errorf("started twice or nameless: %v", d)
			}
			started[d.ID] = true
		case ToolCallDelta:
			if !started[d.ID] || d.Text == "" {
				t.Errorf("not started or empty: %v", d)
			}
		case ToolCall:
			var object map[string]any
			if json.Unmarshal(d.Input, &object) != nil || object == nil {
				t.Errorf("input is no object: %s", d.Input)
			}
			if !started[d.ID] || done[d.ID] {
				t.Errorf("not started or twice: %v", d)
			}
			done[d.ID] = true
		case Finished:
			finished = true
			if len(done) != len(started) {
				t.Errorf("%d calls of %d", len(done), len(started))
			}
		}
	}
	if finished == (err != nil) {
		t.Errorf("finished is %v, and the error %v", finished, err)
	}
}
