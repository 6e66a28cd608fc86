package client

import (
	"crypto/rand"
	"encoding/json"
)

// The types of frames.
const (
	typeRequest   = "cf_agent_use_chat_request"
	typeResponse  = "cf_agent_use_chat_response"
	typeCancel    = "cf_agent_chat_request_cancel"
	typeMessages  = "cf_agent_chat_messages"
	typeProbe     = "cf_agent_stream_resume_request"
	typeAck       = "cf_agent_stream_resume_ack"
	typeResuming  = "cf_agent_stream_resuming"
	typePending   = "cf_agent_stream_pending"
	typeNone      = "cf_agent_stream_resume_none"
	typeIdentity  = "cf_agent_identity"
	typeApproval  = "cf_agent_tool_approval"
	typeCall      = "rpc"
	typeToolEvent = "agent-tool-event"
)

// incoming is a frame of the server, with the fields of all types that are read.
type incoming struct {
	Type           string          `json:"type"`
	ID             string          `json:"id"`
	ProbeID        string          `json:"probeId"`
	Body           string          `json:"body"`
	Done           *bool           `json:"done"`
	Error          json.RawMessage `json:"error"` // true in a response, a text in the answer to a call
	Replay         bool            `json:"replay"`
	Seq            *int64          `json:"seq"`
	Outcome        string          `json:"outcome"`
	Success        bool            `json:"success"`
	Result         json.RawMessage `json:"result"`
	ParentToolCall string          `json:"parentToolCallId"`
	Sequence       int64           `json:"sequence"`
	Event          wireEvent       `json:"event"`
	Messages       []struct {
		ID string `json:"id"`
	} `json:"messages"`
	size int // of the frame, in bytes
}

// decode decodes a frame, and says whether it is well formed.
func decode(text []byte) (f incoming, ok bool) {
	ok = json.Unmarshal(text, &f) == nil
	f.size = len(text)
	return f, ok
}

// done says whether the frame is the last one of its request or call.
func (f incoming) done() bool { return f.Done != nil && *f.Done }

// failed says whether the frame of a stream is an error.
func (f incoming) failed() bool { return string(f.Error) == "true" }

// outgoing is a frame for the server.
type outgoing map[string]any

func (f outgoing) encode() []byte {
	text, err := json.Marshal(f)
	if err != nil {
		panic("client: " + err.Error()) // the values are texts, booleans and JSON that was encoded before
	}
	return text
}

func cancelFrame(id string) []byte { return outgoing{"type": typeCancel, "id": id}.encode() }
func ackFrame(id string) []byte    { return outgoing{"type": typeAck, "id": id}.encode() }

// newID returns an id that nobody else has.
func newID() string { return rand.Text() }
