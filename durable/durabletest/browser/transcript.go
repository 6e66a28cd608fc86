package browser

import (
	"encoding/json"
	"slices"
	"strings"
)

// protection protects the streaming message from transcripts, which may be older. anchor is the id
// of the message before it, or nil if it is the first.
type protection struct {
	message string
	anchor  *string
}

func (t *Tab) protect(message string) {
	if t.protected != nil && t.protected.message == message {
		return
	}
	if t.protected != nil {
		t.left = t.protected.message
	}
	p := &protection{message: message}
	before := len(t.Messages)
	if at := index(t.Messages, message); at >= 0 {
		before = at
	}
	if before > 0 {
		p.anchor = &t.Messages[before-1].ID
		t.askedTwice = t.askedTwice || t.kept[*p.anchor]
	}
	t.protected = p
}

// preserve moves the protected message to the end of a transcript, in the tab's own version.
func (t *Tab) preserve(list []*Message) []*Message {
	p := t.protected
	if p == nil {
		return list
	}
	at := index(list, p.message)
	if at >= 0 && lastAssistant(list) > at {
		t.protected = nil
		return list
	}
	kept := index(t.Messages, p.message)
	switch {
	case kept >= 0:
		kept := t.Messages[kept]
		return append(without(list, p.message), kept)
	case at >= 0:
		return append(without(list, p.message), list[at])
	}
	return list
}

// restore ends the protection, and moves the message behind its anchor.
func (t *Tab) restore(message string) {
	p := t.protected
	if p == nil || message != "" && p.message != message {
		return
	}
	t.protected = nil
	at := index(t.Messages, p.message)
	if at < 0 {
		return
	}
	m := t.Messages[at]
	rest := without(t.Messages, p.message)
	switch {
	case p.anchor == nil:
		at = 0
	case index(rest, *p.anchor) >= 0:
		at = index(rest, *p.anchor) + 1
	}
	t.Messages = slices.Insert(rest, at, m)
}

// emptied empties the last message if a replay rebuilds it.
func (t *Tab) emptied(message string) {
	if m := last(t.Messages); m != nil && m.Role == assistant && m.ID == message {
		t.rebuilt[message] = true
		t.Messages = replaced(t.Messages, len(t.Messages)-1, &Message{ID: m.ID, Role: m.Role, Metadata: m.Metadata, Parts: []*Part{}})
	}
}

// collapse removes a text from a rebuilt message if a later text of the message begins with it.
func (t *Tab) collapse() {
	for i, m := range t.Messages {
		if !t.rebuilt[m.ID] || m.Role != assistant {
			continue
		}
		c := *m
		c.Parts = []*Part{}
		for at, p := range m.Parts {
			if p.Type != partText || p.Text == "" || !repeated(m.Parts[at+1:], p) {
				c.Parts = append(c.Parts, p)
			}
		}
		if len(c.Parts) < len(m.Parts) {
			t.Messages = replaced(t.Messages, i, &c)
		}
	}
}

// repeated says whether one of the later texts begins with a part's text.
func repeated(later []*Part, p *Part) bool {
	return slices.ContainsFunc(later, func(l *Part) bool { return l.Type == partText && strings.HasPrefix(l.Text, p.Text) })
}

// transcript replaces the list, except for a streaming message, and for messages that were sent
// without a connection.
func (t *Tab) transcript(f frame) {
	list := messages(f.Messages)
	t.left = ""
	next := t.preserve(list)
	if a := t.observed; a != nil && len(a.parts) > 0 {
		have := 0
		if at := index(next, a.id); at >= 0 {
			have = len(next[at].Parts)
		}
		if len(a.parts) >= have && !a.diverges(next) {
			t.haunted = t.cutOff
			next = a.mergeInto(next)
		}
	}
	clear(t.kept)
	if f.Connect {
		for _, m := range t.Messages {
			if t.buffered[m.ID] && index(next, m.ID) < 0 {
				t.kept[m.ID] = true
				next = append(next, m)
			}
		}
	}
	clear(t.buffered)
	t.Messages = next
}

// updated replaces one message of the list, found by its id or by a call in it.
func (t *Tab) updated(f frame) {
	var m Message
	if json.Unmarshal(f.Message, &m) != nil {
		return
	}
	at := index(t.Messages, m.ID)
	for i, have := range t.Messages {
		for _, p := range m.Parts {
			if at < 0 && call(have.Parts, p.ToolCallID) != nil {
				at = i
			}
		}
	}
	if at >= 0 {
		m.ID = t.Messages[at].ID
		t.Messages = replaced(t.Messages, at, &m)
	}
}

func without(list []*Message, id string) []*Message {
	return slices.DeleteFunc(slices.Clone(list), func(m *Message) bool { return m.ID == id })
}

func replaced(list []*Message, at int, m *Message) []*Message {
	list = slices.Clone(list)
	list[at] = m
	return list
}
