package message

import (
	"encoding/json"
	"testing"
)

func TestWithFailure(t *testing.T) {
	for _, test := range []struct{ metadata, reason, want string }{
		{"", "", ""},
		{"", "gone", `{"failure":"gone"}`},
		{`{"createdAt":1}`, "", `{"createdAt":1}`},
		{`{"createdAt":1}`, `"no"`, `{"createdAt":1,"failure":"\"no\""}`},
		{`{"createdAt":1,"failure":"gone"}`, "", `{"createdAt":1}`},
		{`{"createdAt":1,"failure":"gone"}`, "again", `{"createdAt":1,"failure":"again"}`},
		{`{"usage":{"failure":2}}`, "", `{"usage":{"failure":2}}`},
		{`"failure"`, "", `"failure"`},
	} {
		if got := WithFailure(json.RawMessage(test.metadata), test.reason); string(got) != test.want {
			t.Errorf("%s with %q: got %s, want %s", test.metadata, test.reason, got, test.want)
		}
	}
}
