package about

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/internal/version"
)

// TestOf checks what is said of classes, and that a front door reads it as it was written.
func TestOf(t *testing.T) {
	suggestions := []string{"Hello"}
	said := Of(
		durable.Class{Name: "MyAgent", Title: "Mine", Description: "Helps.", Suggestions: suggestions, Methods: []string{"runs"}},
		durable.Class{Name: "Poet", Helper: true, Title: "Poet"},
		durable.Class{Name: "Other", Title: " ", Exposed: true},
	)
	want := About{Version: version.Version, Features: []string{}, Roots: []Root{
		{Agent: "my-agent", Class: "MyAgent", Title: "Mine", Description: "Helps.", Suggestions: suggestions, Methods: []string{"runs"}},
		{Agent: "other", Class: "Other", Title: "Other", Suggestions: []string{}, Methods: []string{}, Exposed: true},
	}}
	if !reflect.DeepEqual(said, want) {
		t.Errorf("got %+v, want %+v", said, want)
	}
	text, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	if read, err := Parse(string(text)); err != nil || !reflect.DeepEqual(read, want) {
		t.Errorf("read %+v, %v", read, err)
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{"{}", "null", `{"roots":null,"features":null,"dev":"http://elsewhere"}`} {
		got, err := Parse(text)
		if want := (About{Version: version.Version, Roots: []Root{}, Features: []string{}}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
	}
	for title, text := range map[string]string{
		"no JSON":     "{",
		"nothing":     "",
		"no object":   "[]",
		"two objects": "{}{}",
		"too long":    `{"version":"` + strings.Repeat("1", MaxSize) + `"}`,
	} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%s: got %+v", title, got)
		}
	}
}
