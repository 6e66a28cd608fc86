package codemode

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// expensive returns a schema of at most 32 KiB in which references and levels have much read again and again.
func expensive() json.RawMessage {
	filling := strings.Repeat(`{"title":"x"},`, 1_800)
	refs := strings.Repeat(`{"$ref":"#/$defs/a/allOf/0"},`, 200)
	return json.RawMessage(`{"type":"object","allOf":[` + refs + `{}],"$defs":{"a":{"allOf":[{"anyOf":[` + filling + `{}]}]}}}`)
}

// TestWorkIsBounded checks that no more of the schemas is read than there is work for, whatever they are, and that
// what is not read is unknown.
func TestWorkIsBounded(t *testing.T) {
	schema := expensive()
	for _, c := range []struct {
		work int
		want string
	}{
		{0, "tools.f(input: unknown): Promise<unknown>\n"},
		{len(schema) - 1, "tools.f(input: unknown): Promise<unknown>\n"},
		{2*len(schema) - 1, "tools.f(input: unknown): Promise<unknown>\n"},
		{2 * len(schema), "tools.f(input: Record<string, unknown>): Promise<unknown>\n"},
		{maxWork, "tools.f(input: Record<string, unknown>): Promise<Record<string, unknown>>\n"},
	} {
		work := c.work
		if got := signature(Tool{Schema: schema, Output: schema}, "f", full, &work); got != c.want || work < 0 {
			t.Errorf("%d: got %.200s, and %d are left, want %s", c.work, got, work, c.want)
		}
	}
}

// TestDescriptionSharesWork checks that many expensive tools are not all read: those behind the last one that was are
// only named.
func TestDescriptionSharesWork(t *testing.T) {
	var tools []Tool
	for i := range 200 {
		tools = append(tools, Tool{Name: fmt.Sprint("t", i), Schema: expensive(), Output: expensive()})
	}
	got := NewCatalog(tools).Description()
	if n := strings.Count(got, "tools.t"); n == 0 || n > 100 || !strings.Contains(got, "more tools are not shown") {
		t.Errorf("%d tools are shown: %.500s", n, got)
	}
}

// TestManyToolsOfOneName checks names that all become the same.
func TestManyToolsOfOneName(t *testing.T) {
	var tools []Tool
	for i := range 512 {
		tools = append(tools, Tool{Name: strings.NewReplacer("0", "-", "1", "_").Replace(fmt.Sprintf("%09b", i))})
	}
	names := NewCatalog(tools).Names()
	taken := map[string]bool{}
	for _, name := range names {
		if taken[name] || !strings.HasPrefix(name, "_________") {
			t.Errorf("the name %s is there twice, or none", name)
		}
		taken[name] = true
	}
	if names[0] != "_________2" || names[511] != "_________" || names[510] != "_________512" {
		t.Errorf("got %s, %s, %s", names[0], names[510], names[511])
	}
}

// TestSearchLooksAtTheFirstWords checks that tools share what a search looks at.
func TestSearchLooksAtTheFirstWords(t *testing.T) {
	var tools []Tool
	for i := range 1_000 {
		tools = append(tools, Tool{Name: fmt.Sprint("t", i), Description: strings.Repeat("word ", 18) + "near " + "far"})
	}
	c := NewCatalog(tools)
	if got := c.Search("near"); !strings.HasPrefix(got, "// word") {
		t.Errorf("got %.100s", got)
	}
	if got := c.Search("far"); !strings.HasPrefix(got, "No tool has these words") {
		t.Errorf("got %.100s", got)
	}
}
