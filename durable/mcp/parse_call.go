package mcp

import "reflect"

// ParseCall reads a request of a client. Its error is an [*Error] for the answer. Which era knows a
// method is not checked here: see [Speaks].
func ParseCall(m Message) (Call, error) {
	to := blankCall(m.Method)
	if to == nil {
		return nil, NoMethod(m.Method)
	}
	err := decode(m.Params, to)
	var call Call
	if c, ok := to.(*completion); ok {
		call = c.call()
	} else {
		call = reflect.ValueOf(to).Elem().Interface().(Call)
	}
	return call, first(err, checkCall(call))
}

// blankCall returns a pointer to the call of a method, or nil.
func blankCall(method string) any {
	switch method {
	case MethodDiscover:
		return &Discover{}
	case MethodPing:
		return &Ping{}
	case MethodInitialize:
		return &Initialize{}
	case MethodTools, MethodPrompts, MethodResources, MethodTemplates:
		return &List{What: method}
	case MethodCallTool:
		return &CallTool{}
	case MethodGetPrompt:
		return &GetPrompt{}
	case MethodRead:
		return &ReadResource{}
	case MethodComplete:
		return &completion{}
	case MethodListen:
		return &Listen{}
	case MethodSetLevel:
		return &SetLevel{}
	case MethodSubscribe, MethodForget:
		return &Subscribe{Forget: method == MethodForget}
	case MethodTask, MethodUpdateTask, MethodCancelTask:
		return &TaskCall{What: method}
	}
	return nil
}

// checkCall checks what no tag says.
func checkCall(call Call) error {
	switch c := call.(type) {
	case GetPrompt:
		for _, argument := range c.Arguments.Items() {
			if !argument.IsText() {
				return invalidParams("the arguments of a prompt must be texts")
			}
		}
	case SetLevel:
		if levelIndex(c.Level) < 0 {
			return invalidParams("level is none of the levels of the protocol")
		}
	case Complete:
		if c.Prompt == "" && c.Template == "" || c.Argument == "" {
			return invalidParams("ref must name a prompt or a resource, and argument an argument")
		}
	case TaskCall:
		if c.What == MethodUpdateTask && c.Responses == nil {
			return invalidParams("inputResponses must be an object")
		}
	}
	return nil
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
