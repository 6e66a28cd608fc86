package quickjs_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/script"
	"github.com/tributary-agents/tributary/wasm/quickjs"
)

// reach is what testdata/reach.js returns. Names are what the engine and the prelude offer, Functions
// those of them that are not the engine's own, by where they were found, and Found the ways to others.
type reach struct {
	Names     []string
	Functions [][2]string
	Found     []string
	// Tried is how many functions were replaced, and Insides is where code ran while the prelude did.
	Tried   int
	Insides []string
}

// given are the functions that the prelude gives to code, by where they are found first.
var given = []string{"$run", "(tools).add", "(tools).get", "(tools).other", "Math.random", "console.log", "help", "search", "sleep"}

// inside is where the code can run while a function of the prelude does.
var inside = []string{
	"an input", "a getter", "a proxy's get", "a proxy's ownKeys", "a proxy's descriptor", "a name", "words of search",
	"a name of help", "a sleep", "a line", "an error's name", "an error's message", "a promise", "the result",
}

// TestReach tries each thing that the engine offers as a way to the prelude's own functions. A new
// version of the engine may offer more: -update writes testdata/globals.json, and whoever reads the
// difference asks of each new name whether it is handed a function that runs.
func TestReach(t *testing.T) {
	got := walk(t)
	want := reach{}
	if *update {
		text, err := json.MarshalIndent(got.Names, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("testdata/globals.json", append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	decodeFile(t, "testdata/globals.json", &want.Names)
	for _, name := range got.Names {
		if !slices.Contains(want.Names, name) {
			t.Errorf("the engine offers %s, which nobody has looked at", name)
		}
	}
	for _, name := range want.Names {
		if !slices.Contains(got.Names, name) {
			t.Errorf("the engine offers %s no more", name)
		}
	}
	for _, way := range got.Found {
		t.Errorf("a way to the prelude: %.300s", way)
	}
	if got.Tried < 600 {
		t.Errorf("only %d functions were replaced", got.Tried)
	}
	for _, place := range inside {
		if !slices.Contains(got.Insides, place) {
			t.Errorf("the code did not run in %s", place)
		}
	}
}

// TestGiven shows that code reaches those functions of the prelude that it is given, and no other.
func TestGiven(t *testing.T) {
	text, err := os.ReadFile("../../durable/internal/codemode/prelude.js")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range walk(t).Functions {
		if path, source := f[0], f[1]; strings.Contains(string(text), source) {
			got = append(got, path)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, given) {
		t.Errorf("got %q, want %q", got, given)
	}
}

// walk runs testdata/reach.js and answers its calls.
func walk(t *testing.T) (r reach) {
	t.Helper()
	code, err := os.ReadFile("testdata/reach.js")
	if err != nil {
		t.Fatal(err)
	}
	host := quickjs.New()
	defer host.Close()
	o := open(t, 1, "")
	o.Code, o.Work, o.Prelude = string(code), 2_000_000_000, prelude(t, []string{"get", "add"})
	result := call(t, host, o)
	waiting := result.Calls
	for result.State == script.Waits && len(waiting) > 0 {
		next := waiting[0]
		result = call(t, host, script.Answer{Box: 1, Call: next.Number, OK: next.Number%3 != 0, JSON: `{"a":["x"]}`, Now: 2, Work: o.Work})
		waiting = append(waiting[1:], result.Calls...)
	}
	if result.State != script.Done {
		t.Fatalf("got the state %d, %s, lines %q", result.State, result.Words, result.Lines)
	}
	if err := json.Unmarshal([]byte(result.Value), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func call(t *testing.T, host *quickjs.Host, request script.Request) script.Result {
	t.Helper()
	result, err := script.DecodeResult(host.Call(request.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	return result
}
