package codemode

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func named(names ...string) []Tool {
	tools := make([]Tool, len(names))
	for i, name := range names {
		tools[i].Name = name
	}
	return tools
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ tools, want string }{
		{"web_search pay2", "web_search pay2"},
		{"a-b.c", "a_b_c"},
		{"a.b a-b a_b", "a_b2 a_b3 a_b"},
		{"a.b a_b2 a-b", "a_b a_b2 a_b3"},
		{"a a", "a a2"},
		{"2d größe $x", "_2d gr__e _x"},
		{"delete await then tools", "delete_ await_ then_ tools_"},
		{"delete delete_", "delete_2 delete_"},
		{"__proto__ constructor", "__proto___ constructor_"},
		{"github:issues/list", "github_issues_list"},
	} {
		list := strings.Fields(c.tools)
		got := NewCatalog(named(list...))
		if strings.Join(got.Names(), " ") != c.want {
			t.Errorf("%s: got %s, want %s", c.tools, got.Names(), c.want)
		}
		for i, name := range got.Names() {
			if real, ok := got.Tool(name); !ok || real != list[i] {
				t.Errorf("%s is %s, %v, and not %s", name, real, ok, list[i])
			}
		}
	}
	if got := NewCatalog(named("")).Names(); got[0] != "_" {
		t.Errorf("a tool without a name is %s", got)
	}
	if real, ok := NewCatalog(named("a.b")).Tool("a.b"); ok {
		t.Errorf("a name that is not JavaScript is %s", real)
	}
}

var searching = Tool{
	Name: "web-search", Description: "Searches\nthe web.",
	Schema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string","description":"what to find"},"n":{"type":"integer"}},"required":["query"]}`),
	Output: json.RawMessage(`{"type":"array","items":{"type":"object","properties":{"url":{"type":"string"}},"required":["url"]}}`),
}

func TestDescription(t *testing.T) {
	got := NewCatalog([]Tool{searching, {Name: "now", Description: "Says what time it is."}}).Description()
	want := rules + `
The tools:

// Searches the web.
tools.web_search(input: { query: string /* what to find */, n?: number }): Promise<{ url: string }[]>

// Says what time it is.
tools.now(): Promise<unknown>
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := NewCatalog(nil).Description(), rules+"\nThere are no tools."; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// many returns tools of which the second is larger than the others.
func many(n int) []Tool {
	tools := make([]Tool, n)
	for i := range tools {
		tools[i] = Tool{Name: fmt.Sprint("tool_", i), Description: strings.Repeat("Something. ", 5)}
	}
	tools[1].Schema = json.RawMessage(`{"type":"object","properties":{"a":{"enum":["` + strings.Repeat(`v","`, 30) + strings.Repeat("w", maxLiteral-2) + `"]}}}`)
	return tools
}

func TestDescriptionOfManyTools(t *testing.T) {
	for _, n := range []int{30, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 1_000} {
		got := NewCatalog(many(n)).Description()
		shown := strings.Count(got, "\ntools.tool_")
		left := fmt.Sprintf("\n%s not shown.", counted(n-shown, "more tool"))
		left = strings.Replace(strings.Replace(left, "tool not", "tool is not", 1), "tools not", "tools are not", 1)
		if len(got) > maxDescription || shown < n && !strings.Contains(got, left) || shown == n && strings.Contains(got, "not shown") {
			t.Errorf("%d tools: %d bytes, %d shown, without %q at the end: %s", n, len(got), shown, left, got[len(got)-300:])
		}
		if shown < n && !strings.Contains(got, fmt.Sprintf(" Their names: tool_%d, ", shown)) && n-shown > 1 {
			t.Errorf("%d tools, %d shown: the names of others are not told: %s", n, shown, got[len(got)-300:])
		}
	}
}

func TestSearch(t *testing.T) {
	c := NewCatalog([]Tool{
		{Name: "list_issues", Description: "Lists the issues of a repository."},
		{Name: "createIssue", Description: "Creates an issue."},
		{Name: "search.web", Description: "Finds pages, and issues of magazines."},
		{Name: "Wetter", Description: "Höhe und Temperatur"},
	})
	for words, want := range map[string]string{
		"create an issue":    "createIssue list_issues search_web",
		"ISSUES":             "list_issues createIssue search_web",
		"web":                "search_web",
		"höhe":               "Wetter",
		"web-search, please": "search_web",
		"list issues":        "list_issues createIssue search_web",
	} {
		var got []string
		for line := range strings.Lines(c.Search(words)) {
			if name, ok := strings.CutPrefix(line, "tools."); ok {
				got = append(got, name[:strings.Index(name, "(")])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %s, want %s", words, got, want)
		}
	}
	for _, words := range []string{"", "zebra", " .,"} {
		if got, want := c.Search(words), "No tool has these words. There are 4 tools. Their names: list_issues, createIssue, search_web, Wetter"; got != want {
			t.Errorf("%q: got %q, want %q", words, got, want)
		}
	}
	if got, want := NewCatalog(nil).Search("a"), "There are no tools."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, n := range []int{9, 11, 2_000} {
		got := NewCatalog(many(n)).Search(strings.Repeat("something ", 1_000))
		if shown := strings.Count(got, "\ntools."); len(got) > maxFound || shown != min(n, maxFoundTools) || n > shown != strings.Contains(got, "some of these words. Their names: tool_10") {
			t.Errorf("%d tools: %d bytes, %d shown: %s", n, len(got), shown, got)
		}
	}
}

func TestHelp(t *testing.T) {
	long := searching
	long.Description = strings.Repeat("word ", 200) + "end"
	c := NewCatalog([]Tool{long})
	for _, name := range []string{"web_search", "web-search", " tools.web_search\n"} {
		if got, ok := c.Help(name); !ok || !strings.Contains(got, "word end\ntools.web_search(input: { query: string") {
			t.Errorf("%q: got %s, %v", name, got, ok)
		}
	}
	if got, ok := c.Help("web"); ok {
		t.Errorf("an unknown tool is helped with %s", got)
	}
}

// TestCatalogIsDeterministic shows that equal tools give equal texts.
func TestCatalogIsDeterministic(t *testing.T) {
	a, b := NewCatalog(many(200)), NewCatalog(many(200))
	if a.Description() != b.Description() || a.Search("some") != b.Search("some") || !slices.Equal(a.Names(), b.Names()) {
		t.Error("two catalogs of the same tools differ")
	}
}
