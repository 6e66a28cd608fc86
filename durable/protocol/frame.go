package protocol

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Frame is a parsed text message from a browser. The set is closed: the types of this file.
type Frame interface{ frame() }

// ChatRequest asks for an answer. Body is itself JSON text; see [ParseChatBody].
type ChatRequest struct {
	ID     string
	Method string
	Body   string
}

// Cancel stops the turn of a request.
type Cancel struct{ ID string }

// Clear empties the conversation.
type Clear struct{}

// PushMessages replaces the transcript by the client's list.
type PushMessages struct {
	// List is the client's whole list.
	List []Listed
	// texts are the messages in the list, as JSON.
	texts []string
}

// ResumeRequest asks whether there is a stream to attach to. It always gets an answer, which
// carries its ProbeID.
type ResumeRequest struct{ ProbeID string }

// ResumeAck says that the client is ready for the replay of a stream.
type ResumeAck struct{ ID string }

// SetState replaces the agent's state.
type SetState struct{ State json.RawMessage }

// Call calls a method of the agent.
type Call struct {
	ID     string
	Method string
	Args   []json.RawMessage
}

// ToolResult is the result of a tool in the browser. Several tabs may send one for the same call;
// the first one counts.
type ToolResult struct {
	CallID string
	// Output is JSON, or null if there is none. Failure then says why.
	Output  json.RawMessage
	Failure string
	// Continue says that the model goes on once all calls have results.
	Continue bool
}

// DeniedByUser is the failure of a result that says nothing else.
const DeniedByUser = "Tool execution denied by user"

// ToolApproval is a person's answer to a tool's request for approval.
type ToolApproval struct {
	CallID   string
	Approved bool
	// Reason says in words why the call is denied, or is "". The published client sends none.
	Reason string
	// Continue says that the model goes on once all calls have results.
	Continue bool
}

func (ChatRequest) frame()   {}
func (Cancel) frame()        {}
func (Clear) frame()         {}
func (PushMessages) frame()  {}
func (ResumeRequest) frame() {}
func (ResumeAck) frame()     {}
func (SetState) frame()      {}
func (Call) frame()          {}
func (ToolResult) frame()    {}
func (ToolApproval) frame()  {}

// FrameError says what is wrong with a frame. Its text is for the sender.
type FrameError struct {
	// Type is the frame's type, if it could be read.
	Type string
	// ID is the id of the request or call that waits for an answer, if there is one.
	ID     string
	Reason error
}

func (e *FrameError) Error() string { return e.Reason.Error() }

func (e *FrameError) Unwrap() error { return e.Reason }

// The types of incoming frames. Some are also sent.
const (
	typeChatRequest   = "cf_agent_use_chat_request"
	typeCancel        = "cf_agent_chat_request_cancel"
	typeClear         = "cf_agent_chat_clear"
	typeMessages      = "cf_agent_chat_messages"
	typeResumeRequest = "cf_agent_stream_resume_request"
	typeResumeAck     = "cf_agent_stream_resume_ack"
	typeState         = "cf_agent_state"
	typeCall          = "rpc"
	typeToolResult    = "cf_agent_tool_result"
	typeToolApproval  = "cf_agent_tool_approval"
)

// raw holds the fields of all frame types. Fields that are JSON share the memory of the frame's
// text.
type raw struct {
	Type, ID, ProbeID, Method     string
	ToolCallID, ErrorText, Reason string
	Args, State, Output           string
	Messages                      string
	Approved, AutoContinue, Init  bool
	InitMethod, InitBody          string
	// answered says that the frame has the field Approved.
	answered bool
}

// ParseFrame parses a text message. Its error is a [*FrameError].
//
// The text is scanned once and never decoded as a whole: a decoded list of a million elements would
// take fifty times its size, in an instance that other objects share.
func ParseFrame(text string) (Frame, error) {
	var r raw
	fail := func(format string, args ...any) (Frame, error) {
		return nil, &FrameError{Type: r.Type, ID: r.ID, Reason: fmt.Errorf(format, args...)}
	}
	switch {
	case len(text) > Limits.Frame:
		r.Type, r.ID = peek(text)
		return fail("frame of %d bytes, at most %d", len(text), Limits.Frame)
	case !utf8.ValidString(text):
		return fail("frame is not UTF-8")
	}
	elements, err := r.read(text)
	if errors.Is(err, errDeep) {
		r.Type, r.ID = peek(text)
	}
	switch {
	case len(r.ID) > Limits.ID:
		r.ID = ""
		return fail("id longer than %d bytes", Limits.ID)
	case err != nil:
		return fail("frame is not JSON of the right shape: %w", err)
	case max(len(r.ProbeID), len(r.Method), len(r.ToolCallID)) > Limits.ID:
		r.ID = ""
		return fail("id longer than %d bytes", Limits.ID)
	case elements > Limits.Elements:
		return fail("frame of %d elements, at most %d", elements, Limits.Elements)
	}
	for _, id := range []*string{&r.ID, &r.ProbeID, &r.Method, &r.ToolCallID} {
		*id = strings.Clone(*id) // it may be kept, and must not keep the whole frame in memory
	}
	frame, err := r.frame()
	if err != nil {
		return fail("%w", err)
	}
	return frame, nil
}

// read scans a frame and returns how many elements it has, without those of its messages. It
// reports a wrong field only after it has read all fields.
func (r *raw) read(text string) (elements int, wrong error) {
	s := &scanner{text: text}
	err := s.fields(func(name, value string) error {
		if name == "messages" {
			s.elements = elements
		}
		elements = s.elements
		if err := r.take(name, value); err != nil {
			wrong = fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err == nil {
		err = s.end()
	}
	return elements, cmp.Or(err, wrong)
}

// take reads one field.
func (r *raw) take(name, value string) error {
	switch name {
	case "type":
		return readText(value, &r.Type)
	case "id":
		return readText(value, &r.ID)
	case "probeId":
		return readText(value, &r.ProbeID)
	case "method":
		return readText(value, &r.Method)
	case "toolCallId":
		return readText(value, &r.ToolCallID)
	case "errorText":
		return readText(value, &r.ErrorText)
	case "reason":
		return readText(value, &r.Reason)
	case "args":
		r.Args = value
	case "state":
		r.State = value
	case "output":
		r.Output = value
	case "messages":
		r.Messages = value
	case "approved":
		r.answered = value != "null"
		return readBool(value, &r.Approved)
	case "autoContinue":
		return readBool(value, &r.AutoContinue)
	case "init":
		return r.readInit(value)
	}
	return nil
}

func (r *raw) readInit(value string) error {
	if value == "null" {
		return nil
	}
	r.Init = true
	var wrong error
	err := (&scanner{text: value}).fields(func(name, value string) error {
		switch name {
		case "method":
			wrong = cmp.Or(wrong, readText(value, &r.InitMethod))
		case "body":
			wrong = cmp.Or(wrong, readText(value, &r.InitBody))
		}
		return nil
	})
	return cmp.Or(err, wrong)
}

var (
	errNoText = errors.New("not a text")
	errNoBool = errors.New("not true or false")
	errNoList = errors.New("not a list")
)

// readText reads a value that must be a string or null.
func readText(value string, into *string) error {
	switch {
	case value == "null":
	case value[0] != '"':
		return errNoText
	default:
		*into = unquote(value)
	}
	return nil
}

// readBool reads a value that must be a boolean or null.
func readBool(value string, into *bool) error {
	if value != "true" && value != "false" && value != "null" {
		return errNoBool
	}
	*into = value == "true"
	return nil
}

func (r *raw) frame() (Frame, error) {
	switch r.Type {
	case typeChatRequest:
		if r.ID == "" || !r.Init {
			return nil, errors.New("chat request without id or init")
		}
		return ChatRequest{ID: r.ID, Method: r.InitMethod, Body: r.InitBody}, nil
	case typeCancel:
		return Cancel{ID: r.ID}, nil
	case typeClear:
		return Clear{}, nil
	case typeMessages:
		return pushed(r.Messages)
	case typeResumeRequest:
		return ResumeRequest{ProbeID: r.ProbeID}, nil
	case typeResumeAck:
		return ResumeAck{ID: r.ID}, nil
	case typeState:
		if r.State == "" {
			return nil, errors.New("state frame without state")
		}
		return SetState{State: json.RawMessage(r.State)}, nil
	case typeCall:
		if r.ID == "" || r.Method == "" {
			return nil, errors.New("rpc frame without id or method")
		}
		if len(r.Args) > Limits.Call {
			return nil, fmt.Errorf("args: %d bytes, at most %d", len(r.Args), Limits.Call)
		}
		args, err := splitList(r.Args, Limits.Args)
		if err != nil {
			return nil, fmt.Errorf("args: %w", err)
		}
		return Call{ID: r.ID, Method: r.Method, Args: args}, nil
	case typeToolResult:
		return r.toolResult()
	case typeToolApproval:
		if r.ToolCallID == "" || !r.answered {
			return nil, errors.New("tool approval without toolCallId or approved")
		}
		return ToolApproval{CallID: r.ToolCallID, Approved: r.Approved, Reason: r.Reason, Continue: r.AutoContinue}, nil
	}
	return nil, fmt.Errorf("unknown frame type %.40q", r.Type)
}

func pushed(text string) (Frame, error) {
	list, texts, err := readList(text)
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	return PushMessages{List: list, texts: texts}, nil
}

func (r *raw) toolResult() (Frame, error) {
	if r.ToolCallID == "" {
		return nil, errors.New("tool result without toolCallId")
	}
	t := ToolResult{CallID: r.ToolCallID, Output: json.RawMessage(cmp.Or(r.Output, "null")), Continue: r.AutoContinue}
	if r.State == `"output-error"` {
		t.Failure = cmp.Or(r.ErrorText, DeniedByUser)
	}
	return t, nil
}

// peek finds type and id near the ends of a frame that is not parsed completely, so that its sender
// can be told. The client puts them there.
func peek(text string) (kind, id string) {
	const near = 512
	head := text[:min(near, len(text))] + text[max(0, len(text)-near):]
	for _, known := range []string{typeChatRequest, typeCall} {
		if strings.Contains(head, `"type":"`+known+`"`) {
			kind = known
		}
	}
	if _, rest, ok := strings.Cut(head, `"id":"`); ok {
		id, _, _ = strings.Cut(rest, `"`)
	}
	return kind, id
}

// IsCall says whether the sender waits for the answer of a call.
func (e *FrameError) IsCall() bool { return e.Type == typeCall }

// IsChatRequest says whether the sender waits for the end of a request.
func (e *FrameError) IsChatRequest() bool { return e.Type == typeChatRequest }
