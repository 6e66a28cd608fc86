package quickjs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/script"
	"github.com/tributary-agents/tributary/wasm/quickjs"
)

// reportCase is a case of testdata/reports.json. Take and Value are JavaScript, and Want has what
// becomes of the opening and of each answer.
type reportCase struct {
	Name, Take, Value string
	Memory            int64
	Want              []string
}

// TestReports has the host take the reports of testdata/reports.json. The shim's hosts have the same
// cases.
func TestReports(t *testing.T) {
	host := quickjs.New()
	defer host.Close()
	var cases []reportCase
	decodeFile(t, "testdata/reports.json", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if got := forge(t, host, c.Take, c.Value, c.Memory, len(c.Want)); !slices.Equal(got, c.Want) {
				t.Errorf("got %q, want %q", got, c.Want)
			}
		})
	}
}

// seeds is how many reports of testdata/forge.js are in testdata/forged.json.
const seeds = 400

// TestForged has the host take random reports. All hosts say the same of each.
func TestForged(t *testing.T) {
	host := quickjs.New()
	defer host.Close()
	var got []string
	for seed := range seeds {
		got = append(got, strings.Join(forge(t, host, fmt.Sprintf("f.random(%d)", seed), `"1"`, 0, 1), ""))
	}
	if *update {
		text, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("testdata/forged.json", append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	decodeFile(t, "testdata/forged.json", &want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	refused := 0
	for _, outcome := range got {
		if outcome == "engine" {
			refused++
		}
	}
	if refused < seeds/3 || refused > seeds-20 {
		t.Errorf("%d of %d reports are refused: the generator makes too many of a kind", refused, seeds)
	}
}

// forge opens a box whose prelude reports what two expressions are, answers its calls, and says what
// becomes of each request.
func forge(t *testing.T, host *quickjs.Host, take, value string, memory int64, requests int) (outcomes []string) {
	t.Helper()
	library, err := os.ReadFile("testdata/forge.js")
	if err != nil {
		t.Fatal(err)
	}
	if value == "" {
		value = "undefined"
	}
	if memory == 0 {
		memory = 16 << 20
	}
	var request script.Request = script.Open{
		Box: 1, Prelude: fmt.Sprintf("%s; forge((f, n) => (%s), (f) => (%s))", library, take, value), Code: "1",
		Now: 1, Memory: memory, Stack: 256 << 10, Work: 200_000_000,
	}
	for range requests {
		result, err := script.DecodeResult(host.Call(request.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		outcomes = append(outcomes, outcome(result))
		request = script.Answer{Box: 1, Call: 1, OK: true, JSON: "1", Now: 1, Work: 200_000_000}
	}
	return outcomes
}

// outcome says what a result is, in the words of testdata/reports.json.
func outcome(r script.Result) string {
	said := []string{[]string{"waits", "done", "failed", "gone", r.Words}[r.State]}
	if n := len(r.Calls); n > 0 {
		said = append(said, fmt.Sprintf("%d calls", n))
	}
	if n := len(r.Lines); n > 0 {
		said = append(said, fmt.Sprintf("%d lines", n))
	}
	if r.Value != "" {
		said = append(said, "value "+beginning(r.Value))
	}
	if r.Words != "" && r.State != script.Spent {
		said = append(said, "words "+beginning(r.Words))
	}
	return strings.Join(said, ", ")
}

// beginning returns the first characters of a text.
func beginning(text string) string {
	all := []rune(text)
	return string(all[:min(len(all), 20)])
}

func decodeFile(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// TestPreludeKeepsToTheLimits shows that code which is only large is told so by the prelude, and does not
// come to what the host refuses.
func TestPreludeKeepsToTheLimits(t *testing.T) {
	host := quickjs.New()
	defer host.Close()
	for name, test := range map[string]struct {
		code, value string
		calls       int
	}{
		"calls": {
			"const said = []; for (let i = 0; i < 10002; i++) tools.get(i).catch(e => said.push(e.message)); await 0; await 0; return said",
			`["the code has made 10000 calls, and may make no more","the code has made 10000 calls, and may make no more"]`, 10_000,
		},
		"names":     {`tools["x".repeat(200)](1); return await tools["x".repeat(201)](1).catch(e => e.message)`, `"there is no tool with a name of 201 characters"`, 1},
		"inputs":    {`tools.get("x".repeat(2 ** 20 - 2)); return await tools.get("x".repeat(2 ** 20 - 1)).catch(e => e.message)`, `"what get was called with has 1048577 characters of JSON, more than 1048576"`, 1},
		"wide":      {`tools.get("€".repeat(2 ** 20 - 2)); return 1`, "1", 1},
		"reports":   {`tools.get("x".repeat(1e6)); tools.get("x".repeat(1e6)); return await tools.get("x".repeat(1e5)).catch(e => e.message)`, `"all calls without an await between them has 2100119 characters of JSON, more than 2097152"`, 2},
		"escapes":   {`return await tools.get('"'.repeat(5e5)).catch(e => e.message)`, ``, 1},
		"surrogate": {`return JSON.rawJSON('"\ud800"')`, `"` + "\uFFFD" + `"`, 0},
		"lines":     {`for (let i = 0; i < 300; i++) console.log("\0".repeat(600)); return 1`, "1", 0},
	} {
		o := open(t, 1, test.code)
		o.Work = 200_000_000
		r := call(t, host, o)
		if len(r.Calls) != test.calls || r.Value != test.value || r.State == script.Spent || r.State == script.Failed {
			t.Errorf("%s: got the state %d, %d calls, %s %s, want %d calls and %s", name, r.State, len(r.Calls), r.Value, r.Words, test.calls, test.value)
		}
	}
}

// FuzzForge has an engine report texts, and shows that the host takes what the grammar takes, and ends
// the box otherwise.
func FuzzForge(f *testing.F) {
	for _, text := range []string{`{"state":0,"calls":[],"lines":[],"words":""}`, `{"state":2,"calls":[],"lines":["é"],"words":"\ud800"}`, `{"length":1200000000}`, "\u2028", ""} {
		f.Add(text)
	}
	host := quickjs.New()
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > 100_000 {
			return // a literal of JavaScript cannot say it
		}
		literal, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		want := script.Result{State: script.Spent, Words: script.SpentEngine}
		if r, ok := new(script.Reports).Read(text); ok {
			want = r
			if r.State == script.Done {
				want.Value = "1"
			}
		}
		if got := forge(t, host, string(literal), `"1"`, 0, 1)[0]; got != outcome(want) {
			t.Errorf("%q: got %s, want %s", text, got, outcome(want))
		}
	})
}
