package mcp

// Tool is what a server says of one of its tools.
type Tool struct {
	Name        string `mcp:"name"`
	Title       string `mcp:"title,omit"`
	Description string `mcp:"description,omit"`
	// Input is the schema of the arguments, an object.
	Input Value `mcp:"inputSchema,object"`
	// Output is the schema of the structured content, or missing.
	Output Value `mcp:"outputSchema,object"`
	Hints  Hints `mcp:"annotations,omit"`
	// Icons and Meta are as they were sent.
	Icons Value `mcp:"icons"`
	Meta  Value `mcp:"_meta"`
}

// Hint is yes, no, or nothing.
type Hint int8

// The hints.
const (
	Unsaid Hint = iota
	No
	Yes
)

// Hints are what a server says of a tool's effects. They may be lies: an agent's author decides for
// which servers they count.
type Hints struct {
	Title string `mcp:"title,omit"`
	// ReadOnly says that a call changes nothing.
	ReadOnly Hint `mcp:"readOnlyHint"`
	// Destructive says that a call may remove something. Unsaid means Yes.
	Destructive Hint `mcp:"destructiveHint"`
	// Idempotent says that a second call with the same arguments changes nothing more.
	Idempotent Hint `mcp:"idempotentHint"`
	// OpenWorld says that the tool reaches out of its server. Unsaid means Yes.
	OpenWorld Hint `mcp:"openWorldHint"`
}

func (h *Hint) decode(v Value) bool {
	switch v.JSON() {
	case "true":
		*h = Yes
	case "false":
		*h = No
	}
	return *h != Unsaid
}

func (h Hint) encode(w *writer, name string) {
	switch h {
	case Yes:
		w.raw(name, "true")
	case No:
		w.raw(name, "false")
	}
}
