package demo

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/modeltest"
	"github.com/tributary-agents/tributary/durable/model"
)

var parentTools = []string{"research", "background", "plan", "compare", "fan"}

// listen runs the demo model to the end of its answer. It returns the deltas of each step, and the
// time between them.
func listen(t testing.TB, request model.Request) (steps [][]model.Delta, waited int64) {
	t.Helper()
	w := &modeltest.World{}
	answer := w.Begin(t, Model{}, request)
	if want := (durable.StartTimer{Timer: "a1"}); len(w.Commands) != 1 || w.Commands[0] != durable.Command(want) {
		t.Fatalf("Begin: got %v, want %v", w.Commands, want)
	}
	for len(w.Commands) > 0 {
		timer := w.Commands[0].(durable.StartTimer)
		w.Commands = nil
		waited += timer.After
		deltas, err := w.Take(t, answer, durable.TimerFired{Timer: timer.Timer})
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, deltas)
	}
	if deltas, err := w.Take(t, answer, durable.TimerFired{Timer: "a1"}); len(deltas) > 0 || err != nil {
		t.Fatalf("after the end: %v, %v", deltas, err)
	}
	return steps, waited
}

func flat(steps [][]model.Delta) []model.Delta {
	var all []model.Delta
	for _, s := range steps {
		all = append(all, s...)
	}
	return all
}

// outline is an answer in short: its text, then its tool call.
func outline(deltas []model.Delta) string {
	var b strings.Builder
	for _, d := range deltas {
		switch d := d.(type) {
		case model.TextDelta:
			b.WriteString(d.Text + "|")
		case model.ToolCall:
			b.WriteString(d.Name + string(d.Input) + "|")
		case model.Finished:
			b.WriteString(string(d.Reason))
		}
	}
	return b.String()
}

func TestDemoWords(t *testing.T) {
	x := strings.Repeat("x", 13)
	done := model.ToolResult{ID: "c1", Name: "research", Output: json.RawMessage(`{"ok":true,"summary":"Tea is warm."}`)}
	for message, c := range map[string]struct {
		results []model.ToolResult
		want    string
	}{
		"chunks=2":                         {want: "c0 " + x + "|c1 " + x + "|stop"},
		"chunks=2 size=4":                  {want: "c0 x|c1 x|stop"},
		"chunks=2 size=0":                  {want: "c0 |c1 |stop"},
		"chunks=0":                         {want: "stop"},
		"size=3":                           {want: "c0 |c1 |c2 |c3 |c4 |stop"},
		"delay=0":                          {want: "c0 " + x + "|c1 " + x + "|c2 " + x + "|c3 " + x + "|c4 " + x + "|stop"},
		"say `chunks=1`, (size=3).":        {want: "c0 |stop"},
		"chunks=9 chunks=1 size=3":         {want: "c0 |stop"},
		"tool=none chunks=1 size=3":        {want: "c0 |stop"},
		"Compare a and b chunks=1 size=3":  {want: "c0 |stop"},
		"tool=research":                    {want: `research{"query":"durable execution"}|tool-calls`},
		"tool=research tea":                {want: `research{"query":"tea"}|tool-calls`},
		"Research tea! tool=research":      {want: `research{"query":"tea"}|tool-calls`},
		"tool=research tea chunks=2 n=4":   {want: `research{"query":"tea chunks=2"}|tool-calls`},
		"tool=plan size=8 delay=1 a trip":  {want: `plan{"description":"a trip delay=1 size=8"}|tool-calls`},
		"tool=plan":                        {want: `plan{"description":"a small journey"}|tool-calls`},
		"tool=compare a vs b chunks=2":     {want: `compare{"a":"a chunks=2","b":"b chunks=2"}|tool-calls`},
		"tool=compare delay=0":             {want: `compare{"a":"HTTP/3 delay=0","b":"gRPC delay=0"}|tool-calls`},
		"tool=fan n=8 chunks=1000":         {want: `fan{"n":8,"query":"durable execution chunks=1000"}|tool-calls`},
		"tool=fan pchunks=9 tea":           {want: `fan{"n":3,"query":"tea"}|tool-calls`},
		"tool=background tea":              {want: `background{"query":"tea"}|tool-calls`},
		"tool=background tea chunks=2":     {want: `background{"query":"tea tool=web_search chunks=2"}|tool-calls`},
		"Background: tea":                  {want: `background{"query":"tea"}|tool-calls`},
		"tool=research chunks=9 size=3":    {results: []model.ToolResult{done}, want: "c0 |c1 |c2 |stop"},
		"tool=fan size=3 pchunks=1":        {results: []model.ToolResult{done, done}, want: "c0 |stop"},
		"tool=research pchunks=0":          {results: []model.ToolResult{done}, want: "stop"},
		"tool=research pchunks=1":          {results: []model.ToolResult{done}, want: "Here is what came back:\n\n- **research**: Tea is warm.\n\nI am the demo model, so I pass this on as it is.|stop"},
		"Research tea.":                    {want: `research{"query":"tea"}|tool-calls`},
		"please RESEARCH: tea?":            {want: `research{"query":"tea"}|tool-calls`},
		"Can you please plan a trip":       {want: `plan{"description":"a trip"}|tool-calls`},
		"Compare HTTP/3 and gRPC":          {want: `compare{"a":"HTTP/3","b":"gRPC"}|tool-calls`},
		"compare İstanbul with Oslo":       {want: `compare{"a":"İstanbul","b":"Oslo"}|tool-calls`},
		"Compare tea":                      {want: "Tell |me |two |things, |please, |such |as |**Compare |HTTP/3 |and |gRPC**.|stop"},
		"chunks=abc":                       {want: refusal("`chunks=abc` is not a whole number from 0 to 100000")},
		"chunks=1e9":                       {want: refusal("`chunks=1e9` is not a whole number from 0 to 100000")},
		"chunks=-1":                        {want: refusal("`chunks=-1` is not a whole number from 0 to 100000")},
		"chunks=":                          {want: refusal("`chunks=` is not a whole number from 0 to 100000")},
		"tool=fan n=0":                     {want: refusal("`n=0` is not a whole number from 1 to 1000")},
		"delay=60001":                      {want: refusal("`delay=60001` is not a whole number from 0 to 60000")},
		"size=65537":                       {want: refusal("`size=65537` is not a whole number from 0 to 65536")},
		"chunks=100000 size=65536":         {want: refusal("`chunks` times `size` may be at most 67108864 bytes")},
		"tool=fan pchunks=2000 size=65536": {want: refusal("`pchunks` times `size` may be at most 67108864 bytes")},
		"tool=teapot":                      {want: "The |tool |`teapot` |is |not |available |to |this |agent, |so |I |did |nothing.|stop"},
	} {
		t.Run(message, func(t *testing.T) {
			request := modeltest.Asked(message, parentTools...)
			if c.results != nil {
				request = modeltest.WithResults(request, c.results...)
			}
			steps, _ := listen(t, request)
			modeltest.CheckDeltas(t, flat(steps), nil)
			if got := outline(flat(steps)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestDemoCallsAnAuthorsTools shows that a tool that an author has added is offered and called like
// the others, with an input that follows from its schema.
func TestDemoCallsAnAuthorsTools(t *testing.T) {
	own := model.Tool{Name: "poem", Description: "Has a poet write.", Schema: json.RawMessage(`{"type":"object",
		"properties":{"theme":{"type":"string"},"lines":{"type":"integer"},"rhymed":{"type":"boolean"},"style":{"type":"string"},"words":{"type":"array"}},
		"required":["theme","lines","rhymed","words"]}`)}
	for message, want := range map[string]string{
		"poem: the sea":               `poem{"lines":3,"rhymed":true,"theme":"the sea"}|tool-calls`,
		"Please poem about tea!":      `poem{"lines":3,"rhymed":true,"theme":"about tea"}|tool-calls`,
		"tool=poem n=4 tea chunks=2":  `poem{"lines":4,"rhymed":true,"theme":"tea chunks=2"}|tool-calls`,
		"tool=poem":                   `poem{"lines":3,"rhymed":true,"theme":"durable execution"}|tool-calls`,
		"tool=bare tea":               `bare{}|tool-calls`,
		"workflow: poem 5 on tea":     `poem{"lines":5,"rhymed":true,"theme":"tea"}|tool-calls`,
		"act: poem 12 to Ada":         `poem{"lines":12,"rhymed":true,"theme":"Ada"}|tool-calls`,
		"Workflow: poem 2":            `poem{"lines":2,"rhymed":true,"theme":"durable execution"}|tool-calls`,
		"Research poems and the like": `research{"query":"poems and the like"}|tool-calls`,
	} {
		request := modeltest.Asked(message, append([]string{"bare"}, parentTools...)...)
		request.Tools = append(request.Tools, own)
		steps, _ := listen(t, request)
		modeltest.CheckDeltas(t, flat(steps), nil)
		if got := outline(flat(steps)); got != want {
			t.Errorf("%q: got %s, want %s", message, got, want)
		}
	}
	request := modeltest.Asked("What can you do?")
	request.Tools = []model.Tool{own}
	steps, _ := listen(t, request)
	if got := textOf(flat(steps)); !strings.Contains(got, "- **poem** and what it shall be about calls a tool of yours. Has a poet write.") {
		t.Errorf("the tool is not offered: %s", got)
	}
}

// TestDemoRunsCode shows that all that is behind the word is code, and how its result is told.
func TestDemoRunsCode(t *testing.T) {
	for message, want := range map[string]string{
		"code: return 6 * 7":                         `code{"code":"return 6 * 7"}|tool-calls`,
		" Code:\n  const n=3\n  n > 2 && n\n":        `code{"code":"const n=3\n  n > 2 && n"}|tool-calls`,
		"code: tool=research chunks=9 // not a word": `code{"code":"tool=research chunks=9 // not a word"}|tool-calls`,
		"code:": `code{"code":""}|tool-calls`,
	} {
		steps, _ := listen(t, modeltest.Asked(message, append([]string{"code"}, parentTools...)...))
		modeltest.CheckDeltas(t, flat(steps), nil)
		if got := outline(flat(steps)); got != want {
			t.Errorf("%q: got %s, want %s", message, got, want)
		}
	}
	for output, want := range map[string]string{
		`{"status":"completed","result":6,"logs":["a"]}`:                               "- **code**: 6\n",
		`{"status":"completed","result":null}`:                                         "- **code**: nothing\n",
		`{"status":"completed","result":[{"title":"Tea"},2]}`:                          "- **code**: Tea; 2\n",
		`{"status":"failed","error":"TypeError: a is no function (line 4)","calls":7}`: "- **code**: it failed: TypeError: a is no function (line 4)\n",
	} {
		request := modeltest.WithResults(modeltest.Asked("code: chunks=9", "code"), model.ToolResult{ID: "c1", Name: "code", Output: json.RawMessage(output)})
		steps, _ := listen(t, request)
		if got := textOf(flat(steps)); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", output, got, want)
		}
	}
	steps, _ := listen(t, modeltest.Asked("Code is poetry", "code"))
	if got := outline(flat(steps)); !strings.HasSuffix(got, "|stop") {
		t.Errorf("a sentence is run: %s", got)
	}
	steps, _ = listen(t, modeltest.Asked("code: 1", parentTools...))
	if got, want := textOf(flat(steps)), "The tool `code` is not available to this agent, so I did nothing."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// refusal is the outline of an answer that explains a bad word.
func refusal(problem string) string {
	return strings.Join(splitWords("I did nothing, because "+problem+"."), "|") + "|stop"
}

func TestDemoSaysWhenAToolIsMissing(t *testing.T) {
	for _, tool := range parentTools {
		steps, _ := listen(t, modeltest.Asked("tool="+tool+" chunks=3"))
		want := "The tool `" + tool + "` is not available to this agent, so I did nothing."
		if got := textOf(flat(steps)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func textOf(deltas []model.Delta) string {
	var b strings.Builder
	for _, d := range deltas {
		if text, ok := d.(model.TextDelta); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

func TestDemoPace(t *testing.T) {
	for message, want := range map[string]struct {
		steps  []int
		waited int64
	}{
		"chunks=3 delay=40":        {steps: []int{1, 1, 2}, waited: 80},
		"chunks=130":               {steps: []int{64, 64, 3}},
		"chunks=64":                {steps: []int{65}},
		"chunks=0":                 {steps: []int{1}},
		"chunks=10 size=60000":     {steps: []int{5, 6}},
		"tool=research delay=1000": {steps: []int{3}},
	} {
		t.Run(message, func(t *testing.T) {
			steps, waited := listen(t, modeltest.Asked(message, parentTools...))
			var got []int
			for _, s := range steps {
				got = append(got, len(s))
			}
			if !reflect.DeepEqual(got, want.steps) || waited != want.waited {
				t.Errorf("got %v in %d ms, want %v in %d ms", got, waited, want.steps, want.waited)
			}
		})
	}
}

func TestDemoClosesInExactlySoManyDeltas(t *testing.T) {
	result := model.ToolResult{ID: "c1", Name: "compare", Output: json.RawMessage(`{"b":{"ok":false,"error":"no luck"},"a":{"summary":"All\nis well."}}`)}
	for _, n := range []int{0, 1, 2, 3, 10, 28, 29, 100} {
		steps, _ := listen(t, modeltest.WithResults(modeltest.Asked(fmt.Sprintf("tool=compare pchunks=%d", n), parentTools...), result))
		deltas := flat(steps)
		if got := len(deltas) - 1; got != n {
			t.Errorf("pchunks=%d gives %d deltas", n, got)
		}
		if said := "- **compare**: All is well.; it failed: no luck\n"; n > 0 && !strings.Contains(textOf(deltas), said) {
			t.Errorf("pchunks=%d: %q is missing in %q", n, said, textOf(deltas))
		}
	}
	steps, _ := listen(t, modeltest.WithResults(modeltest.Asked("Compare a and b", parentTools...), result))
	if got := len(flat(steps)) - 1; got != 3 {
		t.Errorf("without words there are %d deltas", got)
	}
}

func TestDemoHelperUsesItsToolFirst(t *testing.T) {
	for tool, c := range map[string]struct{ call, after string }{
		"search":       {`search{"query":"What about docs/tea.md?"}|tool-calls`, "The search gave:** something"},
		"web_search":   {`web_search{"query":"What about docs/tea.md?"}|tool-calls`, "The search gave:** something"},
		"inspect_file": {`inspect_file{"path":"docs/tea.md"}|tool-calls`, "what is there: something"},
	} {
		t.Run(tool, func(t *testing.T) {
			request := modeltest.Asked("What about docs/tea.md?", tool)
			steps, _ := listen(t, request)
			if got := outline(flat(steps)); got != c.call {
				t.Errorf("got %s, want %s", got, c.call)
			}
			request = modeltest.WithResults(request, model.ToolResult{ID: "c1", Name: tool, Output: json.RawMessage(`{"text":"something"}`)})
			steps, _ = listen(t, request)
			if got := textOf(flat(steps)); !strings.Contains(got, c.after) || !strings.Contains(got, "demo model") {
				t.Errorf("got %s", got)
			}
			request.Messages = append(request.Messages, modeltest.Said(model.User, model.Text{Text: "chunks=1 size=3"}))
			steps, _ = listen(t, request)
			if got := outline(flat(steps)); got != "c0 |stop" {
				t.Errorf("got %s", got)
			}
			request.Messages = append(request.Messages, modeltest.Said(model.User, model.Text{Text: "And docs/tea.md again?"}))
			steps, _ = listen(t, request)
			if got := outline(flat(steps)); !strings.HasPrefix(got, tool) {
				t.Errorf("a new question uses the tool again: got %s", got)
			}
		})
	}
}

func TestDemoTopics(t *testing.T) {
	for message, want := range map[string]string{
		"":                           "Hello!",
		"Hi there":                   "Hello!",
		"What can you do?":           "Hello!",
		"How do I use a real model?": "MODEL_PROVIDER=openai",
		"Can I stop you?":            "**Stop** ends it",
		"Show me some Markdown":      "A little of everything",
		"How does it work?":          "inside Cloudflare",
		"explain key=value please":   "tests and benchmarks",
		"Thanks!":                    "You are welcome!",
		"(It is at work in the background.) Tea.": "news from the background: (It is at work in the background.) Tea.",
		"Why is the sky blue? {{try}}":            "You wrote: “Why is the sky blue? {{try}}”",
		"compare cats and dogs":                   "You wrote: “compare cats and dogs”",
		"n=3":                                     "Hello!",
		"highland cattle":                         "You wrote",
		strings.Repeat("long ", 100) + "story":    "long…”",
	} {
		steps, waited := listen(t, modeltest.Asked(message))
		got := textOf(flat(steps))
		if !strings.Contains(got, want) {
			t.Errorf("%q: %q is missing in %q", message, want, got)
		}
		if strings.Contains(strings.ReplaceAll(got, message, ""), "{{") {
			t.Errorf("%q: something is not filled in: %q", message, got)
		}
		if len(steps) < 8 || waited != int64(len(steps)-1)*proseDelay {
			t.Errorf("%q: %d steps in %d ms", message, len(steps), waited)
		}
	}
	without, _ := listen(t, modeltest.Asked("hello"))
	with, _ := listen(t, modeltest.Asked("hello", parentTools...))
	if a, b := textOf(flat(without)), textOf(flat(with)); strings.Contains(a, "helper") || !strings.Contains(b, "helper") {
		t.Errorf("helpers are promised where there are none, or hidden where there are: %s\n%s", a, b)
	}
}

func TestDemoTellsItsLimits(t *testing.T) {
	source, err := os.ReadFile("model.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range numberWords {
		row := fmt.Sprintf(" | %d | %d |", n.usual, n.top)
		if n.smallest > n.usual || !strings.Contains(wordsText, "| `"+n.key+"=` ") || !strings.Contains(wordsText, row) {
			t.Errorf("words.md does not have %s%s", n.key, row)
		}
		if n.key != "pchunks" && !strings.Contains(string(source), "at most "+strconv.Itoa(n.top)+" (") {
			t.Errorf("the comment on Demo does not have %d", n.top)
		}
	}
}

func TestDemoIsDeterministic(t *testing.T) {
	for _, message := range []string{"hello", "chunks=70", "tool=fan", "compare a and b", "delay=5"} {
		a, _ := listen(t, modeltest.Asked(message, parentTools...))
		b, _ := listen(t, modeltest.Asked(message, parentTools...))
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%q: got %v, then %v", message, a, b)
		}
	}
}

func TestDemoCallIDsAreFresh(t *testing.T) {
	w := &modeltest.World{}
	seen := map[string]bool{}
	for range 3 {
		deltas, err := w.Take(t, w.Begin(t, Model{}, modeltest.Asked("tool=plan", "plan")), durable.TimerFired{Timer: "a1"})
		if err != nil {
			t.Fatal(err)
		}
		id := deltas[0].(model.ToolCallStarted).ID
		if seen[id] || !strings.HasPrefix(id, "call_") || deltas[1].(model.ToolCall).ID != id {
			t.Errorf("id %q in %v", id, deltas)
		}
		seen[id] = true
	}
}

func TestDemoUsage(t *testing.T) {
	steps, _ := listen(t, modeltest.WithResults(modeltest.Asked("chunks=2 size=10 tool=plan"), model.ToolResult{Name: "plan", Output: json.RawMessage(`"ok"`)}))
	deltas := flat(steps)
	// 26 bytes asked, 4+2 called, 4+4 came back; 3 chunks of 10 said.
	if got, want := deltas[len(deltas)-1].(model.Finished).Usage, (model.Usage{Input: 10, Output: 8}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDemoCancel(t *testing.T) {
	w := &modeltest.World{}
	answer := w.Begin(t, Model{}, modeltest.Asked("chunks=1000"))
	w.Take(t, answer, durable.TimerFired{Timer: "a1"})
	w.Commands = nil
	w.Step(answer.Cancel)
	w.Step(answer.Cancel)
	if want := []durable.Command{durable.StopTimer{Timer: "a1"}}; !reflect.DeepEqual(w.Commands, want) {
		t.Errorf("got %v, want %v", w.Commands, want)
	}
	if deltas, err := w.Take(t, answer, durable.TimerFired{Timer: "a1"}); len(deltas) > 0 || err != nil {
		t.Errorf("after cancel: %v, %v", deltas, err)
	}
}

func FuzzDemo(f *testing.F) {
	f.Add("Compare a and b", `{"ok":true}`, true)
	f.Add("tool=fan n=2 chunks=3 size=9", `["x"]`, false)
	f.Add("please plan İİİ vs. x pchunks=2", `{{`, true)
	f.Fuzz(func(t *testing.T, message, output string, tools bool) {
		names := parentTools
		if !tools {
			names = []string{"web_search"}
		}
		if w := parseWords(message); w.number["chunks"] > 5000 || w.number["pchunks"] > 5000 || w.number["size"] > 5000 {
			return
		}
		request := modeltest.Asked(message, names...)
		steps, _ := listen(t, request)
		modeltest.CheckDeltas(t, flat(steps), nil)
		steps, _ = listen(t, modeltest.WithResults(request, model.ToolResult{ID: "c1", Name: names[0], Output: json.RawMessage(output)}))
		modeltest.CheckDeltas(t, flat(steps), nil)
	})
}
