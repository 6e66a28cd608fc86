package protocol

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable/limit"
)

// compactedKey is the key in a message's metadata that lists what was shortened in the message.
const compactedKey = "compacted"

// compactTo is the size in bytes to which a field is shortened. The second size is used if the
// message is still too long after the first.
var compactTo = []int{2_000, 200}

// maxNotes is how many shortened fields a message's metadata names.
const maxNotes = 200

// Compacted describes a message's compaction. It is in the metadata, under "compacted".
type Compacted struct {
	// From is the message's original size in bytes.
	From int `json:"from"`
	// Fields are the fields that were shortened, up to a maximum number.
	Fields []CompactedField `json:"fields,omitempty"`
	// LeftOut is how many parts were removed, the oldest ones.
	LeftOut int `json:"leftOut,omitempty"`
}

// CompactedField is a field of a part that was shortened, and its original size in bytes.
type CompactedField struct {
	Part       int    `json:"part"`
	ToolCallID string `json:"toolCallId,omitempty"`
	Field      string `json:"field"`
	From       int    `json:"from"`
}

// The fields that are shortened, in this order: files, outputs of tools, errors of tools, reasoning,
// text, and inputs of tools.
var compactable = []string{fieldURL, "output", "errorText", PartReasoning, PartText, "input"}

// fieldURL is the field of a file that holds it. A shortened file is none, so leftOutURL takes its
// place.
const fieldURL = "url"

// leftOutURL is the URL of a file that a compaction has left out.
const leftOutURL = "data:,"

// Compact returns a message whose JSON has at most limit bytes. A longer message keeps its shape:
// its longest fields are shortened, files and those of tools first, and its metadata says which fields and
// how long they were. If that is not enough, the oldest parts are removed, except calls that wait
// for a result.
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

// size returns an upper bound of the message's size as JSON, in bytes.
func (m Message) size() int {
	n := len(m.ID) + len(m.Role) + len(m.Metadata) + len(`{"id":"","role":"","metadata":,"parts":[]}`)
	for _, raw := range m.Parts {
		n += len(raw) + len(",")
	}
	return n
}

// compaction is a message that is being shortened, with its approximate size.
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

// read takes over the metadata, including the notes of an earlier compaction.
func (c *compaction) read(metadata json.RawMessage) {
	if json.Unmarshal(metadata, &c.metadata) != nil || c.metadata == nil {
		c.metadata = map[string]json.RawMessage{}
	}
	if json.Unmarshal(c.metadata[compactedKey], &c.note) != nil {
		c.note = Compacted{}
	}
}

// shorten shortens one field of the parts, the longest first, until the message fits. At least
// least bytes of each stay.
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
		p.raw = limit.MustMarshal(p.Part)
		c.size += len(p.raw) - before
		c.noteField(CompactedField{Part: i, ToolCallID: p.ToolCallID, Field: field, From: from})
		if field == PartReasoning {
			c.unsign()
		}
	}
}

// unsign removes the provider's metadata from all reasoning parts, unless it holds for a shortened text
// too. The provider has signed the original text, and accepts either all reasoning of a step or none.
func (c *compaction) unsign() {
	for i := range c.parts {
		p := &c.parts[i]
		if p.Type != PartReasoning || len(p.Provider) == 0 || isPlain(p.Provider) {
			continue
		}
		before := len(p.raw)
		p.Provider = nil
		p.raw = foldPart{Part: p.Part, text: []byte(p.Text)}.encode()
		c.size += len(p.raw) - before
	}
}

// isPlain says whether the metadata of a reasoning part holds for a text that was shortened.
func isPlain(provider json.RawMessage) bool {
	var by map[string]struct {
		Plain bool `json:"plain"`
	}
	if json.Unmarshal(provider, &by) != nil {
		return false
	}
	for _, m := range by {
		return m.Plain
	}
	return false
}

// noteField notes a field that was shortened. A field that was noted before keeps its first note.
func (c *compaction) noteField(f CompactedField) {
	same := func(have CompactedField) bool { return have.Part == f.Part && have.Field == f.Field }
	if len(c.note.Fields) < maxNotes && !slices.ContainsFunc(c.note.Fields, same) {
		c.note.Fields = append(c.note.Fields, f)
		c.size += len(limit.MustMarshal(f)) + 1
	}
}

// length returns how long a field is, in bytes. It is 0 if the part has no such field, or if the
// field must not be shortened.
func (p Part) length(field string) int {
	switch field {
	case fieldURL:
		return len(p.URL)
	case "output":
		return len(p.Output)
	case "input":
		if p.ToolCallID != "" && p.Open() { // the call needs it
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

// cut shortens a field to about the given number of bytes.
func (p *Part) cut(field string, to int) {
	switch field {
	case fieldURL:
		p.URL = leftOutURL
	case "output":
		p.Output = shorten(p.Output, to)
	case "input":
		p.Input = shorten(p.Input, to)
		if p.Input[0] != '{' { // providers accept only objects
			p.Input = json.RawMessage(`{}`)
		}
	case "errorText":
		p.ErrorText = CutOff(p.ErrorText, to)
	default:
		p.Text = CutOff(p.Text, to)
	}
}

// leaveOut removes parts from the beginning until the message fits.
func (c *compaction) leaveOut() {
	if c.size <= c.limit {
		return
	}
	c.unsign()
	c.note.Fields = nil // their indexes are wrong now
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
	c.metadata[compactedKey] = limit.MustMarshal(c.note)
	m.Metadata = limit.MustMarshal(c.metadata)
	m.Parts = nil
	for _, p := range c.parts {
		m.Parts = append(m.Parts, p.raw)
	}
	return m
}
