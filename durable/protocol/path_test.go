package protocol_test

import (
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
)

func TestSegments(t *testing.T) {
	for path, want := range map[string][]string{
		"/a": {"a"}, "/a/b%2Fc/d": {"a", "b%2Fc", "d"}, "/a/%20": {"a", "%20"},
		"": nil, "/": nil, "a": nil, "a/b": nil, "//": nil, "//a": nil, "/a/": nil, "/a//b": nil, "/a///b": nil, "/a/b//": nil,
	} {
		if got, ok := protocol.Segments(path); ok != (want != nil) || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v, want %q", path, got, ok, want)
		}
	}
}
