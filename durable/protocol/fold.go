package protocol

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/tributary-agents/tributary/durable/limit"
)

// Fold builds a message from the chunks of its stream, in the same way as the published client does
// for a stream that it watches.
type Fold struct {
	id       string
	parts    []foldPart
	metadata map[string]json.RawMessage
	bytes    int
	// outputs is how many of the bytes are outputs and errors of tools, and data those of data parts, of
	// files and the others of calls that code has made.
	outputs, data int
	// foreign says that the last chunk of a call was about a call of another message. A file that
	// follows it is the other message's too.
	foreign bool
}

// foldPart is a part that is being built, or a part of an earlier message, kept raw.
type foldPart struct {
	Part
	text []byte
	raw  json.RawMessage
}

// NewFold returns a fold into an empty message.
func NewFold() *Fold { return &Fold{} }

// Continue returns a fold that extends m. Its chunks cannot rename the message.
func Continue(m Message) *Fold {
	f := &Fold{id: m.ID}
	for _, raw := range m.Parts {
		part := foldPart{raw: raw}
		if p, err := ReadPart(raw); err == nil && p.ToolCallID != "" { // the result of an open call may still come
			part = foldPart{Part: p}
			f.outputs += len(p.Output) + len(p.ErrorText)
			if p.IsCodeCall() {
				f.data += len(raw) - len(p.Output) - len(p.ErrorText)
			}
		} else if err == nil && (strings.HasPrefix(p.Type, PartData) || p.Type == PartFile) { // later chunks may replace data
			p.URL = "" // it is kept in raw
			part.Part = p
			f.data += len(raw)
		}
		f.parts = append(f.parts, part)
		f.bytes += len(raw)
	}
	f.mergeMetadata(m.Metadata)
	return f
}

// Apply adds one chunk to the message. Chunks of unknown types change nothing.
func (f *Fold) Apply(c Chunk) {
	switch c.Type {
	case ChunkStart:
		if f.id == "" {
			f.id = c.MessageID
		}
		f.mergeMetadata(c.MessageMetadata)
	case ChunkStartStep:
		f.push(Part{Type: PartStepStart})
	case ChunkTextStart:
		f.push(Part{Type: PartText, State: "streaming"})
	case ChunkReasoningStart:
		f.push(Part{Type: PartReasoning, State: "streaming"})
	case ChunkTextDelta:
		f.grow(PartText, c.Delta)
	case ChunkReasoningDelta:
		f.grow(PartReasoning, c.Delta)
	case ChunkTextEnd:
		f.end(PartText)
	case ChunkReasoningEnd:
		f.end(PartReasoning)
		f.provide(c.Provider)
	case ChunkToolInputStart, ChunkToolInput, ChunkToolInputError, ChunkToolOutput, ChunkToolOutputError,
		ChunkToolApproval, ChunkToolApproved, ChunkToolDenied:
		f.applyTool(c)
	case ChunkFinish, ChunkMessageMetadata:
		f.mergeMetadata(c.MessageMetadata)
	default:
		if strings.HasPrefix(c.Type, PartData) || c.Type == ChunkFile && !f.foreign {
			f.applyData(c)
		}
	}
}

// applyData adds a data part, or replaces the one with the same type and id. It adds files too.
func (f *Fold) applyData(c Chunk) {
	p := f.dataPart(c.Type, c.ID)
	before := 0
	if p == nil {
		p = f.push(Part{Type: c.Type, ID: c.ID})
		f.data += partSize + len(c.ID)
		f.bytes += len(c.ID)
	} else {
		before = len(p.Data)
	}
	p.Data, p.URL, p.MediaType, p.raw = c.Data, c.URL, c.MediaType, nil
	more := len(c.Data) + len(c.URL) - before
	f.bytes += more
	f.data += more
}

// dataPart returns the data part of a type and id, or nil. A part without an id is never replaced.
func (f *Fold) dataPart(kind, id string) *foldPart {
	if id == "" {
		return nil
	}
	for i := range f.parts {
		if f.parts[i].ID == id && f.parts[i].Type == kind {
			return &f.parts[i]
		}
	}
	return nil
}

// HasData says whether the message has a data part of a type and id.
func (f *Fold) HasData(kind, id string) bool { return f.dataPart(kind, id) != nil }

// Count returns how many parts of a type the message has.
func (f *Fold) Count(kind string) (n int) {
	for _, p := range f.parts {
		if p.Type == kind {
			n++
		}
	}
	return n
}

// Steps returns the steps that the message shows.
func (f *Fold) Steps() (steps []StepData) {
	for _, p := range f.parts {
		var s StepData
		if p.Type == ChunkStep && json.Unmarshal(p.Data, &s) == nil {
			steps = append(steps, s)
		}
	}
	return steps
}

// Bytes returns the approximate size of the message's JSON.
func (f *Fold) Bytes() int { return f.bytes }

// Outputs returns how many of these bytes are outputs and errors of tools.
func (f *Fold) Outputs() int { return f.outputs }

// Said returns how many of these bytes are the model's or the program's text, reasoning and tool
// inputs.
func (f *Fold) Said() int { return f.bytes - f.outputs - f.data }

// Message returns the message so far. Parts whose end has not come are marked done as well, because
// this message will be stored.
func (f *Fold) Message() Message {
	m := Message{ID: f.id, Role: RoleAssistant, Parts: []json.RawMessage{}}
	if len(f.metadata) > 0 {
		m.Metadata = limit.MustMarshal(f.metadata)
	}
	for _, p := range f.parts {
		m.Parts = append(m.Parts, p.encode())
	}
	return m
}

func (p foldPart) encode() json.RawMessage {
	if p.raw != nil {
		return p.raw
	}
	if p.Type == PartStepStart {
		return json.RawMessage(`{"type":"step-start"}`)
	}
	if p.ToolCallID != "" || p.Type == PartFile || strings.HasPrefix(p.Type, PartData) {
		return limit.MustMarshal(p.Part)
	}
	b := append([]byte(`{"type":"`), p.Type...)
	b = append(b, `","text":`...)
	b = AppendQuoted(b, p.text)
	b = append(b, `,"state":"done"`...)
	if len(p.Provider) > 0 {
		b = append(append(b, `,"providerMetadata":`...), p.Provider...)
	}
	return append(b, '}')
}

// partSize is about what the JSON of a part has beside its content, in bytes.
const partSize = 32

func (f *Fold) push(p Part) *foldPart {
	f.parts = append(f.parts, foldPart{Part: p})
	f.bytes += partSize
	return &f.parts[len(f.parts)-1]
}

// grow appends to the last part of a type, as the client does: it ignores the ids of parts, and
// makes a new part for a delta without one.
func (f *Fold) grow(kind, delta string) {
	f.bytes += len(delta) + 5*escapes(delta)
	p := f.last(kind)
	if p == nil {
		p = f.push(Part{Type: kind, State: "streaming"})
	}
	p.text = append(p.text, delta...)
}

// escapes counts the bytes that take up to six bytes each in JSON.
func escapes(s string) (n int) {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == '"' || s[i] == '\\' {
			n++
		}
	}
	return n
}

func (f *Fold) end(kind string) {
	if p := f.last(kind); p != nil {
		p.State = "done"
	}
}

// provide keeps the provider's metadata of the reasoning part that has ended.
func (f *Fold) provide(provider json.RawMessage) {
	p := f.last(PartReasoning)
	if p == nil || len(provider) == 0 {
		return
	}
	p.Provider = provider
	f.bytes += len(provider)
}

func (f *Fold) last(kind string) *foldPart {
	for i := len(f.parts) - 1; i >= 0; i-- {
		if f.parts[i].Type == kind {
			return &f.parts[i]
		}
	}
	return nil
}

func (f *Fold) mergeMetadata(raw json.RawMessage) {
	var more map[string]json.RawMessage
	if json.Unmarshal(raw, &more) != nil {
		return // metadata that is no object cannot be merged; the client ignores it too
	}
	if f.metadata == nil {
		f.metadata = map[string]json.RawMessage{}
	}
	maps.Copy(f.metadata, more)
}
