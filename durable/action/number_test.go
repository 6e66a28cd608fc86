package action_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/action"
)

// TestDigestComputesNoCostlyNumbers checks that a number which takes long to read is part of the digest as it is
// written. Others have one digest however they are written.
func TestDigestComputesNoCostlyNumbers(t *testing.T) {
	many := strings.Repeat("0", 310)
	for _, tt := range []struct {
		one, other string
		same       bool
	}{
		{`{"a":1.50}`, `{"a":15e-1}`, true},
		{`{"a":123456789012345678}`, `{"a":123456789012345679}`, false},
		{`{"a":1e-320}`, `{"a":1e-320}`, true},
		{`{"a":1e-320}`, `{"a":10e-321}`, false},
		{`{"a":[{"b":1e-310}]}`, `{"a":[{"b":0.` + many + `1}]}`, false},
		{`{"a":0.1` + many + `1}`, `{"a":0.1` + many + `2}`, false},
	} {
		one, err := action.Digest(json.RawMessage(tt.one))
		if err != nil {
			t.Fatal(err)
		}
		other, err := action.Digest(json.RawMessage(tt.other))
		if err != nil || (one == other) != tt.same {
			t.Errorf("%.40s and %.40s: %s and %s, %v, want the same: %v", tt.one, tt.other, one, other, err, tt.same)
		}
	}
}
