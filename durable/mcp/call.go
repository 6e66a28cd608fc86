package mcp

// Call is a request of a client: one of [Discover], [Initialize], [Ping], [List], [CallTool],
// [GetPrompt], [ReadResource], [Complete], [Listen], [SetLevel], [Subscribe] and [TaskCall].
type Call interface {
	// Method is the method of the request.
	Method() string
	// name is what the header Mcp-Name has, if the method has one.
	name() (string, bool)
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

// Ping asks for an empty answer, in the legacy era.
type Ping struct{ nameless }

// Method is the method of the request.
func (Ping) Method() string { return MethodPing }

// Initialize begins the handshake of the legacy era.
type Initialize struct {
	nameless
	Version      string             `mcp:"protocolVersion,need"`
	Capabilities ClientCapabilities `mcp:"capabilities"`
	Info         Info               `mcp:"clientInfo"`
}

// Method is the method of the request.
func (Initialize) Method() string { return MethodInitialize }

// List asks for a page of tools, prompts, resources or templates.
type List struct {
	nameless
	// What is [MethodTools], [MethodPrompts], [MethodResources] or [MethodTemplates].
	What string
	// Cursor is where the page begins: nil for the first one. "" is a cursor like any other.
	Cursor *string `mcp:"cursor"`
}

// Method is the method of the request.
func (c List) Method() string { return c.What }

// Resume is what a client sends again with a request that was answered by [InputRequired]. The zero
// value is for the first time.
type Resume struct {
	// Responses are the answers to the server's questions.
	Responses InputResponses `mcp:"inputResponses,omit"`
	// State is the state that came with the questions, exactly. It is nil if none came.
	State *string `mcp:"requestState"`
}

// CallTool calls a tool.
type CallTool struct {
	Name string `mcp:"name,need"`
	// Arguments is an object, or missing.
	Arguments Value `mcp:"arguments,object"`
	Resume    `mcp:""`
}

// Method is the method of the request.
func (CallTool) Method() string         { return MethodCallTool }
func (c CallTool) name() (string, bool) { return c.Name, true }

// GetPrompt asks for the messages of a prompt.
type GetPrompt struct {
	Name string `mcp:"name,need"`
	// Arguments is an object of texts, or missing.
	Arguments Value `mcp:"arguments,object"`
	Resume    `mcp:""`
}

// Method is the method of the request.
func (GetPrompt) Method() string         { return MethodGetPrompt }
func (c GetPrompt) name() (string, bool) { return c.Name, true }

// ReadResource asks for the contents of a resource.
type ReadResource struct {
	URI    string `mcp:"uri,need"`
	Resume `mcp:""`
}

// Method is the method of the request.
func (ReadResource) Method() string         { return MethodRead }
func (c ReadResource) name() (string, bool) { return c.URI, true }

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

// completion is the form of Complete in a message.
type completion struct {
	Ref struct {
		Type string `mcp:"type,need"`
		Name string `mcp:"name,omit"`
		URI  string `mcp:"uri,omit"`
	} `mcp:"ref,need"`
	Argument struct {
		Name  string `mcp:"name,need"`
		Value string `mcp:"value,need"`
	} `mcp:"argument,need"`
	Context struct {
		Arguments Value `mcp:"arguments,object"`
	} `mcp:"context,omit"`
}

func (c Complete) encode(w *writer, _ string) {
	var form completion
	form.Ref.Type, form.Ref.URI = "ref/resource", c.Template
	if c.Prompt != "" {
		form.Ref.Type, form.Ref.Name, form.Ref.URI = "ref/prompt", c.Prompt, ""
	}
	form.Argument.Name, form.Argument.Value, form.Context.Arguments = c.Argument, c.Begun, c.Others
	w.fields(form)
}

func (c completion) call() Complete {
	call := Complete{Argument: c.Argument.Name, Begun: c.Argument.Value, Others: c.Context.Arguments}
	switch c.Ref.Type {
	case "ref/prompt":
		call.Prompt = c.Ref.Name
	case "ref/resource":
		call.Template = c.Ref.URI
	}
	return call
}

// Listen asks for a stream of notifications.
type Listen struct {
	nameless
	Filter Filter `mcp:"notifications,need"`
}

// Method is the method of the request.
func (Listen) Method() string { return MethodListen }

// SetLevel asks for log lines of a level and above, in the legacy era.
type SetLevel struct {
	nameless
	Level string `mcp:"level,need"`
}

// Method is the method of the request.
func (SetLevel) Method() string { return MethodSetLevel }

// Subscribe asks to be told of the changes of a resource, or no longer to be told, in the legacy era.
type Subscribe struct {
	nameless
	URI    string `mcp:"uri,need"`
	Forget bool
}

// Method is the method of the request.
func (c Subscribe) Method() string {
	if c.Forget {
		return MethodForget
	}
	return MethodSubscribe
}

// TaskCall asks for a task, answers its questions or cancels it.
type TaskCall struct {
	// What is [MethodTask], [MethodUpdateTask] or [MethodCancelTask].
	What string
	Task string `mcp:"taskId,need"`
	// Responses are for [MethodUpdateTask].
	Responses InputResponses `mcp:"inputResponses,omit"`
}

// Method is the method of the request.
func (c TaskCall) Method() string       { return c.What }
func (c TaskCall) name() (string, bool) { return c.Task, true }

// EncodeRequest returns a request as a message.
func EncodeRequest(id ID, from Caller, call Call) []byte {
	if c, ok := call.(TaskCall); ok && c.What == MethodUpdateTask && c.Responses == nil {
		c.Responses = InputResponses{}
		call = c
	}
	w := begin(id)
	w.text("method", call.Method())
	w.open("params", '{')
	w.fields(call)
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
