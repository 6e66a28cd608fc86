package agents

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// png and wav are the smallest of their kind that readers take.
var (
	png = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde\x00\x00\x00\x0cIDATx\x9cc\xf8\xcf\xc0\x00\x00\x03\x01\x01\x00\xc9\xfe\x92\xef\x00\x00\x00\x00IEND\xaeB`\x82")
	wav = []byte("RIFF&\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00@\x1f\x00\x00\x80>\x00\x00\x02\x00\x10\x00data\x02\x00\x00\x00\x00\x00")
)

type none struct{}

var tools = slices.Concat(plain, asking, tasks, legacy)

// content makes a tool that returns blocks.
func content(name string, blocks ...agent.Block) agent.Tool {
	return agent.NewTool(name, "Returns content.", func(*agent.Context, none) (agent.Content, error) { return blocks, nil })
}

var plain = []agent.Tool{
	content("test_simple_text", agent.TextBlock("This is a simple text response for testing.")),
	content("test_image_content", agent.ImageBlock("image/png", png)),
	content("test_audio_content", agent.AudioBlock("audio/wav", wav)),
	content("test_embedded_resource", agent.ResourceBlock("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
	content("test_multiple_content_types", agent.TextBlock("Multiple content types test:"), agent.ImageBlock("image/png", png),
		agent.ResourceBlock("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`)),
	agent.NewTool("test_error_handling", "Fails.", func(*agent.Context, none) (string, error) {
		//lint:ignore ST1005 the suite prescribes the text
		return "", errors.New("This tool intentionally returns an error for testing")
	}),
	agent.NewTool("test_tool_with_progress", "Reports progress.", progress),
	agent.NewTool("test_missing_capability", "Needs sampling.", func(c *agent.Context, _ none) (string, error) {
		_, err := agent.AskClient(c, "sample", agent.Sample, question("Hello?"))
		return "sampled", err
	}),
	custom("test_custom_headers", `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"query":{"type":"string"}}}`),
	custom("json_schema_2020_12_tool", schema2020),
	agent.NewTool("test_reconnection", "Sleeps for longer than the suite reads a stream, so that it comes back.", func(c *agent.Context, _ none) (string, error) {
		return "awake", flow.Sleep(c, 11*time.Second)
	}),
	content("sometimes", agent.TextBlock("now")),
	agent.NewTool("test_trigger_tool_change", "Has a tool appear, or disappear.", func(c *agent.Context, _ none) (string, error) {
		_, err := c.Schedule(schedule.After(0), "toggle", nil)
		return "toggled", err
	}),
}

func progress(c *agent.Context, _ none) (string, error) {
	for i, share := range []float64{0, 0.5, 1} {
		if i > 0 {
			if err := flow.Sleep(c, 50*time.Millisecond); err != nil {
				return "", err
			}
		}
		if err := c.ReportProgress(agent.Progress{Fraction: share, Message: "at work"}); err != nil {
			return "", err
		}
	}
	return "Tool with progress executed.", nil
}

// custom makes a tool of a schema that no type of Go has.
func custom(name, schema string) agent.Tool {
	return agent.Tool{
		Name: name, Description: "Returns its input.", Schema: json.RawMessage(schema),
		Run: func(_ *agent.Context, input json.RawMessage) (json.RawMessage, error) { return input, nil },
	}
}

const schema2020 = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}`
