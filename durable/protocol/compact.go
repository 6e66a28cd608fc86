package protocol

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// compactedKey is where a message's metadata says what was shortened in it.
const compactedKey = "compacted"

// compactTo is what is left at least of a field that is shortened, in bytes; first the
// one, and where the message is still too long, the other.
var compactTo = []int{2_000, 200}

// maxNotes is how many shortened fields a message's metadata names.
const maxNotes = 200

// Compacted is what a message's metadata says of its compaction, under "compacted".
type Compacted struct {
	// From is how many bytes the message has had.
	From int `json:"from"`
	// Fields are what was shortened, the first of them.
	Fields []CompactedField `json:"fields,omitempty"`
	// LeftOut is how many parts were left out altogether, the oldest.
	LeftOut int `json:"leftOut,omitempty"`
}

// CompactedField is a field of a part that was shortened, and how many bytes it has had.
type CompactedField struct {
	Part       int    `json:"part"`
	ToolCallID string `json:"toolCallId,omitempty"`
	Field      string `json:"field"`
	From       int    `json:"from"`
}

// The fields that are shortened, in this order: what tools have brought, what the model
// has thought, what it has said, and at last what it has asked for.
var compactable = []string{"output", "errorText", PartReasoning, PartText, "input"}

// Compact returns a message whose JSON has at most limit bytes. One that is longer keeps
// its shape: its longest fields are shortened, those of tools first, and its metadata
// says which, and how long they were. Only where that is not enough, its oldest parts
// are left out, but for calls that wait for somebody.
func Compact(m Message, limit int) Message {
	from := m.size()
	if from <= limit {
		return m
	}
	c := compaction{size: from + 100, limit: limit}
	for _, raw := range m.Parts {
		p, _ := ReadPart(raw)
		c.parts = append(c.parts, compactPart{Part: p, raw: raw})
	}
	c.read(m.Metadata)
	c.note.From = max(c.note.From, from)
	for _, least := range compactTo {
		for _, field := range compactable {
			c.shorten(field, least)
		}
	}
	c.leaveOut()
	return c.message(m)
}

// size is at least what the message has as JSON, in bytes.
func (m Message) size() int {
	n := len(m.ID) + len(m.Role) + len(m.Metadata) + len(`{"id":"","role":"","metadata":,"parts":[]}`)
	for _, raw := range m.Parts {
		n += len(raw) + len(",")
	}
	return n
}

// compaction is a message that is being shortened, and roughly its size.
type compaction struct {
	parts       []compactPart
	metadata    map[string]json.RawMessage
	note        Compacted
	size, limit int
}

type compactPart struct {
	Part
	raw json.RawMessage
}

// read takes over the metadata, also of what was shortened before.
func (c *compaction) read(metadata json.RawMessage) {
	if json.Unmarshal(metadata, &c.metadata) != nil || c.metadata == nil {
		c.metadata = map[string]json.RawMessage{}
	}
	if json.Unmarshal(c.metadata[compactedKey], &c.note) != nil {
		c.note = Compacted{}
	}
}

// shorten shortens one field of the parts, where it is longest first, until the message
// fits. Something is left of each.
func (c *compaction) shorten(field string, least int) {
	var long []int
	for i, p := range c.parts {
		if p.length(field) > least {
			long = append(long, i)
		}
	}
	slices.SortStableFunc(long, func(a, b int) int { return cmp.Compare(c.parts[b].length(field), c.parts[a].length(field)) })
	for _, i := range long {
		if c.size <= c.limit {
			return
		}
		p := &c.parts[i]
		from, before := p.length(field), len(p.raw)
		p.cut(field, max(least, from-(c.size-c.limit)-least))
		p.raw = mustMarshal(p.Part)
		c.size += len(p.raw) - before
		c.tell(CompactedField{Part: i, ToolCallID: p.ToolCallID, Field: field, From: from})
		if field == PartReasoning {
			c.unsign()
		}
	}
}

// unsign takes from the thoughts what their provider wants to see again: it has signed them
// as they were, and takes back either all of a step's or none.
func (c *compaction) unsign() {
	for i := range c.parts {
		p := &c.parts[i]
		if p.Type != PartReasoning || len(p.Provider) == 0 {
			continue
		}
		before := len(p.raw)
		p.Provider = nil
		p.raw = foldPart{Part: p.Part, text: []byte(p.Text)}.encode()
		c.size += len(p.raw) - before
	}
}

// tell notes what was shortened. What was shortened before keeps what was said of it.
func (c *compaction) tell(f CompactedField) {
	same := func(have CompactedField) bool { return have.Part == f.Part && have.Field == f.Field }
	if len(c.note.Fields) < maxNotes && !slices.ContainsFunc(c.note.Fields, same) {
		c.note.Fields = append(c.note.Fields, f)
		c.size += len(mustMarshal(f)) + 1
	}
}

// length is how long a field is, in bytes; 0 where the part has none of that name, or none
// that may be shortened.
func (p Part) length(field string) int {
	switch field {
	case "output":
		return len(p.Output)
	case "input":
		if p.ToolCallID != "" && p.Open() { // it has still to be used
			return 0
		}
		return len(p.Input)
	case "errorText":
		return len(p.ErrorText)
	case p.Type: // text or reasoning
		return len(p.Text)
	}
	return 0
}

// cut shortens a field to about so many bytes.
func (p *Part) cut(field string, to int) {
	switch field {
	case "output":
		p.Output = shorten(p.Output, to)
	case "input":
		p.Input = shorten(p.Input, to)
		if p.Input[0] != '{' { // providers take nothing else
			p.Input = json.RawMessage(`{}`)
		}
	case "errorText":
		p.ErrorText = CutOff(p.ErrorText, to)
	default:
		p.Text = CutOff(p.Text, to)
	}
}

// leaveOut leaves out parts from the beginning, until the message fits.
func (c *compaction) leaveOut() {
	if c.size <= c.limit {
		return
	}
	c.unsign()
	c.note.Fields = nil // their places are no longer right
	var kept []compactPart
	left := 0
	for _, p := range c.parts {
		if c.size > c.limit && !(p.ToolCallID != "" && p.Open()) {
			c.size -= len(p.raw) + 1
			left++
			continue
		}
		kept = append(kept, p)
	}
	c.note.LeftOut += left
	words := fmt.Sprintf("(%d parts were left out here)", c.note.LeftOut)
	c.parts = append([]compactPart{{raw: UserMessage("", words).Parts[0]}}, kept...)
}

func (c *compaction) message(m Message) Message {
	c.metadata[compactedKey] = mustMarshal(c.note)
	m.Metadata = mustMarshal(c.metadata)
	m.Parts = nil
	for _, p := range c.parts {
		m.Parts = append(m.Parts, p.raw)
	}
	return m
}
