package openai

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/modeltest"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

var endpoint = Model{URL: "http://model.test/v1/chat/completions", Model: "m", Secret: model.VarKey}

// models are the models that the files are about, by folder.
var models = map[string]model.Model{
	"openai":    endpoint,
	"workersai": WorkersAI{Binding: "AI", Model: "@cf/a/b", MaxTokens: 1000},
}

func TestTranscripts(t *testing.T) { modeltest.RunTranscripts(t, models) }

func TestRequests(t *testing.T) { modeltest.RunRequests(t, models) }

func FuzzAnswers(f *testing.F) { modeltest.FuzzAnswers(f, models) }

func TestOpenAIWithoutKeySendsNoAuthorization(t *testing.T) {
	w := &modeltest.World{}
	answer := w.Begin(t, Model{URL: "http://test/", Model: "m"}, modeltest.Asked("hi"))
	for _, h := range w.Commands[0].(durable.Fetch).Header {
		if h.Secret != "" || h.Name == "Authorization" {
			t.Errorf("header %v", h)
		}
	}
	_, err := w.Take(t, answer, durable.FetchResponded{Status: 401}, durable.FetchEnded{})
	if err == nil || !strings.Contains(err.Error(), "set the secret MODEL_API_KEY") {
		t.Errorf("got %v", err)
	}
}

func TestOpenAIRefusesABrokenSchema(t *testing.T) {
	request := modeltest.Asked("hi")
	request.Tools = []model.Tool{{Name: "now", Schema: json.RawMessage(`{`)}}
	w := &modeltest.World{}
	w.Step(func(tx *durable.Tx) {
		if _, err := endpoint.Begin(tx, "a1", request); err == nil {
			t.Error("no error")
		}
	})
	if len(w.Commands) != 0 {
		t.Errorf("commands: %v", w.Commands)
	}
}

// TestEndWithoutReasonIsLogged checks that the log says of an answer that it was taken for a whole one.
func TestEndWithoutReasonIsLogged(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want bool
	}{
		"no reason":           {`data: {"choices":[{"delta":{"content":"Whole."}}]}` + "\n\n", true},
		"a reason and no end": {`data: {"choices":[{"delta":{"content":"Whole."},"finish_reason":"stop"}]}` + "\n\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := &modeltest.World{}
			answer := w.Begin(t, endpoint, modeltest.Asked("hi"))
			head := durable.FetchResponded{Status: 200, Header: map[string]string{"content-type": "text/event-stream"}}
			if _, err := w.Take(t, answer, head, durable.FetchChunk{Data: []byte(c.body)}, durable.FetchEnded{}); err != nil {
				t.Fatal(err)
			}
			logged := slices.ContainsFunc(w.Commands, func(c durable.Command) bool {
				log, ok := c.(durable.Log)
				return ok && strings.Contains(log.Message, "ended without a finish reason")
			})
			if logged != c.want {
				t.Errorf("logged is %v, want %v: %v", logged, c.want, w.Commands)
			}
		})
	}
}

func TestOpenAICancelsTheFetchAtTheEnd(t *testing.T) {
	stream := durable.FetchResponded{Status: 200, Header: map[string]string{"content-type": "text/event-stream"}}
	chunk := func(text string) durable.Event { return durable.FetchChunk{Data: []byte(text)} }
	for name, c := range map[string]struct {
		events []durable.Event
		cancel bool
		want   int
	}{
		"done":         {events: []durable.Event{stream, chunk("data: [DONE]\n\n"), durable.FetchEnded{}}, want: 1},
		"garbled":      {events: []durable.Event{stream, chunk("data: {?\n\n"), durable.FetchEnded{}}, want: 1},
		"ended":        {events: []durable.Event{stream, durable.FetchEnded{}, durable.FetchEnded{}}},
		"failed":       {events: []durable.Event{durable.FetchFailed{}, durable.FetchEnded{}}},
		"cancel":       {events: []durable.Event{stream}, cancel: true, want: 1},
		"done, cancel": {events: []durable.Event{stream, chunk("data: [DONE]\n\n")}, cancel: true, want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := &modeltest.World{}
			answer := w.Begin(t, endpoint, modeltest.Asked("hi"))
			w.Take(t, answer, c.events...)
			if c.cancel {
				w.Step(answer.Cancel)
				w.Step(answer.Cancel)
				if deltas, err := w.Take(t, answer, chunk("data: ?\n\n")); len(deltas) > 0 || err != nil {
					t.Errorf("after cancel: %v, %v", deltas, err)
				}
			}
			got := 0
			for _, command := range w.Commands {
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
	for i := range limit.ToolCalls + 1 {
		many.WriteString(`data: {"choices":[{"delta":{"tool_calls":[{"index":` + strconv.Itoa(i) + `,"function":{"name":"now"}}]}}]}` + "\n\n")
	}
	for name, c := range map[string]struct {
		status int
		header map[string]string
		body   string
		want   string
	}{
		"line":       {200, stream, "data: " + strings.Repeat("x", limit.Event), "error garbled status=0 retry=0 ms: the model sent an event larger than 1 MiB\n"},
		"event":      {200, stream, strings.Repeat("data: "+strings.Repeat("x", 1000)+"\n", 1100), "error garbled status=0 retry=0 ms: the model sent an event larger than 1 MiB\n"},
		"body":       {200, whole, "{" + strings.Repeat("x", limit.Body), "error garbled status=0 retry=0 ms: the model's answer is larger than 4 MiB\n"},
		"error body": {500, nil, strings.Repeat("x", 20_000), "error unavailable status=500 retry=0 ms: the model cannot answer now (status 500): " + strings.Repeat("x", 297) + "…\n"},
		"input":      {200, stream, call + call, `error garbled status=0 retry=0 ms: the input that the model gave to the tool "research" is larger than 256 KiB` + "\n"},
		"calls":      {200, stream, many.String(), "error garbled status=0 retry=0 ms: the model asked for more than 128 tools at once\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &modeltest.World{}
			answer := w.Begin(t, endpoint, modeltest.Asked("hi"))
			events := []durable.Event{durable.FetchResponded{Status: c.status, Header: c.header}}
			for body := []byte(c.body); len(body) > 0; {
				n := min(len(body), 100_000)
				events = append(events, durable.FetchChunk{Data: body[:n]})
				body = body[n:]
			}
			_, err := w.Take(t, answer, events...)
			if got := modeltest.Show(nil, err); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
