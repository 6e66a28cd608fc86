package browser

import (
	"fmt"
	"slices"
	"strings"
)

// building is a message that the AI SDK builds from the chunks of a stream that it reads itself: a
// stream that the tab requested or resumed. It is strict: an unexpected chunk throws.
type building struct {
	message *Message
	// open are the growing parts, by their type and the id in their chunks. begun are the calls whose
	// input streams.
	open  map[string]*Part
	begun map[string]bool
	// resumed says that a start chunk with another id discards what was built.
	resumed bool
}

func newBuilding(id string, resumed bool) *building {
	return &building{
		message: &Message{ID: id, Role: assistant, Parts: []*Part{}}, open: map[string]*Part{}, begun: map[string]bool{}, resumed: resumed,
	}
}

// thrown is an error with the AI SDK's own text, which a page shows.
type thrown string

func (t thrown) Error() string { return string(t) }

// effect is what a chunk changes in the tab.
type effect int

const (
	// silent chunks change nothing that is shown.
	silent effect = iota
	// quiet chunks change the message. loud chunks change the tab's status too.
	quiet
	loud
)

func (b *building) apply(c chunk) (effect, error) {
	switch c.Type {
	case "start":
		return b.start(c), nil
	case "start-step":
		b.push(&Part{Type: partStep})
		return silent, nil
	case "finish-step": // AI SDK 6 forgets what is open; 7 does not
		clear(b.open)
		return silent, nil
	case "finish", "message-metadata":
		if len(c.MessageMetadata) == 0 {
			return silent, nil
		}
		b.message.Metadata = merge(b.message.Metadata, c.MessageMetadata)
		return loud, nil
	case "error":
		return silent, fmt.Errorf("%s", c.ErrorText)
	}
	kind, verb, _ := strings.Cut(c.Type, "-")
	switch kind {
	case partText, partReasoning:
		return b.grow(kind, verb, c)
	case "tool":
		return b.tool(c)
	case "data":
		return b.data(c), nil
	case partFile:
		b.push(c.file())
		return loud, nil
	}
	return silent, nil
}

func (b *building) start(c chunk) effect {
	if b.resumed && c.MessageID != nil && *c.MessageID != b.message.ID {
		*b = *newBuilding(*c.MessageID, true)
	}
	if c.MessageID != nil {
		b.message.ID = *c.MessageID
	}
	b.message.Metadata = merge(b.message.Metadata, c.MessageMetadata)
	if c.MessageID == nil && len(c.MessageMetadata) == 0 {
		return silent
	}
	return quiet
}

// grow applies a chunk of text or reasoning.
func (b *building) grow(kind, verb string, c chunk) (effect, error) {
	key := kind + "/" + c.ID
	if verb == "start" {
		b.open[key] = &Part{Type: kind, State: streaming}
		b.push(b.open[key])
		return loud, nil
	}
	p := b.open[key]
	if p == nil {
		return silent, thrown(fmt.Sprintf("Received %s for missing %s part with ID %q. Ensure a %q chunk is sent before any %q chunks.", c.Type, kind, c.ID, kind+"-start", c.Type))
	}
	switch verb {
	case "delta":
		p.Text += c.Delta
	case "end":
		p.State = done
		delete(b.open, key)
	}
	return loud, nil
}

func (b *building) data(c chunk) effect {
	if c.Transient {
		return silent
	}
	b.message.Parts = applyData(b.message.Parts, c)
	return loud
}

func (b *building) push(p *Part) { b.message.Parts = append(b.message.Parts, p) }

// step returns the parts of the current step.
func (b *building) step() []*Part {
	parts := b.message.Parts
	for i, p := range slices.Backward(parts) {
		if p.Type == partStep {
			return parts[i+1:]
		}
	}
	return parts
}
