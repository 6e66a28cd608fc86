package browser

import (
	"encoding/json"
	"slices"
	"strings"
)

// accumulator folds a stream that the tab only observes.
type accumulator struct {
	request  string
	id       string
	parts    []*Part
	metadata map[string]json.RawMessage
	// continuation says that the stream continues a message of the list. Its chunks wait until that
	// message is found.
	continuation bool
	waiting      []chunk
}

func (a *accumulator) apply(c chunk) {
	if a.continuation && a.waiting != nil {
		a.waiting = append(a.waiting, c)
		return
	}
	a.parts = apply(a.parts, c)
	switch c.Type {
	case "start":
		if c.MessageID != nil && !a.continuation {
			a.id = *c.MessageID
		}
		a.metadata = merge(a.metadata, c.MessageMetadata)
	case "finish", "message-metadata":
		a.metadata = merge(a.metadata, c.MessageMetadata)
	}
}

// mergeInto returns the list with the message as it is so far.
func (a *accumulator) mergeInto(list []*Message) []*Message {
	at := index(list, a.id)
	if at < 0 && a.continuation {
		at = lastAssistant(list)
	}
	if a.continuation && a.waiting != nil {
		a.adopt(list, at)
	}
	m := &Message{ID: a.id, Role: assistant, Metadata: a.metadata, Parts: append([]*Part{}, a.parts...)}
	if at < 0 {
		return append(slices.Clip(list), m)
	}
	list = slices.Clone(list)
	m.ID = list[at].ID
	list[at] = m
	return list
}

func (a *accumulator) adopt(list []*Message, at int) {
	waiting := a.waiting
	a.waiting = nil
	if at >= 0 {
		m := list[at].clone()
		a.id, a.parts, a.metadata = m.ID, m.Parts, m.Metadata
	}
	for _, c := range waiting {
		a.apply(c)
	}
}

// diverges says whether the list has a copy of the message with a text that does not begin this
// one's text.
func (a *accumulator) diverges(list []*Message) bool {
	at := index(list, a.id)
	return at >= 0 && !strings.HasPrefix(textOf(a.parts), textOf(list[at].Parts))
}

func lastAssistant(list []*Message) int {
	for i, m := range slices.Backward(list) {
		if m.Role == assistant {
			return i
		}
	}
	return -1
}
