package browser

import (
	"bytes"
	"encoding/json"
)

// frame has all fields that the client reads in frames.
type frame struct {
	Type             string          `json:"type"`
	ID               string          `json:"id"`
	Body             string          `json:"body"`
	Done             bool            `json:"done"`
	Error            json.RawMessage `json:"error"`
	Replay           bool            `json:"replay"`
	ReplayComplete   bool            `json:"replayComplete"`
	Continuation     bool            `json:"continuation"`
	Outcome          string          `json:"outcome"`
	Messages         json.RawMessage `json:"messages"`
	Message          json.RawMessage `json:"message"`
	Connect          bool            `json:"connect"`
	Recovering       bool            `json:"recovering"`
	Reason           string          `json:"reason"`
	ProbeID          string          `json:"probeId"`
	MessageIDs       []string        `json:"messageIds"`
	Event            json.RawMessage `json:"event"`
	Seq              *int64          `json:"seq"`
	Sequence         json.Number     `json:"sequence"`
	ParentToolCallID string          `json:"parentToolCallId"`
}

// failed says whether a response frame reports an error.
func (f frame) failed() bool { return string(f.Error) == "true" }

// chunk reads the chunk in a frame's body, if it has one.
func (f frame) chunk() (chunk, bool) {
	var c chunk
	if f.Body == "" || json.Unmarshal([]byte(f.Body), &c) != nil {
		return chunk{}, false
	}
	return c, true
}

const (
	frameRequest  = "cf_agent_use_chat_request"
	frameResponse = "cf_agent_use_chat_response"
	frameCancel   = "cf_agent_chat_request_cancel"
	frameClear    = "cf_agent_chat_clear"
	frameMessages = "cf_agent_chat_messages"
	frameUpdated  = "cf_agent_message_updated"
	frameProbe    = "cf_agent_stream_resume_request"
	frameApproval = "cf_agent_tool_approval"
	frameAck      = "cf_agent_stream_resume_ack"
	frameResuming = "cf_agent_stream_resuming"
	framePending  = "cf_agent_stream_pending"
	frameNone     = "cf_agent_stream_resume_none"
	frameRecovers = "cf_agent_chat_recovering"
	frameIdentity = "cf_agent_identity"
	frameTool     = "agent-tool-event"
)

// encode writes JSON as a browser does, without escaping <, > and &.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("browser: " + err.Error())
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
