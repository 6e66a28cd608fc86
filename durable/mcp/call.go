package mcp

// Call is a request of a client: one of [Discover], [Initialize], [Ping], [List], [CallTool],
// [GetPrompt], [ReadResource], [Complete], [Listen], [SetLevel], [Subscribe] and [TaskCall].
type Call interface {
	// Method is the method of the request.
	Method() string
	// name is what the header Mcp-Name has, if the method has one.
	name() (string, bool)
	write(w *writer)
}

// The methods of requests.
const (
	MethodDiscover   = "server/discover"
	MethodInitialize = "initialize"
	MethodPing       = "ping"
	MethodTools      = "tools/list"
	MethodPrompts    = "prompts/list"
	MethodResources  = "resources/list"
	MethodTemplates  = "resources/templates/list"
	MethodCallTool   = "tools/call"
	MethodGetPrompt  = "prompts/get"
	MethodRead       = "resources/read"
	MethodComplete   = "completion/complete"
	MethodListen     = "subscriptions/listen"
	MethodSetLevel   = "logging/setLevel"
	MethodSubscribe  = "resources/subscribe"
	MethodForget     = "resources/unsubscribe"
	MethodTask       = "tasks/get"
	MethodUpdateTask = "tasks/update"
	MethodCancelTask = "tasks/cancel"
)

// nameless is a part of calls without the header Mcp-Name.
type nameless struct{}

func (nameless) name() (string, bool) { return "", false }

// Discover asks a modern server what it is.
type Discover struct{ nameless }

// Method is the method of the request.
func (Discover) Method() string { return MethodDiscover }
func (Discover) write(*writer)  {}

// Ping asks for an empty answer, in the legacy era.
type Ping struct{ nameless }

// Method is the method of the request.
func (Ping) Method() string { return MethodPing }
func (Ping) write(*writer)  {}

// Initialize begins the handshake of the legacy era.
type Initialize struct {
	nameless
	Version      string
	Info         Info
	Capabilities ClientCapabilities
}

// Method is the method of the request.
func (Initialize) Method() string { return MethodInitialize }

func (c Initialize) write(w *writer) {
	w.text("protocolVersion", c.Version)
	c.Capabilities.write(w, "capabilities")
	c.Info.write(w, "clientInfo")
}

// List asks for a page of tools, prompts, resources or templates.
type List struct {
	nameless
	// What is [MethodTools], [MethodPrompts], [MethodResources] or [MethodTemplates].
	What string
	// Cursor is where the page begins: nil for the first one. "" is a cursor like any other.
	Cursor *string
}

// Method is the method of the request.
func (c List) Method() string { return c.What }

func (c List) write(w *writer) { w.pointer("cursor", c.Cursor) }

// Resume is what a client sends again with a request that was answered by [InputRequired]. The zero
// value is for the first time.
type Resume struct {
	// Responses are the answers to the server's questions.
	Responses []InputResponse
	// State is the state that came with the questions, exactly. It is nil if none came.
	State *string
}

func (r Resume) write(w *writer) {
	if r.Responses != nil {
		writeResponses(w, r.Responses)
	}
	w.pointer("requestState", r.State)
}

// CallTool calls a tool.
type CallTool struct {
	Name string
	// Arguments is an object, or missing.
	Arguments Value
	Resume    Resume
}

// Method is the method of the request.
func (CallTool) Method() string         { return MethodCallTool }
func (c CallTool) name() (string, bool) { return c.Name, true }

func (c CallTool) write(w *writer) {
	w.text("name", c.Name)
	w.value("arguments", c.Arguments)
	c.Resume.write(w)
}

// GetPrompt asks for the messages of a prompt.
type GetPrompt struct {
	Name string
	// Arguments is an object of texts, or missing.
	Arguments Value
	Resume    Resume
}

// Method is the method of the request.
func (GetPrompt) Method() string         { return MethodGetPrompt }
func (c GetPrompt) name() (string, bool) { return c.Name, true }

func (c GetPrompt) write(w *writer) {
	w.text("name", c.Name)
	w.value("arguments", c.Arguments)
	c.Resume.write(w)
}

// ReadResource asks for the contents of a resource.
type ReadResource struct {
	URI    string
	Resume Resume
}

// Method is the method of the request.
func (ReadResource) Method() string         { return MethodRead }
func (c ReadResource) name() (string, bool) { return c.URI, true }

func (c ReadResource) write(w *writer) {
	w.text("uri", c.URI)
	c.Resume.write(w)
}

// Complete asks for what an argument could be. Either Prompt or Template names what has the argument.
type Complete struct {
	nameless
	Prompt, Template string
	// Argument is the name of the argument, and Begun what has been typed of it.
	Argument, Begun string
	// Others is an object of the arguments that are known already, or missing.
	Others Value
}

// Method is the method of the request.
func (Complete) Method() string { return MethodComplete }

func (c Complete) write(w *writer) {
	w.open("ref", '{')
	if c.Prompt != "" {
		w.text("type", "ref/prompt")
		w.text("name", c.Prompt)
	} else {
		w.text("type", "ref/resource")
		w.text("uri", c.Template)
	}
	w.close('}')
	w.open("argument", '{')
	w.text("name", c.Argument)
	w.text("value", c.Begun)
	w.close('}')
	if c.Others.Exists() {
		w.open("context", '{')
		w.value("arguments", c.Others)
		w.close('}')
	}
}

// Listen asks for a stream of notifications.
type Listen struct {
	nameless
	Filter Filter
}

// Method is the method of the request.
func (Listen) Method() string    { return MethodListen }
func (c Listen) write(w *writer) { c.Filter.write(w) }

// SetLevel asks for log lines of a level and above, in the legacy era.
type SetLevel struct {
	nameless
	Level string
}

// Method is the method of the request.
func (SetLevel) Method() string    { return MethodSetLevel }
func (c SetLevel) write(w *writer) { w.text("level", c.Level) }

// Subscribe asks to be told of the changes of a resource, or no longer to be told, in the legacy era.
type Subscribe struct {
	nameless
	URI    string
	Forget bool
}

// Method is the method of the request.
func (c Subscribe) Method() string {
	if c.Forget {
		return MethodForget
	}
	return MethodSubscribe
}
func (c Subscribe) write(w *writer) { w.text("uri", c.URI) }

// TaskCall asks for a task, answers its questions or cancels it.
type TaskCall struct {
	// What is [MethodTask], [MethodUpdateTask] or [MethodCancelTask].
	What string
	Task string
	// Responses are for [MethodUpdateTask].
	Responses []InputResponse
}

// Method is the method of the request.
func (c TaskCall) Method() string       { return c.What }
func (c TaskCall) name() (string, bool) { return c.Task, true }

func (c TaskCall) write(w *writer) {
	w.text("taskId", c.Task)
	if c.What == MethodUpdateTask {
		writeResponses(w, c.Responses)
	}
}

// EncodeRequest returns a request as a message.
func EncodeRequest(id ID, from Caller, call Call) []byte {
	w := begin(id)
	w.text("method", call.Method())
	w.open("params", '{')
	call.write(w)
	from.write(w)
	w.close('}')
	w.close('}')
	return w.out
}

// begin begins a message.
func begin(id ID) *writer {
	w := &writer{out: []byte(`{"jsonrpc":"2.0"`)}
	w.id("id", id)
	return w
}
