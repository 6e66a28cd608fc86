package message

import (
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// TestOfUser checks which messages of a client's list may have to be written.
func TestOfUser(t *testing.T) {
	user, answer := protocol.RoleUser, protocol.RoleAssistant
	have := map[string]Head{"u1": {Role: user}, "a1": {Role: answer}}
	for _, test := range []struct {
		name         string
		list         []protocol.Listed
		fresh, known []int
	}{
		{"a stored question", []protocol.Listed{{ID: "u1", Role: user}}, nil, []int{0}},
		{"a new question", []protocol.Listed{{ID: "u1", Role: user}, {ID: "u2", Role: user}}, []int{1}, []int{0}},
		{"a stored answer", []protocol.Listed{{ID: "a1", Role: answer}}, nil, nil},
		{"an answer that the client has made up", []protocol.Listed{{ID: "a2", Role: answer}}, nil, nil},
		{"an answer that the client calls a question", []protocol.Listed{{ID: "a1", Role: user}}, nil, nil},
		{"a question that the client calls an answer", []protocol.Listed{{ID: "u1", Role: answer}}, nil, nil},
		{"a message for the model", []protocol.Listed{{ID: "s1", Role: protocol.RoleSystem}}, nil, nil},
	} {
		fresh, known := ofUser(test.list, have)
		if !slices.Equal(fresh, test.fresh) || !slices.Equal(known, test.known) {
			t.Errorf("%s: got %v and %v, want %v and %v", test.name, fresh, known, test.fresh, test.known)
		}
	}
}

// TestJSONLists checks that values are joined to arrays which fit into a statement, in their order.
func TestJSONLists(t *testing.T) {
	half := strings.Repeat("1", limit.Row/4)
	for _, test := range []struct {
		name         string
		values, want []string
	}{
		{"nothing", nil, nil},
		{"one value", []string{`"a"`}, []string{`["a"]`}},
		{"some values", []string{`"a"`, `"b"`, `"c"`}, []string{`["a","b","c"]`}},
		{"more than one array holds", []string{half, half, `2`}, []string{"[" + half + "]", "[" + half + ",2]"}},
		{"a value that fills an array", []string{`2`, half + half, `3`}, []string{"[2]", "[" + half + half + "]", "[3]"}},
	} {
		if got := jsonLists(test.values); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %d arrays, want %d", test.name, len(got), len(test.want))
		}
	}
}
