package host

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// texts is a storage that records the texts of its statements.
type texts struct{ ran []string }

func (s *texts) SQL(text string, _ []any) ([]durable.Row, error) {
	s.ran = append(s.ran, text)
	return nil, nil
}

// TestStatements shows that a numbered text is kept for the life of an instance.
func TestStatements(t *testing.T) {
	var storage texts
	in := instantiate(t, tiny(abi.Namespace), Ports{})
	for _, s := range []abi.Statement{{SQL: "a", Number: 1}, {SQL: "b"}, {SQL: "c", Number: 2}, {Number: 1}, {Number: 2}, {SQL: "b"}} {
		must(in.Step(t.Context(), 64, s.Encode(), &storage))(t)
	}
	if want := []string{"a", "b", "c", "a", "c", "b"}; !slices.Equal(storage.ran, want) {
		t.Errorf("got %q, want %q", storage.ran, want)
	}
}

// TestStatementsOutOfOrder shows that a number which the host does not expect traps.
func TestStatementsOutOfOrder(t *testing.T) {
	var full []abi.Statement
	for i := range abi.MaxStatements {
		full = append(full, abi.Statement{SQL: fmt.Sprint(i), Number: i + 1})
	}
	for _, test := range []struct {
		name   string
		before []abi.Statement
		last   abi.Statement
		want   string
	}{
		{"a number without a text", nil, abi.Statement{Number: 1}, "statement 1 after 0"},
		{"a negative number", full[:1], abi.Statement{Number: -1}, "statement -1 after 1"},
		{"a number left out", full[:1], abi.Statement{SQL: "s", Number: 3}, "statement 3 after 1"},
		{"a number given twice", full[:1], abi.Statement{SQL: "s", Number: 1}, "statement 1 after 1"},
		{"more texts than are kept", full, abi.Statement{SQL: "s", Number: abi.MaxStatements + 1}, "statement 513 after 512"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := instantiate(t, tiny(abi.Namespace), Ports{})
			for _, s := range test.before {
				must(in.Step(t.Context(), 64, s.Encode(), &texts{}))(t)
			}
			var storage texts
			_, err := in.Step(t.Context(), 64, test.last.Encode(), &storage)
			if err == nil || !strings.Contains(err.Error(), test.want) || storage.ran != nil {
				t.Errorf("got error %v after %q had run, want a trap with %q", err, storage.ran, test.want)
			}
		})
	}
}
