package model_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/model"
)

// TestLongReportsAreNotDecoded checks that a report which is long says something, whatever it is made of.
func TestLongReportsAreNotDecoded(t *testing.T) {
	list := func(n int, element string) string { return "[" + strings.Repeat(element+",", n) + element + "]" }
	for _, tt := range []struct {
		name, report string
		want         bool
	}{
		{"none", ``, true},
		{"null", `null`, true},
		{"blank", `{"message":" ","code":0}`, true},
		{"a short list", list(90, `null`), true},
		{"a long list", list(300, `null`), false},
		{"numbers", list(100_000, `1e-330`), false},
		{"lists", list(300_000, `[]`), false},
		{"a text", `"x"`, false},
	} {
		if got := model.SaysNothing(json.RawMessage(tt.report)); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
