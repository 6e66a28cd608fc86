//go:build !wasip1

package chat_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/script"
)

// init has the engine end the whole instance with some code, and with some answers. It drops the boxes
// of some code before the answers that they wait for, three times.
func init() {
	engine := script.Host
	var drops sync.Map // from boxes to their numbers
	var opened atomic.Int64
	script.Host = func(request []byte) []byte {
		if bytes.Contains(request, []byte("/* poison */")) || bytes.Contains(request, []byte(`{"n":666}`)) {
			panic("the isolate is gone")
		}
		decoded, _ := script.DecodeRequest(request)
		switch r := decoded.(type) {
		case script.Open:
			if strings.Contains(r.Code, "/* drop */") {
				drops.Store(r.Box, opened.Add(1))
			}
		case script.Answer:
			if n, ok := drops.Load(r.Box); ok && n.(int64) <= 3 {
				engine(script.Close{Box: r.Box}.Encode())
			}
		}
		return engine(request)
	}
}

// ranCode is what has come of the code of a conversation.
type ranCode struct {
	// output is that of the tool, and calls are the parts of its calls: each with its number, state and
	// output.
	output string
	calls  []string
}

// runCode has the model of a new conversation run code, and returns what has come of it. Each of the
// actions is performed when nothing else is left to do. lose says that all memory is lost behind
// every event in which no model answers.
func runCode(t *testing.T, code string, lose bool, actions ...string) (ran ranCode) {
	t.Helper()
	engine := durabletest.NewNative(1, chattest.Classes()...)
	defer engine.Close()
	return runCodeIn(t, durabletest.NewWorld(engine, "Coder", "room"), code, lose, actions...)
}

// runCodeIn is [runCode] in a world.
func runCodeIn(t *testing.T, w *durabletest.World, code string, lose bool, actions ...string) (ran ranCode) {
	t.Helper()
	act(t, w, "connect a", "say a R1 u1: code: "+code)
	for idle, losses := 0, 0; ; {
		act(t, w, "tick")
		lines := w.Take()
		told := strings.Join(lines, "\n")
		asking, continues := strings.Contains(told, "timer turn-"), strings.Contains(told, "timer stretch ")
		switch idle++; {
		case len(lines) > 0:
			idle = 0
		case idle > 3 && len(actions) == 0:
			act(t, w, "get /agents/x/room/get-messages")
			return readCode(t, w.Take())
		case idle > 3:
			act(t, w, actions[0])
			actions = actions[1:]
		}
		switch {
		case !lose || asking:
		case !continues:
			act(t, w, "evict")
		default: // code that is lost in the same stretch each time is given up
			if losses++; losses%flow.MaxSliceLosses != 0 {
				act(t, w, "evict", "get /agents/x/room/get-messages")
			}
		}
	}
}

// readCode reads the parts of the code and its calls in the answer to a request for the messages.
func readCode(t *testing.T, lines []string) (ran ranCode) {
	_, list, _ := strings.Cut(lines[len(lines)-1], "application/json\" ")
	var messages []struct {
		Parts []struct {
			Type, ToolCallID, State, ErrorText string
			Output                             json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(list), &messages); err != nil {
		t.Fatal(err)
	}
	for _, m := range messages {
		for _, p := range m.Parts {
			_, number, isCall := strings.Cut(p.ToolCallID, "/")
			switch {
			case isCall:
				ran.calls = append(ran.calls, strings.TrimSpace(number+" "+p.State+" "+string(p.Output)+p.ErrorText))
			case p.Type == "tool-code":
				ran.output = string(p.Output) + p.ErrorText
			}
		}
	}
	return ran
}

const firstCall = "call_r6J_EZIP2THJzb3B"

// TestWorkOfCode shows that the work of all stretches of code counts together. Each of them is allowed.
func TestWorkOfCode(t *testing.T) {
	got := runCode(t, `for (;;) { for (let i = 0; i < 2.8e6; i++); await tools.double({n: 1}) }`, false)
	if want := "the code has done all the work that it may do"; !strings.Contains(got.output, want) || len(got.calls) != 4 {
		t.Errorf("got %s and %d calls, want %q behind 4", got.output, len(got.calls), want)
	}
}

// TestCode checks what the model is told of code, and what a browser is shown of its calls. Each code is
// run again with all memory lost behind nearly every event, which nobody can notice.
func TestCode(t *testing.T) {
	for name, test := range map[string]struct {
		code, output string
		calls        []string
		actions      []string
	}{
		"an expression":         {code: `1 + 1`, output: `{"status":"completed","result":2}`},
		"nothing returned":      {code: `const a = 1; if (a) {}`, output: `{"status":"completed","result":null}`},
		"lines of the console":  {code: `console.log("a", {b: 1}); return 1`, output: `{"status":"completed","result":1,"logs":\["a {\\"b\\":1}"\]}`},
		"calls in a row":        {code: `let n = 1; for (let i = 0; i < 3; i++) n = (await tools.double({n})).n; return n`, output: `{"status":"completed","result":8}`, calls: []string{`1 output-available {"n":2}`, `2 output-available {"n":4}`, `3 output-available {"n":8}`}},
		"an error with a line":  {code: `null.x`, output: `{"status":"failed","error":"TypeError: .* \(line 1\)","calls":0}`},
		"a syntax error":        {code: `const = 1`, output: `{"status":"failed","error":".*line 1.*","calls":0}`},
		"no code":               {code: ` `, output: `{"status":"failed","error":".+","calls":0}`},
		"code that is no text":  {code: `input: {"code":5}`, output: `{"status":"failed","error":"the code is no text: .*","calls":0}`},
		"no code at all":        {code: `input: {}`, output: `{"status":"failed","error":"the code is no text: .*","calls":0}`},
		"code that is too long": {code: `return 1 //` + strings.Repeat("x", 64<<10), output: `{"status":"failed","error":"the code has 65547 bytes, at most 65536","calls":0}`},
		"an input too large":    {code: `await tools.double({n: "x".repeat(300000)})`, output: `{"status":"failed","error":".*the input of double has 300008 bytes, at most 262144.*","calls":1}`},
		"a function returned":   {code: `return () => 1`, output: `{"status":"completed","result":null}`},
		"a cycle returned":      {code: `const a = {}; a.a = a; return a`, output: `{"status":"failed","error":".*circular.*","calls":0}`},
		"types":                 {code: `const a: number = 1; return a`, output: `{"status":"failed","error":"write JavaScript without types \(line 1\)","calls":0}`},
		"a failed call":         {code: `try { await tools.lose({n: 1}) } catch (e) { return e.message }`, output: `{"status":"completed","result":"it was lost"}`, calls: []string{`1 output-error it was lost`}},
		"a failure not caught":  {code: `await tools.lose({n: 1})`, output: `{"status":"failed","error":"Error: it was lost.*","calls":1}`, calls: []string{`1 output-error it was lost`}},
		"an unknown tool":       {code: `await tools.fly({n: 1})`, output: `{"status":"failed","error":".*there is no tool \\"fly\\".*","calls":1}`},
		"input that is no fit":  {code: `await tools.pay({n: "much"})`, output: `{"status":"failed","error":".*input does not fit its schema.*","calls":1}`, calls: []string{`1 output-error input does not fit its schema: .*`}},
		"a tool renamed":        {code: `await tools.no_output_v2()`, output: `{"status":"failed","error":".*no JSON that can be shown.*","calls":1}`, calls: []string{`1 output-error .*`}},
		"search and help":       {code: `return [(await search("double")).includes("double"), (await help("double")).includes("n: number")]`, output: `{"status":"completed","result":\[true,true\]}`},
		"time stands still":     {code: `const a = Date.now(); for (let i = 0; i < 1e5; i++); const b = Date.now(); await sleep(5000); return [b - a, Date.now() - b]`, output: `{"status":"completed","result":\[0,5000\]}`},
		"too many calls":        {code: `let n = 0; try { for (;; n++) await tools.double({n}) } catch (e) { return [n, e.message] }`, output: `{"status":"completed","result":\[20,"the code has made 20 calls, and may make no more"\]}`, calls: make([]string, 20)},
		"a call left behind":    {code: `tools.rest({n: 50}); await tools.double({n: 1}); tools.lose({n: 1}); return "done"`, output: `{"status":"completed","result":"done"}`, calls: []string{`1 output-error the code has ended without waiting for it`, `2 output-available {"n":2}`}},
		"nobody brings it":      {code: `await new Promise(() => {})`, output: `{"status":"failed","error":"the code waits for something that nobody brings","calls":0}`},
		"too long":              {code: `await tools.rest({n: 100})`, output: `{"status":"failed","error":"the code has taken longer than 1m0s","calls":1}`, calls: []string{`1 output-error the code has ended without waiting for it`}},
		"boxes that are lost":   {code: `/* drop */ const a = await tools.double({n: 1}); return (await tools.double(a)).n`, output: `{"status":"completed","result":4}`, calls: []string{`1 output-available {"n":2}`, `2 output-available {"n":4}`}},
		"a loop":                {code: `for (;;);`, output: `{"status":"failed","error":"the code has worked for too long without an await, .*","calls":0}`},
		"a large value":         {code: `return "x".repeat(5e6)`, output: `{"status":"completed","result":"(?:xxxxxxxx)+…?.*"}`},
		"a race":                {code: `return await Promise.race([tools.rest({n: 9}), tools.rest({n: 2})])`, output: `{"status":"completed","result":"slept 2"}`, calls: []string{`1 output-error the code has ended without waiting for it`, `2 output-available "slept 2"`}},
		"no more than four":     {code: `const r = await Promise.all([9, 8, 7, 6, 1, 1].map(n => tools.rest({n}))); return r.length`, output: `{"status":"completed","result":6}`, calls: make([]string, 6)},
		"poison":                {code: `/* poison */ return 1`, output: `{"status":"failed","error":"this code has stopped the server 3 times, and is not run again"}`},
		"poison in the middle":  {code: `const r = await Promise.all([tools.double({n: 333}), tools.rest({n: 1})]); return r`, output: `{"status":"failed","error":"this code has stopped the server 3 times, and is not run again"}`, calls: []string{`1 output-available {"n":666}`, `2 output-.*`}},
		"poison beside a call":  {code: `return await Promise.all([tools.double({n: 333}), tools.wire({n: 5})])`, output: `{"status":"failed","error":"this code has stopped the server 3 times, and is not run again"}`, calls: []string{`1 output-available {"n":666}`, `2 output-error the code has ended without waiting for it`}},
		"approved behind a day": {code: `return await tools.wire({n: 5})`, output: `{"status":"completed","result":"paid 5"}`, calls: []string{`1 output-available "paid 5"`}, actions: []string{"tick 24h", "approve a " + firstCall + "/1"}},
		"two approvals":         {code: `return await Promise.all([tools.wire({n: 1}), tools.wire({n: 2}), tools.rest({n: 3})])`, output: `{"status":"completed","result":\["paid 1","paid 2","slept 3"\]}`, calls: []string{`1 output-available "paid 1"`, `2 output-available "paid 2"`, `3 output-available "slept 3"`}, actions: []string{"approve a " + firstCall + "/2", "approve a " + firstCall + "/1"}},
	} {
		for _, lose := range []bool{false, true} {
			how := ""
			if lose {
				how = ", memory lost"
			}
			t.Run(name+how, func(t *testing.T) {
				t.Parallel()
				got := runCode(t, test.code, lose, test.actions...)
				if !regexp.MustCompile(`^(?:` + test.output + `)$`).MatchString(got.output) {
					t.Errorf("got %.2000s, want %s", got.output, test.output)
				}
				if len(got.calls) != len(test.calls) {
					t.Fatalf("got the calls %q, want %q", got.calls, test.calls)
				}
				for i, call := range got.calls {
					if want := test.calls[i]; !regexp.MustCompile(`^(?:`+want+`)$`).MatchString(call) && want != "" {
						t.Errorf("call %d is %s, want %s", i+1, call, want)
					}
				}
			})
		}
	}
}
