package mcp

// ParseCall reads a request of a client. Its error is an [*Error] for the answer. Which era knows a
// method is not checked here: see [Speaks].
func ParseCall(m Message) (Call, error) {
	p := m.Params
	switch m.Method {
	case MethodDiscover:
		return Discover{}, nil
	case MethodPing:
		return Ping{}, nil
	case MethodInitialize:
		return parseInitialize(p)
	case MethodTools, MethodPrompts, MethodResources, MethodTemplates:
		return parseList(m.Method, p)
	case MethodCallTool:
		return parseCallTool(p)
	case MethodGetPrompt:
		return parseGetPrompt(p)
	case MethodRead:
		resume, err := parseResume(p)
		return ReadResource{URI: p.text("uri"), Resume: resume}, first(needText(p, "uri"), err)
	case MethodComplete:
		return parseComplete(p)
	case MethodListen:
		return parseListen(p)
	case MethodSetLevel:
		if levelIndex(p.text("level")) < 0 {
			return nil, invalidParams("level is none of the levels of the protocol")
		}
		return SetLevel{Level: p.text("level")}, nil
	case MethodSubscribe, MethodForget:
		return Subscribe{URI: p.text("uri"), Forget: m.Method == MethodForget}, needText(p, "uri")
	case MethodTask, MethodUpdateTask, MethodCancelTask:
		return parseTaskCall(m.Method, p)
	}
	return nil, NoMethod(m.Method)
}

// NoMethod returns the error for a request whose method there is not.
func NoMethod(method string) *Error {
	return &Error{Code: CodeNoMethod, Message: "method not found: " + Quote(method, 100)}
}

// Speaks says whether a version has a method.
func Speaks(version, method string) bool {
	switch method {
	case MethodDiscover, MethodListen, MethodTask, MethodUpdateTask, MethodCancelTask:
		return Modern(version)
	case MethodInitialize, MethodPing, MethodSetLevel, MethodSubscribe, MethodForget:
		return !Modern(version)
	}
	return true
}

// first returns the first error that there is.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func needText(p Value, name string) error {
	if !p.hasText(name) {
		return invalidParams("params." + name + " must be a text")
	}
	return nil
}

func mayBeObject(p Value, name string) error {
	if v := p.Get(name); v.Exists() && !v.IsObject() {
		return invalidParams("params." + name + " must be an object")
	}
	return nil
}

func parseInitialize(p Value) (Call, error) {
	c := Initialize{
		Version: p.text("protocolVersion"), Info: parseInfo(p.Get("clientInfo")),
		Capabilities: parseClientCapabilities(p.Get("capabilities")),
	}
	return c, first(needText(p, "protocolVersion"), mayBeObject(p, "capabilities"), mayBeObject(p, "clientInfo"))
}

func parseList(method string, p Value) (Call, error) {
	cursor := p.Get("cursor")
	if !cursor.Exists() || cursor.IsNull() {
		return List{What: method}, nil
	}
	text := cursor.Text()
	return List{What: method, Cursor: &text}, needText(p, "cursor")
}

func parseCallTool(p Value) (Call, error) {
	resume, err := parseResume(p)
	c := CallTool{Name: p.text("name"), Arguments: p.Get("arguments").object(), Resume: resume}
	return c, first(needText(p, "name"), mayBeObject(p, "arguments"), err)
}

func parseGetPrompt(p Value) (Call, error) {
	resume, err := parseResume(p)
	c := GetPrompt{Name: p.text("name"), Arguments: p.Get("arguments").object(), Resume: resume}
	for _, argument := range c.Arguments.Items() {
		if !argument.IsText() {
			err = first(err, invalidParams("the arguments of a prompt must be texts"))
		}
	}
	return c, first(needText(p, "name"), mayBeObject(p, "arguments"), err)
}

func parseResume(p Value) (r Resume, err error) {
	if state := p.Get("requestState"); state.Exists() {
		text := state.Text()
		r.State, err = &text, needText(p, "requestState")
	}
	r.Responses = parseResponses(p.Get("inputResponses"))
	return r, first(err, mayBeObject(p, "inputResponses"))
}

func parseComplete(p Value) (Call, error) {
	ref, argument := p.Get("ref"), p.Get("argument")
	c := Complete{
		Argument: argument.text("name"), Begun: argument.text("value"),
		Others: p.Get("context").Get("arguments").object(),
	}
	switch ref.text("type") {
	case "ref/prompt":
		c.Prompt = ref.text("name")
	case "ref/resource":
		c.Template = ref.text("uri")
	}
	switch {
	case c.Prompt == "" && c.Template == "":
		return nil, invalidParams("params.ref must name a prompt or a resource")
	case c.Argument == "" || !argument.hasText("value"):
		return nil, invalidParams("params.argument must have a name and a value")
	}
	return c, nil
}

func parseListen(p Value) (Call, error) {
	if !p.hasObject("notifications") {
		return nil, invalidParams("params.notifications must be an object")
	}
	return Listen{Filter: parseFilter(p.Get("notifications"))}, nil
}

func parseTaskCall(method string, p Value) (Call, error) {
	c := TaskCall{What: method, Task: p.text("taskId")}
	err := needText(p, "taskId")
	if method == MethodUpdateTask {
		c.Responses = parseResponses(p.Get("inputResponses"))
		if !p.hasObject("inputResponses") {
			err = first(err, invalidParams("params.inputResponses must be an object"))
		}
	}
	return c, err
}
