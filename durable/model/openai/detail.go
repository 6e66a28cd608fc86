package openai

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// openData is what is kept of an answer, while it comes.
type openData struct {
	details, blocks details
	opaque, extra   json.RawMessage
	size            int
}

// add adds what one event of an answer has.
func (o *openData) add(more answerData) error {
	o.size += len(more.Details) + len(more.Blocks) + len(more.Opaque) + len(more.Extra)
	if o.size > maxData {
		return model.Garbledf("what the model wants kept of its thoughts is larger than %d KiB", maxData>>10)
	}
	o.details.add(more.Details)
	o.blocks.add(more.Blocks)
	for _, p := range []struct{ have, more *json.RawMessage }{{&o.opaque, &more.Opaque}, {&o.extra, &more.Extra}} {
		if !model.SaysNothing(*p.more) {
			*p.have = slices.Clone(*p.more)
		}
	}
	return nil
}

// maxData bounds what comes to be kept of an answer, with what is around each piece, in bytes. It is
// more than is kept.
const maxData = 4 << 20

// encode returns what is kept of the answer, or nil. What is too large for a chunk is not kept: the
// server decides whether it goes on without it.
func (o *openData) encode() *answerData {
	a := answerData{Details: o.details.encode(), Blocks: o.blocks.encode(), Opaque: o.opaque, Extra: o.extra}
	if n := len(a.Details) + len(a.Blocks) + len(a.Opaque) + len(a.Extra); n == 0 || n > limit.Thought {
		return nil
	}
	return &a
}

// details are a list of objects that come in pieces.
type details []*openDetail

// openDetail is an object whose texts grow.
type openDetail struct {
	fields detail
	texts  map[string]*strings.Builder
}

// add adds the objects of a list. A piece of the last object is joined to it.
func (l *details) add(raw json.RawMessage) {
	if len(raw) == 0 {
		return
	}
	for _, d := range listOf(raw) {
		if n := len(*l); n == 0 || !(*l)[n-1].continues(d) {
			*l = append(*l, &openDetail{fields: detail{}, texts: map[string]*strings.Builder{}})
		}
		(*l)[len(*l)-1].grow(d)
	}
}

// continues says whether an object is a piece of the one before.
func (o *openDetail) continues(next detail) bool {
	grows := slices.ContainsFunc(growing, func(name string) bool { return next[name] != nil }) || next["signature"] != nil
	same := func(name string) bool {
		return next[name] == nil || o.fields[name] == nil || string(o.fields[name]) == string(next[name])
	}
	return grows && string(o.fields["type"]) == string(next["type"]) && same("index") && same("id")
}

func (o *openDetail) grow(more detail) {
	for name, raw := range more {
		switch {
		case slices.Contains(growing, name) && string(raw) != "null":
			if o.texts[name] == nil {
				o.texts[name] = &strings.Builder{}
			}
			o.texts[name].WriteString(textOf(raw))
		case string(raw) != "null":
			o.fields[name] = raw
		}
	}
}

// encode returns the list as JSON, or nil if it is empty.
func (l details) encode() json.RawMessage {
	if len(l) == 0 {
		return nil
	}
	list := make([]detail, len(l))
	for i, o := range l {
		for name, text := range o.texts {
			o.fields[name] = limit.MustMarshal(text.String())
		}
		list[i] = o.fields
	}
	return limit.MustMarshal(list)
}
