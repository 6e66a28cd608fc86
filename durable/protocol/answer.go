package protocol

import (
	"encoding/json"
	"strconv"

	"github.com/tributary-agents/tributary/durable/limit"
)

// This file writes the frames that go out.

// Response is a frame of a turn's stream: one chunk, or the end.
type Response struct {
	ID   string
	Body []byte
	Done bool
	// Error says that Body is an error's text.
	Error bool
	// Continuation says that the stream extends the last assistant message.
	Continuation bool
	// Replay says that the frame comes from storage, for one connection.
	Replay bool
	// ReplayComplete ends the stored part. Live chunks follow.
	ReplayComplete bool
	// Seq is the chunk's index in its stream, or -1 if it has none.
	Seq int64
	// MessageIDs are the ids of the user messages that the turn answers.
	MessageIDs []string
	Outcome    Outcome
}

// Outcome is how a turn ended.
type Outcome string

// The outcomes of a turn.
const (
	Completed Outcome = "completed"
	Failed    Outcome = "error"
	Aborted   Outcome = "aborted"
	Skipped   Outcome = "skipped"
)

// Encode returns the frame's text.
func (r Response) Encode() string {
	b := make([]byte, 0, len(r.Body)*5/4+128)
	b = append(b, `{"type":"cf_agent_use_chat_response","id":`...)
	b = AppendQuoted(b, r.ID)
	b = append(b, `,"body":`...)
	b = AppendQuoted(b, r.Body)
	b = append(b, `,"done":`...)
	b = strconv.AppendBool(b, r.Done)
	for _, flag := range []struct {
		name string
		set  bool
	}{{"error", r.Error}, {"continuation", r.Continuation}, {"replay", r.Replay}, {"replayComplete", r.ReplayComplete}} {
		if flag.set {
			b = append(b, `,"`+flag.name+`":true`...)
		}
	}
	if r.Seq >= 0 && !r.Done && !r.ReplayComplete {
		b = append(b, `,"seq":`...)
		b = strconv.AppendInt(b, r.Seq, 10)
	}
	if r.Outcome != "" {
		b = append(b, `,"outcome":"`+string(r.Outcome)+`"`...)
	}
	if len(r.MessageIDs) > 0 {
		b = append(b, `,"messageIds":`...)
		b = append(b, limit.MustMarshal(r.MessageIDs)...)
	}
	return string(append(b, '}'))
}

// Transcript is the whole conversation, which replaces the client's list. Each of messages is a
// message's JSON. onConnect marks the transcript that is sent because a socket connected: only that
// one leaves the client's queued messages in place.
func Transcript(messages []string, onConnect bool) string {
	b := appendList([]byte(`{"type":"`+typeMessages+`","messages":`), messages)
	if onConnect {
		b = append(b, `,"connect":true`...)
	}
	return string(append(b, '}'))
}

// MessageList is the answer of get-messages: a JSON array.
func MessageList(messages []string) []byte { return appendList(nil, messages) }

func appendList(b []byte, messages []string) []byte {
	b = append(b, '[')
	for i, m := range messages {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, m...)
	}
	return append(b, ']')
}

// Identity tells a client which agent it is connected to. stateFollows says that a state frame
// comes next.
func Identity(name, agent string, stateFollows bool) string {
	return encode(struct {
		Type         string `json:"type"`
		Name         string `json:"name"`
		Agent        string `json:"agent"`
		StateFollows bool   `json:"stateFollows,omitempty"`
	}{"cf_agent_identity", name, agent, stateFollows})
}

// State is the agent's state.
func State(state json.RawMessage) string {
	return encode(struct {
		Type  string          `json:"type"`
		State json.RawMessage `json:"state"`
	}{typeState, state})
}

// StateError refuses a client's state.
func StateError(reason string) string {
	return encode(struct {
		Type  string `json:"type"`
		Error string `json:"error"`
	}{"cf_agent_state_error", reason})
}

// MessageUpdated replaces one message in place.
func MessageUpdated(m Message) string {
	return encode(struct {
		Type    string          `json:"type"`
		Message json.RawMessage `json:"message"`
	}{"cf_agent_message_updated", m.Encode()})
}

// Recovering says that a turn was interrupted and will resume, or that it no longer will.
func Recovering(id string, recovering bool) string {
	return encode(struct {
		Type       string `json:"type"`
		Recovering bool   `json:"recovering"`
		ID         string `json:"id"`
	}{"cf_agent_chat_recovering", recovering, id})
}

// Cleared empties a client's list.
const Cleared = `{"type":"` + typeClear + `"}`

// Resuming offers a stream. probe is the id of the probe that it answers, or "".
func Resuming(id, probe string) string { return offer("cf_agent_stream_resuming", id, probe, "") }

// Pending answers a probe if a turn is waiting whose stream has not begun.
func Pending(id, probe string) string { return offer("cf_agent_stream_pending", id, probe, "") }

// NoStream tells the connections that wait for a stream that it will not begin.
const NoStream = `{"type":"cf_agent_stream_resume_none"}`

// Idle answers a probe if there is no stream to attach to.
func Idle(probe string) string { return offer("cf_agent_stream_resume_none", "", probe, "idle") }

func offer(kind, id, probe, reason string) string {
	return encode(struct {
		Type    string `json:"type"`
		ID      string `json:"id,omitempty"`
		Reason  string `json:"reason,omitempty"`
		ProbeID string `json:"probeId,omitempty"`
	}{kind, id, reason, probe})
}

// CallResult answers a call. A nil result is left out. done is false for each piece of a streamed
// result.
func CallResult(id string, result json.RawMessage, done bool) string {
	return encode(struct {
		Type    string          `json:"type"`
		ID      string          `json:"id"`
		Success bool            `json:"success"`
		Done    bool            `json:"done"`
		Result  json.RawMessage `json:"result,omitempty"`
	}{typeCall, id, true, done, result})
}

// CallError answers a call that failed.
func CallError(id, reason string) string {
	return encode(struct {
		Type    string `json:"type"`
		ID      string `json:"id"`
		Success bool   `json:"success"`
		Error   string `json:"error"`
	}{typeCall, id, false, reason})
}

// Error tells the sender of a frame what was wrong with it. Clients ignore its type; it is for a
// person who reads the socket.
func Error(reason string) string {
	return encode(struct {
		Type  string `json:"type"`
		Error string `json:"error"`
	}{"tributary_error", reason})
}

// AnswerRefused tells a client that its answer to a question was not taken, and why.
type AnswerRefused struct {
	Call   string
	Reason string
	// Over says that the question is no longer open: since OverAt, in milliseconds since 1970 or 0,
	// and by the answer of a person, who may be known.
	Over   bool
	OverAt int64
	By     string
}

// Encode returns the frame.
func (a AnswerRefused) Encode() string {
	return encode(struct {
		Type   string `json:"type"`
		Error  string `json:"error"`
		CallID string `json:"toolCallId"`
		Over   bool   `json:"over,omitempty"`
		By     string `json:"by,omitempty"`
		At     int64  `json:"at,omitempty"`
	}{"tributary_error", a.Reason, a.Call, a.Over, a.By, a.OverAt})
}

func encode(v any) string { return string(limit.MustMarshal(v)) }
