package mcp

import (
	"bytes"
	"strings"
)

// CallResult is what a tool has returned.
type CallResult struct {
	final
	Content []Content `mcp:"content,need"`
	// Structured is the result as JSON, or missing.
	Structured Value `mcp:"structuredContent"`
	// Failed says that the tool has failed, and that Content says why.
	Failed bool `mcp:"isError"`
}

// PromptResult is the messages of a prompt.
type PromptResult struct {
	final
	Description string          `mcp:"description,omit"`
	Messages    []PromptMessage `mcp:"messages,need"`
}

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	// Role is user or assistant.
	Role    string  `mcp:"role"`
	Content Content `mcp:"content"`
}

// ReadResult is the contents of a resource.
type ReadResult struct {
	final
	Contents []Contents `mcp:"contents,need"`
	Cache    Cache      `mcp:""`
}

// ParseOutcome reads the answer to a call. A [CallTool], a [GetPrompt] and a [ReadResource] may be
// answered by [InputRequired], and a CallTool by [TaskCreated] if the client has declared tasks. Any
// other call is answered by its one result. An answer of any other type is an error.
func ParseOutcome(call Call, declared ClientCapabilities, v Value) (Result, error) {
	_, tool := call.(CallTool)
	switch kind := v.Get("resultType"); {
	case !kind.Exists() || kind.Text() == typeComplete:
		return parseFinal(call, v)
	case kind.Text() == typeInput && mayAsk(call):
		return parseInputRequired(v)
	case kind.Text() == typeTask && tool && declared.Tasks:
		task, err := parseTask(v)
		return TaskCreated{Task: task}, err
	}
	return nil, errResultType
}

func mayAsk(call Call) bool {
	switch call.(type) {
	case CallTool, GetPrompt, ReadResource:
		return true
	}
	return false
}

func parseFinal(call Call, v Value) (Result, error) {
	switch c := call.(type) {
	case Discover:
		return result(ParseDiscovered(v))
	case Initialize:
		return result(ParseInitialized(v))
	case List:
		return parseListed(c.What, v)
	case CallTool:
		return result(ParseCallResult(v))
	case GetPrompt:
		return result(parsePromptResult(v))
	case ReadResource:
		return result(parseReadResult(v))
	case Complete:
		return result(ParseCompletion(v))
	case Listen:
		id, _ := ParseID(v.Get("_meta").Get(metaSubscription))
		return Listened{Subscription: id}, nil
	case TaskCall:
		if c.What == MethodTask {
			task, err := parseTask(v)
			return TaskState{Task: task}, err
		}
	}
	return Done{}, nil
}

// result makes a result and its error into an interface.
func result[R Result](r R, err error) (Result, error) { return r, err }

func parseListed(what string, v Value) (Result, error) {
	switch what {
	case MethodTools:
		return result(ParseTools(v))
	case MethodPrompts:
		return result(ParsePrompts(v))
	case MethodResources:
		return result(ParseResources(v))
	}
	return result(ParseTemplates(v))
}

// ParseCallResult reads what a tool has returned, also inside a task. The tool has run, so what it says is used in each
// form in which servers say it: content may be null, one block, one text, or a list with texts for blocks. It may be
// missing beside structured content. Structured content that is null is none.
func ParseCallResult(v Value) (r CallResult, err error) {
	_ = decode(v, &r)
	if r.Structured.IsNull() {
		r.Structured = Value{}
	}
	content := v.Get("content")
	switch {
	case content.IsList(), content.IsNull():
		r.Content = parseReturned(content.Items())
	case content.IsText(), content.hasText("type"):
		r.Content = parseReturned([]Value{content})
	case r.Structured.Exists():
		r.Content = []Content{}
	default:
		return r, errContent
	}
	return r, nil
}

// parseReturned reads blocks, and leaves out what is neither a block nor a text.
func parseReturned(items []Value) []Content {
	list := []Content{}
	for _, item := range items {
		if item.IsObject() {
			list = append(list, parseContent(item))
		} else if item.IsText() {
			block := TextContent(item.Text())
			var w writer
			block.encode(&w, "")
			block.Raw = w.made()
			list = append(list, block)
		}
	}
	return list
}

// Repeats says whether a block says nothing but what the structured content says. Servers repeat that as a text, for
// clients that know no other content: as JSON, in as many blocks as a list has elements, or without the one field into
// which they have put a value that is no object.
func (r CallResult) Repeats(block int) bool {
	c := r.Content[block]
	if c.Type != ContentText || !r.Structured.Exists() {
		return false
	}
	value := r.Structured
	if says(c.Text, value) {
		return true
	}
	if value.IsObject() && len(value.Items()) == 1 {
		value = value.Items()[0]
	}
	if says(c.Text, value) {
		return true
	}
	items := value.Items()
	return value.IsList() && len(items) == len(r.Content) && says(c.Text, items[block])
}

// says whether a text is a value: its JSON, or the text that it is.
func says(text string, value Value) bool {
	if text = strings.TrimSpace(text); text == "" || value.IsText() && text == strings.TrimSpace(value.Text()) {
		return true
	}
	v, err := Parse([]byte(text))
	return err == nil && bytes.Equal(canonical(nil, v), canonical(nil, value))
}

func parsePromptResult(v Value) (r PromptResult, err error) {
	if _ = decode(v, &r); r.Messages == nil {
		return r, errContent
	}
	return r, nil
}

func parseReadResult(v Value) (r ReadResult, err error) {
	if _ = decode(v, &r); r.Contents == nil {
		return r, errContent
	}
	return r, nil
}
