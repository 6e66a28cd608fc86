package message

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestMergedInto checks which merged messages are found in metadata, whatever a client has put
// there.
func TestMergedInto(t *testing.T) {
	for metadata, want := range map[string][]string{
		`{"merged":["u1","u2"]}`:          {"u1", "u2"},
		`{"merged":["u1"],"createdAt":1}`: {"u1"},
		`{"merged":[]}`:                   {},
		`{"merged":null}`:                 nil,
		`{"merged":"u1"}`:                 nil,
		`{"createdAt":1}`:                 nil,
		`["u1"]`:                          nil,
		`null`:                            nil,
		``:                                nil,
	} {
		if got := MergedInto(json.RawMessage(metadata)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", metadata, got, want)
		}
	}
}

// TestWithField checks that a field is added to metadata, and that metadata which is no object is
// replaced.
func TestWithField(t *testing.T) {
	for metadata, want := range map[string]string{
		`{"createdAt":1}`:            `{"createdAt":1,"supersededBy":"u2"}`,
		`{"supersededBy":"u1"}`:      `{"supersededBy":"u2"}`,
		`{"deep":{"er":[1.50,"<"]}}`: `{"deep":{"er":[1.50,"<"]},"supersededBy":"u2"}`,
		`{}`:                         `{"supersededBy":"u2"}`,
		`[1]`:                        `{"supersededBy":"u2"}`,
		`null`:                       `{"supersededBy":"u2"}`,
		`{"half":`:                   `{"supersededBy":"u2"}`,
		``:                           `{"supersededBy":"u2"}`,
	} {
		if got := string(WithField(json.RawMessage(metadata), "supersededBy", "u2")); got != want {
			t.Errorf("%s: got %s, want %s", metadata, got, want)
		}
	}
}
