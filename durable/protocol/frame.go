package protocol

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Frame is a text message from a browser, parsed. The set is closed: the types
// of this file.
type Frame interface{ frame() }

// ChatRequest asks for an answer. Body is JSON text in its own right; see
// [ParseChatBody].
type ChatRequest struct {
	ID     string
	Method string
	Body   string
}

// Cancel stops the turn of a request.
type Cancel struct{ ID string }

// Clear empties the conversation.
type Clear struct{}

// PushMessages replaces the transcript by the client's own.
type PushMessages struct{ Messages []Message }

// ResumeRequest asks whether there is a stream to attach to. It is always
// answered, with its ProbeID.
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

// ToolResult is what a tool in the browser has returned. Several tabs may send one
// for the same call; the first counts.
type ToolResult struct {
	CallID string
	// Output is JSON, null where there is none; Failure says why there is none.
	Output  json.RawMessage
	Failure string
	// Continue says that the model shall go on once all calls are answered.
	Continue bool
}

// ToolApproval is a person's answer to a tool's request for approval.
type ToolApproval struct {
	CallID   string
	Approved bool
	// Continue says that the model shall go on once all calls are answered.
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
	// Type is the frame's type, where it could be read.
	Type string
	// ID is the request or call that waits for an answer, where there is one.
	ID     string
	Reason error
}

func (e *FrameError) Error() string { return e.Reason.Error() }

func (e *FrameError) Unwrap() error { return e.Reason }

// The types of the frames that come in. Some go out, too.
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

// raw holds every field that any frame has.
type raw struct {
	Type     string          `json:"type"`
	ID       string          `json:"id"`
	ProbeID  string          `json:"probeId"`
	Method   string          `json:"method"`
	Args     json.RawMessage `json:"args"`
	State    json.RawMessage `json:"state"`
	Messages json.RawMessage `json:"messages"`

	ToolCallID   string          `json:"toolCallId"`
	Output       json.RawMessage `json:"output"`
	ErrorText    string          `json:"errorText"`
	Approved     *bool           `json:"approved"`
	AutoContinue bool            `json:"autoContinue"`

	Init *struct {
		Method string `json:"method"`
		Body   string `json:"body"`
	} `json:"init"`
}

// ParseFrame parses a text message. Its error is a [*FrameError].
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
	text, body := lift(text, `""`, "init", "body")
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		var head struct{ Type, ID string }
		if json.Unmarshal([]byte(text), &head) == nil {
			r.Type, r.ID = head.Type, head.ID
		}
		return fail("frame is not JSON of the right shape: %w", err)
	}
	switch {
	case max(len(r.ID), len(r.ProbeID), len(r.Method), len(r.ToolCallID)) > Limits.ID:
		r.ID = ""
		return fail("id longer than %d bytes", Limits.ID)
	}
	if r.Init != nil && body != "" {
		if body[0] != '"' {
			return fail("frame is not JSON of the right shape: its body is no text")
		}
		r.Init.Body = unquote(body)
	}
	frame, err := r.frame()
	if err != nil {
		return fail("%w", err)
	}
	return frame, nil
}

func (r *raw) frame() (Frame, error) {
	switch r.Type {
	case typeChatRequest:
		if r.ID == "" || r.Init == nil {
			return nil, errors.New("chat request without id or init")
		}
		return ChatRequest{ID: r.ID, Method: r.Init.Method, Body: r.Init.Body}, nil
	case typeCancel:
		return Cancel{ID: r.ID}, nil
	case typeClear:
		return Clear{}, nil
	case typeMessages:
		messages, err := decodeMessages(r.Messages)
		return PushMessages{Messages: messages}, err
	case typeResumeRequest:
		return ResumeRequest{ProbeID: r.ProbeID}, nil
	case typeResumeAck:
		return ResumeAck{ID: r.ID}, nil
	case typeState:
		if r.State == nil {
			return nil, errors.New("state frame without state")
		}
		return SetState{State: r.State}, nil
	case typeCall:
		if r.ID == "" || r.Method == "" {
			return nil, errors.New("rpc frame without id or method")
		}
		args, err := decodeList(r.Args, Limits.Args)
		if err != nil {
			return nil, fmt.Errorf("args: %w", err)
		}
		return Call{ID: r.ID, Method: r.Method, Args: args}, nil
	case typeToolResult:
		return r.toolResult()
	case typeToolApproval:
		if r.ToolCallID == "" || r.Approved == nil {
			return nil, errors.New("tool approval without toolCallId or approved")
		}
		return ToolApproval{CallID: r.ToolCallID, Approved: *r.Approved, Continue: r.AutoContinue}, nil
	}
	return nil, fmt.Errorf("unknown frame type %.40q", r.Type)
}

func (r *raw) toolResult() (Frame, error) {
	if r.ToolCallID == "" {
		return nil, errors.New("tool result without toolCallId")
	}
	t := ToolResult{CallID: r.ToolCallID, Output: r.Output, Continue: r.AutoContinue}
	if t.Output == nil {
		t.Output = json.RawMessage("null")
	}
	if string(r.State) == `"output-error"` {
		t.Failure = cmp.Or(r.ErrorText, "Tool execution denied by user")
	}
	return t, nil
}

// peek finds type and id near the beginning of a frame that is too large to be
// parsed, so that its sender can be told. The client puts them at the ends.
func peek(text string) (kind, id string) {
	const near = 512
	head := text[:near] + text[len(text)-near:]
	if strings.Contains(head, typeChatRequest) {
		kind = typeChatRequest
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
