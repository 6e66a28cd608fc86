package browser_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/browser"
)

// TestVectors compares the model with the vectors that e2e/client compares the published client
// with. With -update it writes what the model does now. With -gather it looks in simulated worlds
// for recordings of tabs with situations that no vector shows.
func TestVectors(t *testing.T) {
	if flag.Lookup("update").Value.String() == "true" {
		renew(t)
	}
	if *gather {
		for name, v := range simulated(t) {
			save(t, filepath.Join("testdata", name+".json"), v)
		}
	}
	for name := range cases {
		if _, err := os.Stat(filepath.Join("testdata", name+".json")); err != nil {
			t.Errorf("run with -update: %v", err)
		}
	}
	for _, file := range files(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			v := read(t, file)
			got, want := layout(replay(v)), layout(v)
			if !bytes.Equal(got, want) {
				t.Errorf("the model does otherwise: %s\nrun with -update and read the difference", difference(string(got), string(want)))
			}
		})
	}
}

var gather = flag.Bool("gather", false, "look for more vectors in simulated worlds")

// replay makes the steps of a vector happen to a new tab.
func replay(v *browser.Vector) *browser.Vector {
	var now int64
	tab := browser.New(v.Tab, func() int64 { return now }, v.Initial)
	again := tab.Record(v.Initial)
	again.SDK = v.SDK
	for _, s := range v.Steps[1:] {
		now = s.At
		happen(tab, s)
		tab.Out()
	}
	return again
}

func happen(t *browser.Tab, s *browser.Step) {
	switch s.Do {
	case "connect":
		t.Connect()
	case "opened":
		t.Opened()
	case "broke":
		t.Broke()
	case "closed":
		t.Closed(s.Code)
	case "tick":
		t.Tick()
	case "hear":
		t.Frame(string(s.Hear))
	case "say":
		t.Send(s.Text)
	case "edit":
		t.Edit(s.ID, s.Text)
	case "regenerate":
		t.Regenerate()
	case "stop":
		t.Stop()
	case "clear":
		t.Clear()
	case "answer":
		t.Approve(s.ID, s.Yes)
	default:
		panic("nobody does " + s.Do)
	}
}

// renew writes the vectors of all cases, and replays the other vectors.
func renew(t *testing.T) {
	t.Helper()
	for _, file := range files(t) {
		save(t, file, replay(read(t, file)))
	}
	for name, text := range cases {
		save(t, filepath.Join("testdata", name+".json"), play(text))
	}
}

func files(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func read(t *testing.T, file string) *browser.Vector {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	v := &browser.Vector{}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
	return v
}

func save(t *testing.T, file string, v *browser.Vector) {
	t.Helper()
	if err := os.WriteFile(file, layout(v), 0o644); err != nil {
		t.Fatal(err)
	}
}

// layout writes a vector with a line for each step.
func layout(v *browser.Vector) []byte {
	var b bytes.Buffer
	head := *v
	head.Steps = []*browser.Step{}
	b.WriteString(strings.TrimSuffix(compact(head), "]}"))
	for i, s := range v.Steps {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + compact(s))
	}
	b.WriteString("\n]}\n")
	return b.Bytes()
}

func compact(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// difference returns the first line that differs.
func difference(got, want string) string {
	w := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(w) || line != w[i] {
			return "line " + compact(i+1) + ": " + line
		}
	}
	return "it ends early"
}
