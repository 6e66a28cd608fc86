package mcpclient

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/mcp"
)

// TestToolsAreMadeFit checks what is noted of a tool whose schemas are not used as they are, and that one that cannot be
// told is left out.
func TestToolsAreMadeFit(t *testing.T) {
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 70) + `{}` + strings.Repeat(`}}`, 70)
	for _, c := range []struct{ input, output, adjusted, left string }{
		{`{"type":"object","properties":{}}`, ``, "", ""},
		{`{"type":"object","properties":{}}`, `{"type":"object"}`, "", ""},
		{`{"type":"object"}`, ``, "properties are added to an object without any", ""},
		{`{"type":"object","properties":{}}`, `{"$id":"x.v1"}`, "the schema of its results is left out: it cannot be used: root: its $id is no absolute address without a fragment", ""},
		{`{"type":["string"]}`, ``, "", "the schema of its input is not that of an object"},
		{deep, ``, "", "the schema of its input is nested too deep"},
	} {
		tool := mcp.Tool{Name: "a"}
		tool.Input, _ = mcp.Parse([]byte(c.input))
		if c.output != "" {
			tool.Output, _ = mcp.Parse([]byte(c.output))
		}
		var o Offer
		o.addTool(mcp.Listed{Tool: tool, Digest: strings.Repeat("0", 64)})
		adjusted, left := "", ""
		for _, one := range o.Tools {
			adjusted = strings.Join(one.Adjusted, "; ")
			if keeps := c.output != "" && adjusted == ""; keeps != (len(one.Output) > 0) {
				t.Errorf("%s: the schema of the results is %s", c.output, one.Output)
			}
		}
		for _, one := range o.Left {
			left = one.Name + ": " + one.Reason
		}
		if adjusted != c.adjusted || strings.TrimPrefix(left, "a: ") != c.left || len(o.Tools)+len(o.Left) != 1 {
			t.Errorf("%.60s %s: got %q, left out %q", c.input, c.output, adjusted, left)
		}
	}
}
