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

func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// TestVectors holds the model to the vectors that the published client is held to. With
// -update they are made anew, of the cases and of simulated worlds.
func TestVectors(t *testing.T) {
	if updating() {
		write(t, cases(), simulated(t))
	}
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var v browser.Vector
			if err := json.Unmarshal(want, &v); err != nil {
				t.Fatal(err)
			}
			if got := layout(replay(&v)); !bytes.Equal(got, want) {
				t.Errorf("the model does otherwise: %s\nrun with -update and read the difference", difference(string(got), string(want)))
			}
		})
	}
}

// replay lets the same happen to another tab.
func replay(v *browser.Vector) *browser.Vector {
	var now int64
	tab := browser.New(v.Tab, func() int64 { return now }, v.Initial)
	again := tab.Record(v.Initial)
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

// write replaces all vectors.
func write(t *testing.T, sets ...map[string]*browser.Vector) {
	t.Helper()
	old, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	for _, set := range sets {
		for name, v := range set {
			if err := os.WriteFile(filepath.Join("testdata", name+".json"), layout(v), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// layout writes a vector with a line for each step.
func layout(v *browser.Vector) []byte {
	var b bytes.Buffer
	b.WriteString(`{"tab":` + compact(v.Tab) + `,"initial":` + compact(v.Initial) + `,"steps":[`)
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

// difference is the first line that differs.
func difference(got, want string) string {
	w := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(w) || line != w[i] {
			return "line " + compact(i+1) + ": " + line
		}
	}
	return "it ends early"
}
