package agent

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/tributary-agents/tributary/durable/internal/infer"
	"github.com/tributary-agents/tributary/durable/internal/validator"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Tool is a function that the model can call. [NewTool], [NewClientTool] and [AgentTool] make one.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the input. Output is the JSON Schema that the output has to fit, or
	// nil.
	Schema, Output json.RawMessage
	// Describe returns the description for a deployment with these variables and these tools at hand, if
	// it is not nil.
	Describe func(vars map[string]string, atHand []Tool) string
	// Enabled says by the deployment's variables whether the tool is offered. Nil means always.
	Enabled func(vars map[string]string) bool
	// Approval says whether a person has to approve a call with this input before it
	// runs. Nil means never. It decides by the input alone.
	Approval func(input json.RawMessage) bool
	// Scopes are what a turn needs to call the tool, and ApproverScopes what a person needs to answer
	// its questions, see [Tool.Requires] and [Tool.Approver].
	Scopes, ApproverScopes []string
	// Explain explains a call that needs approval, or is nil. Expiry is how long its question waits, as
	// [Tool.AnswerWithin] sets it.
	Explain func(input json.RawMessage) (Explanation, error)
	Expiry  time.Duration
	// Client says that the browser runs the tool. Run is then not used.
	Client bool
	// Run is straight-line code over the journal. It may wait. After the loss of its instance it is
	// run again over its journal. Its output is JSON of at most 256 KiB. Its error goes to the
	// model.
	Run func(c *Context, input json.RawMessage) (json.RawMessage, error)

	// in is a nil *In, and input the schema of In, if the tool was made for a type.
	in    any
	input *validator.Schema
	// keyed makes the tool act once for a key, or is nil. readOnly says that it changes nothing.
	keyed    *keyed
	readOnly bool
	// code makes the tool run code of the model, or is nil.
	code *code
	// promise is the output schema of a server's tool, or nil. Code and other programs are told of it. The call checks its
	// result against it.
	promise json.RawMessage
	// digest is what the question about a call keeps of the tool that it shows, or "" for a tool of the agent's own.
	digest string
}

// NewTool makes a tool of a function. The schema that the model is sent comes from the struct In:
// json tags name the fields, jsonschema tags describe them, and a field is required unless its json
// tag says omitempty. Input is checked against the schema before the function is called. Out
// becomes JSON of at most 256 KiB. The text of an error goes to the model. NewTool panics if In has
// no schema.
func NewTool[In, Out any](name, description string, run func(c *Context, in In) (Out, error)) Tool {
	schema, resolved := schemaOf(reflect.TypeFor[In](), "input of tool "+name)
	return Tool{
		Name: name, Description: description, Schema: schema,
		Run: typed(resolved, run), in: (*In)(nil), input: resolved,
	}
}

// outputSchema returns the tool's output schema as code and other programs are told of it, or nil.
func (t *Tool) outputSchema() json.RawMessage {
	if t.Output != nil {
		return t.Output
	}
	return t.promise
}

// ToolOption adds functions over the types of a tool to the tool, see [Tool.With].
type ToolOption func(t *Tool)

// With returns a copy of the tool with options. The functions of an option take the tool's input as
// the type that the tool was made for. With panics if an option is for another type, or for another
// kind of tool.
//
// What is not typed by the tool's input or output is a method of its own, such as
// [Tool.NeedsApproval].
func (t Tool) With(options ...ToolOption) Tool {
	for _, option := range options {
		option(&t)
	}
	return t
}

// inputOf returns what decodes a tool's input for a function of an option. A tool that was not made
// for a type gives its input as it is: In is then any type that the input can be decoded to.
func inputOf[In any](t *Tool, option string) func(input json.RawMessage) (In, error) {
	if _, same := t.in.(*In); t.in != nil && !same {
		panic(fmt.Errorf("agent: the option %s of tool %s takes %T, and the tool %T", option, t.Name, (*In)(nil), t.in))
	}
	schema := t.input
	return func(input json.RawMessage) (in In, err error) {
		err = decode(schema, input, &in)
		return in, err
	}
}

// typed turns a function over Go values into code over JSON.
func typed[In, Out any](schema *validator.Schema, run func(c *Context, in In) (Out, error)) func(*Context, json.RawMessage) (json.RawMessage, error) {
	return func(c *Context, input json.RawMessage) (json.RawMessage, error) {
		var in In
		if err := decode(schema, input, &in); err != nil {
			return nil, err
		}
		out, err := run(c, in)
		if err != nil {
			return nil, err
		}
		return limit.Marshal(out)
	}
}

// NeedsApproval returns a copy of the tool that asks a person before a call runs: a call for whose
// input when returns true, or every call if when is nil. when is called once for a call and must
// decide by the input alone. A call that the person denies does not run, and the model is told so.
func (t Tool) NeedsApproval(when func(input json.RawMessage) bool) Tool {
	if when == nil {
		when = func(json.RawMessage) bool { return true }
	}
	t.Approval = when
	return t
}

// NewClientTool makes a tool that runs in the browser. The page that shows the call sends its
// result. While the tool waits for the result, nothing is kept in memory. NewClientTool panics if
// In has no schema.
func NewClientTool[In any](name, description string) Tool {
	schema, resolved := schemaOf(reflect.TypeFor[In](), "input of tool "+name)
	return Tool{Name: name, Description: description, Schema: schema, Client: true, in: (*In)(nil), input: resolved}
}

// WithOutput returns a copy of the tool whose output is checked against the JSON Schema of Out
// before it is used. It is for tools in the browser, and for tools that pass on data from
// elsewhere. If the output does not fit, the call fails. WithOutput panics if Out has no schema.
func WithOutput[Out any](t Tool) Tool {
	t.Output, _ = schemaOf(reflect.TypeFor[Out](), "output of tool "+t.Name)
	return t
}

// When returns a copy of the tool that is offered only if the function returns true for the
// deployment's variables. The function is not given the secrets.
func (t Tool) When(when func(vars map[string]string) bool) Tool {
	t.Enabled = when
	return t
}

// schemaOf returns the schema of a type. Like decode it has no type parameter, because the compiler
// would make the function anew for each tool.
func schemaOf(t reflect.Type, what string) (json.RawMessage, *validator.Schema) {
	schema, err := infer.For(t)
	if err != nil {
		panic(fmt.Errorf("agent: %s: %w", what, err))
	}
	data := limit.MustMarshal(schema)
	compiled, err := validator.Compile(data)
	if err != nil {
		panic(fmt.Errorf("agent: %s: its schema %w", what, err))
	}
	return data, compiled
}

// decode checks a model's input against the schema, if there is one, and decodes it into what in
// points to.
func decode(schema *validator.Schema, input json.RawMessage, in any) error {
	if schema != nil {
		if err := schema.Check(input); err != nil {
			return fmt.Errorf("input %w", err)
		}
	}
	if err := json.Unmarshal(input, in); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	return nil
}
