package quickjs_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/script"
	"github.com/tributary-agents/tributary/wasm/quickjs"
)

var update = flag.Bool("update", false, "rewrite the results in testdata")

// TestScenarios runs the files of testdata, whose README.md has their format. The shim runs them too.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := string(text)
			got := scenario(t, want)
			if got == want {
				return
			}
			if !*update {
				t.Fatalf("got other results than %s: run go test -update, and read the difference.\n%s", file, difference(got, want))
			}
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// scenario returns the text of a file with the results that its requests have now.
func scenario(t *testing.T, text string) string {
	host := quickjs.New()
	defer host.Close()
	var out strings.Builder
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for len(lines) > 0 {
		line := lines[0]
		body, rest := indented(lines[1:])
		lines = rest
		if strings.HasPrefix(line, "< ") {
			continue // replaced
		}
		fmt.Fprintln(&out, line)
		for _, l := range body {
			fmt.Fprintln(&out, l)
		}
		if request, ok := strings.CutPrefix(line, "> "); ok {
			result, err := script.DecodeResult(host.Call(parse(t, request, body).Encode()))
			if err != nil {
				t.Fatal(err)
			}
			out.WriteString(show(result))
		}
	}
	return out.String()
}

// indented returns the lines that belong to the one before.
func indented(lines []string) (body, rest []string) {
	n := 0
	for n < len(lines) && (strings.HasPrefix(lines[n], "  ") || lines[n] == "" && n+1 < len(lines) && strings.HasPrefix(lines[n+1], "  ")) {
		n++
	}
	return lines[:n], lines[n:]
}

// parse returns the request of a line and its body.
func parse(t *testing.T, line string, body []string) script.Request {
	t.Helper()
	words := strings.Fields(line)
	text := make([]string, len(body))
	for i, l := range body {
		text[i] = strings.TrimPrefix(l, "  ")
	}
	o := options(t, words)
	switch verb, code := words[0], strings.Join(text, "\n"); verb {
	case "open":
		return script.Open{Box: o.number(1), Prelude: prelude(t, strings.Split(o.named["tools"], ",")), Code: "$run(async () => {" + code + "\n})", Seed: o.seed(), Now: o.integer("now"), Memory: o.integer("memory"), Stack: o.integer("stack"), Work: o.integer("work")}
	case "script":
		return script.Open{Box: o.number(1), Prelude: prelude(t, strings.Split(o.named["tools"], ",")), Code: code, Seed: o.seed(), Now: o.integer("now"), Memory: o.integer("memory"), Stack: o.integer("stack"), Work: o.integer("work")}
	case "answer":
		return script.Answer{Box: o.number(1), Call: o.number(2), OK: o.words[3] == "ok", JSON: code, Now: o.integer("now"), Work: o.integer("work")}
	case "close":
		return script.Close{Box: o.number(1)}
	default:
		t.Fatalf("%q is no request", line)
		return nil
	}
}

// settings are the words of a request, and those of the form name=value.
type settings struct {
	t     *testing.T
	words []string
	named map[string]string
}

func options(t *testing.T, words []string) settings {
	s := settings{t: t, named: map[string]string{
		"tools": "add,get", "seed": "000102030405060708090a0b0c0d0e0f", "now": "1800000000000",
		"memory": "16777216", "stack": "262144", "work": "50000000",
	}}
	for _, word := range words {
		if name, value, ok := strings.Cut(word, "="); ok {
			s.named[name] = value
		} else {
			s.words = append(s.words, word)
		}
	}
	return s
}

func (s settings) parse(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s settings) number(i int) int64        { return s.parse(s.words[i]) }
func (s settings) integer(name string) int64 { return s.parse(s.named[name]) }

func (s settings) seed() (seed [16]byte) {
	if n, err := hex.Decode(seed[:], []byte(s.named["seed"])); err != nil || n != len(seed) {
		s.t.Fatalf("the seed %q has %d bytes, %v", s.named["seed"], n, err)
	}
	return seed
}

// show returns a result as a file has it.
func show(r script.Result) string {
	var out strings.Builder
	states := []string{"waits", "done", "failed", "gone", "spent"}
	fmt.Fprintf(&out, "< %s work=%d bytes=%d\n", states[r.State], r.Work, r.Bytes)
	for _, c := range r.Calls {
		fmt.Fprintf(&out, "  call %d %s %s\n", c.Number, c.Name, short(c.JSON))
	}
	for _, line := range r.Lines {
		fmt.Fprintf(&out, "  line %s\n", short(quote(line)))
	}
	if r.Value != "" {
		fmt.Fprintf(&out, "  value %s\n", short(r.Value))
	}
	if r.Words != "" {
		fmt.Fprintf(&out, "  words %s\n", short(quote(r.Words)))
	}
	return out.String()
}

// short returns a text, or how long it is in bytes and its hash.
func short(text string) string {
	if len(text) <= 300 {
		return text
	}
	return fmt.Sprintf("(%d bytes, SHA-256 %x)", len(text), sha256.Sum256([]byte(text)))
}

func quote(text string) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a text is never refused
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// prelude returns the prelude of durable/internal/codemode with the names of tools.
func prelude(t *testing.T, names []string) string {
	t.Helper()
	text, err := os.ReadFile("../../durable/internal/codemode/prelude.js")
	if err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	return "(" + string(text) + ")(" + string(list) + ")"
}

// difference returns the first lines that differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: got %q, want %q", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}
