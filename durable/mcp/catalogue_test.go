package mcp

import (
	"strconv"
	"strings"
	"testing"
)

func tools(t testing.TB, text string) Tools {
	t.Helper()
	page, err := ParseTools(parsed(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestCatalogue(t *testing.T) {
	var c Catalogue
	next, err := c.Add(tools(t, `{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"","ttlMs":9}`))
	if err != nil || next == nil || *next != "" {
		t.Fatalf("got %v, %v", next, err)
	}
	long := strings.Repeat("é", MaxDescription)
	next, err = c.Add(tools(t, `{"tools":[{"name":"b","description":"`+long+`","inputSchema":{"type":"object"}}],"ttlMs":4}`))
	if err != nil || next != nil || len(c.Tools) != 2 || len(c.Left) != 0 || c.TTL != 4 {
		t.Fatalf("got %+v, %v, %v", c, next, err)
	}
	if got := c.Tools[1].Tool.Description; len(got) > MaxDescription || !strings.HasSuffix(got, "(cut off here, 4096 bytes in all)") || strings.ToValidUTF8(got, "") != got {
		t.Errorf("got a description of %d bytes", len(got))
	}
}

func TestCatalogueLeaves(t *testing.T) {
	deep := strings.Repeat(`{"items":`, 40) + "{}" + strings.Repeat("}", 40)
	many := `{"type":"object","anyOf":[` + strings.Repeat("{},", MaxSubschemas) + `{}]}`
	large := `{"type":"object","description":"` + strings.Repeat("a", MaxSchema) + `"}`
	for tool, want := range map[string]failure{
		`{}`: errToolName, `{"name":5}`: errToolName, `{"name":""}`: errToolName, `{"name":"a\u0000b"}`: errToolName,
		`{"name":" a"}`: errToolName, `{"name":"a\u202eb"}`: errToolName, `{"name":"` + strings.Repeat("a", 300) + `"}`: errToolName,
		`{"name":"good"}`: errToolTwice,
		`{"name":"a"}`:    errSchemaObject, `{"name":"a","inputSchema":{"type":"string"}}`: errSchemaObject,
		`{"name":"a","inputSchema":` + large + `}`: errSchemaSize, `{"name":"a","inputSchema":` + many + `}`: errSchemaMany,
		`{"name":"a","inputSchema":{"type":"object","properties":{"a":` + deep + `}}}`:                         errSchemaDepth,
		`{"name":"a","inputSchema":{"type":"object","properties":{"b":{"$ref":"https://evil.example/s"}}}}`:    errSchemaRef,
		`{"name":"a","inputSchema":{"type":"object","properties":{"b":{"$dynamicRef":"other"}}}}`:              errSchemaRef,
		`{"name":"a","inputSchema":{"type":"object","properties":{"b":{"type":"number","x-mcp-header":"B"}}}}`: errParamType,
	} {
		var c Catalogue
		page := tools(t, `{"tools":[{"name":"good","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}}}},`+tool+`]}`)
		if _, err := c.Add(page); err != nil || len(c.Tools) != 1 || len(c.Left) != 1 || c.Left[0].Reason != string(want) {
			t.Errorf("%.100s: got %d tools, %v, %v, want %s", tool, len(c.Tools), c.Left, err, want)
		}
	}
}

// TestCatalogueDropsOutputs checks that a tool is used without the schema of its results if that is beyond a limit.
func TestCatalogueDropsOutputs(t *testing.T) {
	for output, want := range map[string]failure{
		strings.Repeat(`{"items":`, 40) + "{}" + strings.Repeat("}", 40): errSchemaDepth,
		`{"anyOf":[` + strings.Repeat("{},", MaxSubschemas) + `{}]}`:     errSchemaMany,
		`{"description":"` + strings.Repeat("a", MaxSchema) + `"}`:       errSchemaSize,
		`{"$ref":"https://evil.example/s"}`:                              errSchemaRef,
		`{"type":"object"}`:                                              "",
	} {
		var c Catalogue
		if _, err := c.Add(tools(t, `{"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":`+output+`}]}`)); err != nil || len(c.Tools) != 1 {
			t.Fatalf("%.100s: got %+v, %v", output, c, err)
		}
		if got := c.Tools[0]; got.NoOutput != string(want) || got.Tool.Output.Exists() != (want == "") || got.Digest == "" {
			t.Errorf("%.100s: got %s, %s", output, got.NoOutput, got.Tool.Output.JSON())
		}
	}
}

// TestPageThatComesTwice checks that a tool of a page that comes again is there once and not left out, and that another
// tool of its name is left out.
func TestPageThatComesTwice(t *testing.T) {
	var c Catalogue
	page := tools(t, `{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":""}`)
	_, first := c.Add(page)
	if _, second := c.Add(page); first != nil || second != errPageCursor || len(c.Tools) != 1 || len(c.Left) != 0 {
		t.Errorf("got %v, %v, %+v, %+v", first, second, c.Tools, c.Left)
	}
	_, _ = c.Add(tools(t, `{"tools":[{"name":"a","description":"other","inputSchema":{"type":"object"}}]}`))
	if len(c.Tools) != 1 || len(c.Left) != 1 {
		t.Errorf("got %+v, %+v", c.Tools, c.Left)
	}
}

func TestCatalogueEnds(t *testing.T) {
	var many strings.Builder
	for i := range 2 * MaxTools {
		many.WriteString(`{"name":"t` + strconv.Itoa(i) + `","inputSchema":{"type":"object"}},`)
	}
	page := tools(t, `{"tools":[`+many.String()+`{}]}`)
	var c Catalogue
	if _, err := c.Add(page); err != nil || len(c.Tools) != MaxTools || len(c.Left) != MaxTools {
		t.Errorf("got %d and %d, %v", len(c.Tools), len(c.Left), err)
	}

	large := tools(t, `{"tools":[{"name":"a","description":"`+strings.Repeat("a", MaxCatalogue/2)+`","inputSchema":{"type":"object"}}]}`)
	c = Catalogue{}
	_, first := c.Add(large)
	if _, second := c.Add(large); first != nil || second != ErrCatalogue {
		t.Errorf("got %v, %v", first, second)
	}

	c = Catalogue{}
	loop := tools(t, `{"tools":[],"nextCursor":"again"}`)
	_, first = c.Add(loop)
	if _, second := c.Add(loop); first != nil || second != errPageCursor {
		t.Errorf("got %v, %v", first, second)
	}

	c = Catalogue{}
	var err error
	pages := 0
	for ; err == nil && pages < 2*MaxPages; pages++ {
		_, err = c.Add(tools(t, `{"tools":[],"nextCursor":"`+strconv.Itoa(pages)+`"}`))
	}
	if err != ErrPages || pages != MaxPages {
		t.Errorf("got %v after %d pages", err, pages)
	}
}

func TestDigest(t *testing.T) {
	digest := func(text string) string { return tools(t, `{"tools":[`+text+`]}`).Tools[0].digest() }
	tool := digest(`{"name":"a","description":"d","inputSchema":{"type":"object","title":"t"}}`)
	if got := digest(`{"inputSchema":{"title":"\u0074","type": "object"},"name":"a","description":"d","_meta":{"x":1},"icons":[]}`); got != tool {
		t.Error("the order of fields, spaces and escapes change the digest")
	}
	for _, other := range []string{
		`{"name":"b","description":"d","inputSchema":{"type":"object","title":"t"}}`,
		`{"name":"a","description":"e","inputSchema":{"type":"object","title":"t"}}`,
		`{"name":"a","description":"d","inputSchema":{"type":"object","title":"u"}}`,
		`{"name":"a","description":"d","inputSchema":{"type":"object","title":"t"},"outputSchema":{}}`,
		`{"name":"a","description":"d","inputSchema":{"type":"object","title":"t"},"annotations":{"readOnlyHint":true}}`,
	} {
		if digest(other) == tool {
			t.Errorf("%s has the same digest", other)
		}
	}
}

func FuzzCatalogue(f *testing.F) {
	f.Add(`{"tools":[{"name":"a","inputSchema":` + shipping + `}],"nextCursor":""}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Parse([]byte(text))
		if err != nil {
			return
		}
		page, err := ParseTools(v)
		if err != nil {
			return
		}
		var c Catalogue
		_, _ = c.Add(page)
		names := []string{}
		for _, l := range c.Tools {
			names = append(names, l.Tool.Name)
		}
		seen := map[string]bool{}
		for _, name := range Identifiers("s", names, func(string) bool { return false }) {
			if seen[name] || len(name) > MaxIdentifier || letters(name) != name {
				t.Fatalf("%q is no identifier of its own", name)
			}
			seen[name] = true
		}
	})
}

func TestIdentifiers(t *testing.T) {
	long := strings.Repeat("x", 80)
	got := Identifiers("do cs", []string{"search", "a.b", "a/b", long, "mine", "größe"}, func(name string) bool { return name == "do_cs_mine" })
	want := []string{"do_cs_search", "do_cs_a_b_", "do_cs_a_b_", "do_cs_" + long[:51] + "_", "do_cs_mine_", "do_cs_gr__e"}
	for i := range want {
		exact := !strings.HasSuffix(want[i], "_")
		if exact && got[i] != want[i] || !exact && (!strings.HasPrefix(got[i], want[i]) || len(got[i]) != len(want[i])+6) {
			t.Errorf("got %s, want %s and digits", got[i], want[i])
		}
	}
	if got[1] == got[2] {
		t.Errorf("%s stands for two tools", got[1])
	}
	turned := Identifiers("do cs", []string{"a/b", "search", "a.b"}, func(string) bool { return false })
	if turned[0] != got[2] || turned[2] != got[1] {
		t.Errorf("the names depend on the order: %v", turned)
	}
	first := hashed("s", "t", func(string) bool { return false })
	if next := hashed("s", "t", func(name string) bool { return name == first }); len(next) != len(first)+2 {
		t.Errorf("got %s beside %s", next, first)
	}
}
