package mcp

// Tool is what a server says of one of its tools.
type Tool struct {
	Name, Title, Description string
	// Input is the schema of the arguments, an object.
	Input Value
	// Output is the schema of the structured content, or missing.
	Output Value
	Hints  Hints
	// Icons and Meta are as they were sent.
	Icons, Meta Value
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
	Title string
	// ReadOnly says that a call changes nothing.
	ReadOnly Hint
	// Destructive says that a call may remove something. Unsaid means Yes.
	Destructive Hint
	// Idempotent says that a second call with the same arguments changes nothing more.
	Idempotent Hint
	// OpenWorld says that the tool reaches out of its server. Unsaid means Yes.
	OpenWorld Hint
}

func parseTool(v Value) Tool {
	t := Tool{Input: v.Get("inputSchema").object(), Output: v.Get("outputSchema").object(), Icons: v.Get("icons"), Meta: v.Get("_meta")}
	t.Name, t.Title, t.Description = parseNames(v)
	hints := v.Get("annotations")
	t.Hints = Hints{
		Title: hints.text("title"), ReadOnly: parseHint(hints.Get("readOnlyHint")),
		Destructive: parseHint(hints.Get("destructiveHint")), Idempotent: parseHint(hints.Get("idempotentHint")),
		OpenWorld: parseHint(hints.Get("openWorldHint")),
	}
	return t
}

func parseHint(v Value) Hint {
	switch v.JSON() {
	case "true":
		return Yes
	case "false":
		return No
	}
	return Unsaid
}

func (t Tool) write(w *writer) {
	w.open("", '{')
	writeNames(w, t.Name, t.Title, t.Description)
	w.value("inputSchema", t.Input)
	w.value("outputSchema", t.Output)
	t.Hints.write(w)
	w.value("icons", t.Icons)
	w.value("_meta", t.Meta)
	w.close('}')
}

func (h Hints) write(w *writer) {
	if h == (Hints{}) {
		return
	}
	w.open("annotations", '{')
	w.some("title", h.Title)
	h.ReadOnly.write(w, "readOnlyHint")
	h.Destructive.write(w, "destructiveHint")
	h.Idempotent.write(w, "idempotentHint")
	h.OpenWorld.write(w, "openWorldHint")
	w.close('}')
}

func (h Hint) write(w *writer, name string) {
	switch h {
	case Yes:
		w.raw(name, "true")
	case No:
		w.raw(name, "false")
	}
}
