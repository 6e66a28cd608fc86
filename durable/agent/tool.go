package agent

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Tool is something that a model can have called.
type Tool chat.Tool

// Context is what a tool's code awaits with. The code is straight-line Go that
// survives its instance: see package flow.
type Context = chat.ToolContext

// NewTool makes a tool of a function. The schema that the model is told comes from
// the struct In: json tags name the fields, jsonschema tags describe them, and a
// field is required unless its json tag says omitempty. Input is checked against
// the schema before the function is called. Out becomes JSON; an error goes to the
// model in words. NewTool panics when In has no schema.
func NewTool[In, Out any](name, description string, run func(c *Context, in In) (Out, error)) Tool {
	schema, resolved := schemaOf[In]("input of tool " + name)
	return Tool{
		Name: name, Description: description, Schema: schema,
		Run: typed(resolved, run),
	}
}

// typed makes code over JSON of a function over values of Go.
func typed[In, Out any](schema *jsonschema.Resolved, run func(c *Context, in In) (Out, error)) func(*Context, json.RawMessage) (json.RawMessage, error) {
	return func(c *Context, input json.RawMessage) (json.RawMessage, error) {
		in, err := decode[In](schema, input)
		if err != nil {
			return nil, err
		}
		out, err := run(c, in)
		if err != nil {
			return nil, err
		}
		return limit.Marshal(out)
	}
}

// NeedsApproval returns the tool for inputs that a person has to approve before it
// runs: those that when says yes to, or all where it is nil. It is asked once a call
// and must decide by the input alone.
func (t Tool) NeedsApproval(when func(input json.RawMessage) bool) Tool {
	if when == nil {
		when = func(json.RawMessage) bool { return true }
	}
	t.Approval = when
	return t
}

// NewClientTool declares a tool that runs in the browser. Its result comes from the
// client; nothing is held while it is waited for. NewClientTool panics when In has no schema.
func NewClientTool[In any](name, description string) Tool {
	schema, _ := schemaOf[In]("input of tool " + name)
	return Tool{Name: name, Description: description, Schema: schema, Client: true}
}

// Returns returns the tool with what it gives back held to the JSON Schema of Out, before
// anybody sees it: for tools in the browser, and for those that pass on what they were
// given. Output that does not fit is a failure of the call. Returns panics when Out has
// no schema.
func Returns[Out any](t Tool) Tool {
	t.Output, _ = schemaOf[Out]("output of tool " + t.Name)
	return t
}

// Only returns the tool for deployments whose variables say so: when is given them, without
// the secrets.
func (t Tool) Only(when func(vars map[string]string) bool) Tool {
	t.When = when
	return t
}

func schemaOf[T any](what string) (json.RawMessage, *jsonschema.Resolved) {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		panic(fmt.Errorf("agent: %s: %w", what, err))
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		panic(fmt.Errorf("agent: %s: %w", what, err))
	}
	return mustMarshal(schema), resolved
}

// decode checks a model's input and reads it.
func decode[In any](schema *jsonschema.Resolved, input json.RawMessage) (in In, err error) {
	var loose any
	if err := json.Unmarshal(input, &loose); err != nil {
		return in, fmt.Errorf("input is not JSON: %w", err)
	}
	if err := schema.Validate(loose); err != nil {
		return in, fmt.Errorf("input does not fit its schema: %w", err)
	}
	if err := json.Unmarshal(input, &in); err != nil {
		return in, fmt.Errorf("input: %w", err)
	}
	return in, nil
}

func mustMarshal(v any) json.RawMessage {
	b, err := limit.Marshal(v)
	if err != nil {
		panic(fmt.Errorf("agent: %w", err))
	}
	return b
}
