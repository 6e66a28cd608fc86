package agents

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

type prompted struct {
	Prompt string `json:"prompt"`
}

type messaged struct {
	Message string `json:"message"`
}

// legacy are the tools that the suite wants for revisions with sessions, and the log lines of all.
var legacy = []agent.Tool{
	agent.NewTool("test_tool_with_logging", "Logs.", logging),
	agent.NewTool("test_logging_tool", "Logs.", logging),
	agent.NewTool("test_sampling", "Asks the model.", func(c *agent.Context, in prompted) (string, error) {
		text, err := sample(c, "sampling", in.Prompt)
		return "LLM response: " + text, err
	}),
	agent.NewTool("test_elicitation", "Asks.", func(c *agent.Context, in messaged) (string, error) {
		return elicited(c, in.Message, object{
			"type": "object", "required": []string{"response"},
			"properties": object{"response": object{"type": "string", "description": "User's response"}},
		})
	}),
	agent.NewTool("test_elicitation_sep1034_defaults", "Asks with defaults.", func(c *agent.Context, _ none) (string, error) {
		return elicited(c, "Please review", object{"type": "object", "properties": object{
			"name":     object{"type": "string", "default": "John Doe"},
			"age":      object{"type": "integer", "default": 30},
			"score":    object{"type": "number", "default": 95.5},
			"status":   object{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"},
			"verified": object{"type": "boolean", "default": true},
		}})
	}),
	agent.NewTool("test_elicitation_sep1330_enums", "Asks for choices.", func(c *agent.Context, _ none) (string, error) {
		options := []string{"option1", "option2", "option3"}
		titled := []object{{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}}
		return elicited(c, "Please choose", object{"type": "object", "properties": object{
			"untitledSingle": object{"type": "string", "enum": options},
			"titledSingle":   object{"type": "string", "oneOf": titled},
			"legacyEnum":     object{"type": "string", "enum": []string{"opt1", "opt2", "opt3"}, "enumNames": []string{"One", "Two", "Three"}},
			"untitledMulti":  object{"type": "array", "items": object{"type": "string", "enum": options}},
			"titledMulti":    object{"type": "array", "items": object{"anyOf": titled}},
		}})
	}),
}

// logging sends three lines, with pauses between them.
func logging(c *agent.Context, _ none) (string, error) {
	for i, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		if i > 0 {
			if err := flow.Sleep(c, 50*time.Millisecond); err != nil {
				return "", err
			}
		}
		if err := agent.LogToClient(c, "info", line); err != nil {
			return "", err
		}
	}
	return "Tool with logging executed.", nil
}

// elicited asks for a form, and says what was answered.
func elicited(c *agent.Context, message string, schema object) (string, error) {
	data, err := agent.AskClient(c, "form", agent.Elicit, object{"mode": "form", "message": message, "requestedSchema": schema})
	if err != nil {
		return "", err
	}
	var answer struct {
		Action  string
		Content json.RawMessage
	}
	err = json.Unmarshal(data, &answer)
	return fmt.Sprintf("Elicitation completed: action=%s, content=%s", answer.Action, answer.Content), err
}
