package protocol

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/limit"
)

// applyTool adds a chunk that belongs to a tool call. A part never returns to an earlier state. The
// output of an unknown call is ignored.
func (f *Fold) applyTool(c Chunk) {
	p := f.tool(c.ToolCallID)
	f.foreign = p == nil
	switch c.Type {
	case ChunkToolInputStart:
		if p == nil {
			f.pushTool(c, InputStreaming)
		}
	case ChunkToolInput:
		if p == nil {
			p = f.pushTool(c, InputAvailable)
		}
		if len(c.Provider) > 0 {
			p.Caller = c.Provider
		}
		if p.State == InputStreaming || p.Input == nil {
			p.State, p.Input = InputAvailable, c.Input
		}
	case ChunkToolInputError:
		if p == nil {
			p = f.pushTool(c, InputAvailable)
		}
		if p.State != OutputAvailable && p.State != OutputError {
			p.State, p.Input, p.ErrorText, p.ResultProvider = OutputError, c.Input, c.ErrorText, c.Provider
		}
	case ChunkToolOutput:
		if p != nil {
			p.State, p.Output, p.ResultProvider = OutputAvailable, c.Output, c.Provider
		}
	case ChunkToolOutputError:
		if p != nil {
			p.State, p.ErrorText = OutputError, c.ErrorText
		}
	case ChunkToolApproval:
		if p != nil && p.State == InputAvailable {
			p.State, p.Approval = ApprovalRequested, &Approval{ID: c.ApprovalID, Descriptor: c.Descriptor}
		}
	case ChunkToolApproved:
		if p != nil && p.State == ApprovalRequested {
			p.State, p.Approval = ApprovalResponded, p.Approval.answered(c)
		}
	case ChunkToolDenied:
		if p != nil && p.State == ApprovalRequested {
			denied := false
			c.Approved = &denied
			p.State, p.Approval = OutputDenied, p.Approval.answered(c)
		}
	}
	size := len(c.Input) + len(c.Output) + len(c.ErrorText) + len(c.Provider) + len(c.Descriptor) + len(c.Reason)
	outputs := len(c.Output) + len(c.ErrorText)
	f.bytes += size
	f.outputs += outputs
	if p != nil && p.IsCodeCall() {
		f.data += size - outputs
	}
}

// answered returns a request with the answer that a chunk holds.
func (a Approval) answered(c Chunk) *Approval {
	a.Approved, a.Automatic, a.Reason = c.Approved, c.Automatic, c.Reason
	return &a
}

func (f *Fold) tool(call string) *foldPart {
	for i := range f.parts {
		if f.parts[i].ToolCallID == call {
			return &f.parts[i]
		}
	}
	return nil
}

func (f *Fold) pushTool(c Chunk, state string) *foldPart {
	f.bytes += 2*len(c.ToolName) + len(c.ToolCallID) + 100
	return f.push(Part{Type: PartTool + c.ToolName, ToolCallID: c.ToolCallID, ToolName: c.ToolName, State: state})
}

// OpenCalls returns the ids of the tool calls that have no result yet, in order.
func (f *Fold) OpenCalls() []string {
	var open []string
	for _, p := range f.parts {
		if p.ToolCallID != "" && p.Open() {
			open = append(open, p.ToolCallID)
		}
	}
	return open
}

// Calls returns the ids of all tool calls, in order.
func (f *Fold) Calls() []string {
	var ids []string
	for _, p := range f.parts {
		if p.ToolCallID != "" {
			ids = append(ids, p.ToolCallID)
		}
	}
	return ids
}

// Call returns the part of a tool call.
func (f *Fold) Call(id string) (Part, bool) {
	if p := f.tool(id); p != nil && id != "" {
		return p.Part, true
	}
	return Part{}, false
}

// Open says whether a tool's part still waits for its result.
func (p Part) Open() bool {
	switch p.State {
	case InputStreaming, InputAvailable, ApprovalRequested, ApprovalResponded:
		return true
	}
	return false
}

// MadeByCode says whether the part was made by code, and not by a model.
func (p Part) MadeByCode() bool { return IsCaller(p.Caller) }

// IsCaller says whether the metadata of a call is that of [Caller]. Else it is of the model's provider.
func IsCaller(metadata json.RawMessage) bool {
	var m struct{ Tributary json.RawMessage }
	return len(metadata) > 0 && json.Unmarshal(metadata, &m) == nil && len(m.Tributary) > 0
}

// CallProvider returns the metadata of a model's call that the model's provider needs again, or nil.
func (p Part) CallProvider() json.RawMessage {
	switch {
	case p.MadeByCode():
		return nil
	case len(p.Caller) == 0 && p.State == OutputError && !p.WasReplayed(): // clients keep that of an input that cannot be used with its error
		return p.ResultProvider
	}
	return p.Caller
}

// IsCodeCall says whether the part is a call of a tool that code has made, and not a question.
func (p Part) IsCodeCall() bool { return p.MadeByCode() && p.ToolName != AskTool }

// Caller returns the metadata of a call that code has made: a question to a person. Its part is
// shown below the call of a tool whose code has made it, and no model is told of it. call is "" for
// a program.
func Caller(call string) json.RawMessage {
	var m struct {
		Tributary struct {
			Parent string `json:"parent,omitempty"`
		} `json:"tributary"`
	}
	m.Tributary.Parent = call
	return limit.MustMarshal(m)
}

// AskTool is the name of the tool in the part of a question.
const AskTool = "ask"

// Replayed is the metadata of an output that is the result of an earlier call: nothing was done
// again.
var Replayed = json.RawMessage(`{"tributary":{"replayed":true}}`)

// WasReplayed says whether the part's output is that of an earlier call.
func (p Part) WasReplayed() bool {
	var m struct{ Tributary struct{ Replayed bool } }
	return len(p.ResultProvider) > 0 && json.Unmarshal(p.ResultProvider, &m) == nil && m.Tributary.Replayed
}

// ReadPart reads a part of a message.
func ReadPart(raw json.RawMessage) (Part, error) {
	var p Part
	err := json.Unmarshal(raw, &p)
	return p, err
}

// headOfPart is how many bytes at the beginning of a part are searched first for its type.
const headOfPart = 256

// PartType returns the type of a message's part, and skips the rest, because decoding one megabyte
// costs as much as a hundred short messages. Clients write the type first, so the rest is rarely
// copied.
func PartType(raw json.RawMessage) (kind string) {
	value := field(string(raw[:min(len(raw), headOfPart)]), "type")
	if value == "" {
		value = field(string(raw), "type")
	}
	if value != "" {
		_ = readText(value, &kind) // a value that is no string is no type
	}
	return kind
}

// TextOf returns the text of a message's part, or "" if the part is no text.
func TextOf(raw json.RawMessage) string {
	var kind, text string
	s := &scanner{text: string(raw)}
	err := s.fields(func(name, value string) error {
		switch name {
		case "type":
			return readText(value, &kind)
		case "text":
			return readText(value, &text)
		}
		return nil
	})
	if err != nil || kind != PartText {
		return ""
	}
	return text
}
