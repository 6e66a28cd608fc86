package tck

import (
	"os"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/script"
)

// noon is the time of the first request of a test.
const noon = 1_800_000_000_000

// scripts is the objects of one host that run scripts.
type scripts struct {
	t       *testing.T
	e       engine
	prelude string
}

// open opens a box whose code may call the tool add.
func (s *scripts) open(object string, box int64, code string) script.Result {
	s.t.Helper()
	return s.request(object, s.opening(box, noon, code))
}

func (s *scripts) opening(box, now int64, code string) script.Open {
	return script.Open{
		Box: box, Prelude: s.prelude, Code: "$run(async () => {" + code + "\n})", Seed: [16]byte{1, 2, 15: 3},
		Now: now, Memory: 16 << 20, Stack: 256 << 10, Work: 50_000_000,
	}
}

// answer answers a call of a box.
func (s *scripts) answer(object string, box, call int64, json string) script.Result {
	s.t.Helper()
	return s.request(object, script.Answer{Box: box, Call: call, OK: true, JSON: json, Now: noon + 1, Work: 50_000_000})
}

func (s *scripts) request(object string, r script.Request) script.Result {
	s.t.Helper()
	answer, err := s.try(object, "/", r.Encode())
	if err != nil {
		s.t.Fatal(err)
	}
	result, err := script.DecodeResult(answer)
	if err != nil {
		s.t.Fatal(err)
	}
	return result
}

// try passes bytes to an object, and returns the bytes that it answers.
func (s *scripts) try(object, path string, body []byte) (answer []byte, err error) {
	opened := durable.Opened{Class: "Runner", Name: object}
	commands, err := s.e.Step(object, noon, opened, durable.RequestReceived{Request: "r", Method: "POST", URL: path, Body: body})
	for _, c := range commands {
		if respond, ok := c.(durable.Respond); ok {
			answer = respond.Body
		}
	}
	return answer, err
}

// want checks the state of a result, and what it says: its value, or its words.
func (s *scripts) want(got script.Result, state script.State, said string) {
	s.t.Helper()
	if got.State != state || got.Value+got.Words != said {
		s.t.Errorf("got state %d with value %.100q and words %q, want state %d with %.100q", got.State, got.Value, got.Words, state, said)
	}
}

// scripting runs a scenario on both hosts, on the module that runs scripts.
func scripting(t *testing.T, scenario func(s *scripts)) {
	t.Helper()
	prelude, err := os.ReadFile("../../durable/internal/codemode/prelude.js")
	if err != nil {
		t.Fatal(err)
	}
	bothOn(t, scripted, func(t *testing.T, e engine) {
		scenario(&scripts{t: t, e: e, prelude: "(" + string(prelude) + `)(["add"])`})
	})
}

const waiting = "return await tools.add({a: 1})"

// TestScriptImport shows that a module which runs scripts says so by what it imports.
func TestScriptImport(t *testing.T) {
	native(t)
	m, err := scripted()
	if err != nil {
		t.Fatal(err)
	}
	if code, err := os.ReadFile(m.path); err != nil || !runsScripts(code) {
		t.Errorf("the module does not import the function script, %v", err)
	}
}

// TestScripts runs scripts of two objects side by side.
func TestScripts(t *testing.T) {
	scripting(t, func(s *scripts) {
		r := s.open("a", 1, `console.log("é", Date.now()); console.log(Math.random()); return await Promise.all([1, 2].map((a) => tools.add({a})))`)
		s.want(r, script.Waits, "")
		if len(r.Calls) != 2 || r.Calls[1] != (script.Call{Number: 2, Name: "add", JSON: `{"a":2}`}) || len(r.Lines) != 2 || r.Lines[0] != "é 1800000000000" {
			s.t.Errorf("got %+v", r)
		}
		s.want(s.open("b", 2, waiting), script.Waits, "")
		s.want(s.answer("a", 1, 2, `"two"`), script.Waits, "")
		s.want(s.answer("b", 2, 1, `"b"`), script.Done, `"b"`)
		s.want(s.answer("a", 1, 1, `"one"`), script.Done, `["one","two"]`)
		s.want(s.answer("a", 1, 1, `"again"`), script.Gone, "")
		s.want(s.open("a", 3, "throw new TypeError('no')"), script.Failed, "TypeError: no (line 1)")

		// The number of a box that is open opens it anew, and a box that is closed is gone.
		s.want(s.open("a", 4, waiting), script.Waits, "")
		s.want(s.open("a", 4, waiting), script.Waits, "")
		s.want(s.request("a", script.Close{Box: 4}), script.Gone, "")
		s.want(s.answer("a", 4, 1, "1"), script.Gone, "")
	})
}

// TestLargeResult shows that a result which has no room is handed out to a second call.
func TestLargeResult(t *testing.T) {
	scripting(t, func(s *scripts) {
		s.want(s.open("a", 1, "return 'é'.repeat(100_000)"), script.Done, `"`+strings.Repeat("é", 100_000)+`"`)
		s.want(s.open("a", 2, "return '\\ud800'.repeat(3)"), script.Done, `"\ud800\ud800\ud800"`)
		s.want(s.open("a", 3, "throw '\\ud800'.repeat(3)"), script.Failed, "the code has thrown \uFFFD\uFFFD\uFFFD")
	})
}

// TestSpent shows that a limit ends its own box and nothing else.
func TestSpent(t *testing.T) {
	scripting(t, func(s *scripts) {
		s.want(s.open("a", 1, waiting), script.Waits, "")
		s.want(s.open("a", 2, "for (;;) {}"), script.Spent, "work")
		s.want(s.open("a", 3, "const a = []; for (;;) a.push({a})"), script.Spent, "memory")
		s.want(s.open("a", 4, "const f = () => f(); f()"), script.Spent, "stack")
		broken := s.opening(5, noon, waiting)
		broken.Prelude = "throw 1"
		s.want(s.request("a", broken), script.Spent, "engine")
		none := s.opening(6, noon, waiting)
		none.Work = 0
		s.want(s.request("a", none), script.Spent, "work")
		for box := range int64(5) {
			s.want(s.answer("a", box+2, 1, "1"), script.Gone, "")
		}
		s.want(s.answer("a", 1, 1, "1"), script.Done, "1")
	})
}

// TestBoxesAreDropped shows which boxes a host drops: the one that was not used for the longest time
// if all take too much memory, and one that has waited for too long.
func TestBoxesAreDropped(t *testing.T) {
	scripting(t, func(s *scripts) {
		const large = "const kept = new Uint8Array(14e6); return [await tools.add(1), kept.length]"
		for box := range int64(3) {
			s.want(s.open("a", box+1, large), script.Waits, "")
		}
		s.want(s.open("a", 4, large), script.Waits, "")
		s.want(s.answer("a", 1, 1, "1"), script.Gone, "")
		s.want(s.answer("a", 2, 1, "1"), script.Done, "[1,14000000]")

		s.want(s.request("a", s.opening(5, noon+10_000, waiting)), script.Waits, "")
		s.want(s.answer("a", 4, 1, "1"), script.Done, "[1,14000000]")
		s.want(s.request("a", s.opening(6, noon+10_001, waiting)), script.Waits, "")
		s.want(s.answer("a", 3, 1, "1"), script.Gone, "")
		late := script.Answer{Box: 5, Call: 1, OK: true, JSON: "5", Now: noon + minute, Work: 50_000_000}
		s.want(s.request("a", late), script.Done, "5")
		s.want(s.answer("a", 6, 1, "1"), script.Gone, "")
	})
}

// TestBoxesEndWithTheirInstance shows that a trap of the module ends its scripts, and that so does a
// request that is none.
func TestBoxesEndWithTheirInstance(t *testing.T) {
	scripting(t, func(s *scripts) {
		s.want(s.open("a", 1, waiting), script.Waits, "")
		if _, err := s.try("a", "/panic", nil); err == nil {
			s.t.Error("the request did not trap")
		}
		s.want(s.answer("a", 1, 1, "1"), script.Gone, "")
		s.want(s.open("a", 1, waiting), script.Waits, "")
		s.want(s.answer("a", 1, 1, `"anew"`), script.Done, `"anew"`)

		s.want(s.open("a", 2, waiting), script.Waits, "")
		if _, err := s.try("a", "/", []byte{0x90}); err == nil {
			s.t.Error("a malformed request did not trap")
		}
		s.want(s.answer("a", 2, 1, "1"), script.Gone, "")

		s.want(s.open("a", 3, waiting), script.Waits, "")
		if err := s.e.Restart(); err != nil {
			s.t.Fatal(err)
		}
		s.want(s.answer("a", 3, 1, "1"), script.Gone, "")
	})
}
