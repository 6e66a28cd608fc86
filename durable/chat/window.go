package chat

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file keeps what the model is told of a conversation within [Agent.History]. What
// goes beyond that is left out from the beginning, half of it at once: so the beginning
// of what the model is told stays the same for many turns, which providers charge less
// for, and a summary of what is left out is made rarely.

const (
	// bytesPerToken is the estimate of a token: English has four bytes in one, JSON three,
	// and of a language like Chinese a rune is three bytes and about a token. tokensPerMessage
	// is what providers add.
	bytesPerToken    = 3
	tokensPerMessage = 4
	// tokensPerPicture is about what providers count for a large one.
	tokensPerPicture = 1_600
	// readPerToken is how many bytes of stored messages are read for a token that the model
	// may be told. There is more in a message than its text, but for its pictures.
	readPerToken = 4 * bytesPerToken
	// picturesBudget is how many bytes of pictures are read, whatever the model may be told:
	// as many as a client can post at once.
	picturesBudget = 4 << 20
)

// unit is what the model is told together or not at all: what a person has said, or a
// step of an answer with the results of its calls.
type unit struct {
	place int64
	// asks says that a person has said it; step counts those of an answer.
	asks     bool
	step     int
	messages []model.Message
	// read is how much the message is to read, at the last of its units.
	read extent
}

// window is where the part of the conversation begins that the model is told. Before it,
// only what a person has said last can be.
type window struct {
	// From is the place of its first message, Step that message's first step.
	From int64 `json:"from"`
	Step int   `json:"step,omitempty"`
	// Upto is the place of the last message of which something is left out.
	Upto int64 `json:"upto"`
	// Instead is what the model is told in place of what is left out.
	Instead []remark `json:"instead,omitempty"`
}

// remark is a message that is a text.
type remark struct {
	Role model.Role `json:"role"`
	Text string     `json:"text"`
}

// windowOf reads the window. In place of a damaged one, a new one is found.
func windowOf(tx *durable.Tx) window {
	var w window
	if !readSetting(tx, settingWindow, &w) {
		return window{}
	}
	return w
}

// forgetWindow forgets the window where it has left out something of a message that is
// deleted, or of one behind it.
func forgetWindow(tx *durable.Tx, place int64) {
	if w := windowOf(tx); w.Upto >= place {
		unset(tx, settingWindow)
	}
}

// without leaves out the steps before the window.
func (w window) without(units []unit) []unit {
	return slices.DeleteFunc(units, func(u unit) bool { return u.place == w.From && u.step < w.Step })
}

func (w window) instead() []model.Message {
	var messages []model.Message
	for _, r := range w.Instead {
		messages = appendContent(messages, r.Role, text(r.Text)...)
	}
	return messages
}

// fit leaves out units where there are more than the model may be told, and moves the
// window.
// Where there are earlier ones that were not even read, there are more.
func (h *Host) fit(tx *durable.Tx, w window, units []unit, earlier bool) (window, []unit) {
	total := tokens(w.instead())
	for _, u := range units {
		total += tokens(u.messages)
	}
	if total <= h.agent.History && !earlier || len(units) == 0 {
		return w, units
	}
	from, asked := h.divide(units)
	left, kept := units[:from], units[from:]
	if asked < from {
		left = slices.Delete(slices.Clone(left), asked, asked+1)
		kept = append([]unit{units[asked]}, kept...)
	}
	if len(left) == 0 && !earlier {
		return w, units
	}
	moved := window{From: units[from].place, Step: units[from].step, Upto: units[max(from, 1)-1].place, Instead: w.Instead}
	h.compact(tx, &moved, w, left, earlier)
	set(tx, settingWindow, string(encode(moved)))
	return moved, kept
}

// readable is how much is read for the model.
func (h *Host) readable() extent {
	return extent{messages: protocol.Limits.Messages, charged: h.agent.History * readPerToken, pictured: picturesBudget}
}

// divide returns from which unit on half of what the model may be told holds them, and half of
// what is read for that, the newest in any case, and where possible from something on that a
// person has said; and what was said last, which is kept as well. So something is left out
// only when as much has come again, whichever of the two there was too much of.
func (h *Host) divide(units []unit) (from, asked int) {
	n, read := 0, extent{}
	for from = len(units); from > 0; from-- {
		u := units[from-1]
		n, read = n+tokens(u.messages), read.add(u.read)
		if from < len(units) && (n > h.agent.History/2 || !read.within(h.readable().half())) {
			break
		}
	}
	asked = len(units) - 1
	for asked > 0 && !units[asked].asks {
		asked--
	}
	for from < asked && !units[from].asks {
		from++
	}
	return from, asked
}

// compact has a hook say what the model is told instead of what is left out.
func (h *Host) compact(tx *durable.Tx, w *window, before window, left []unit, earlier bool) {
	hook := h.agent.Hooks.Compact
	if hook == nil {
		return
	}
	l := LeftOut{TurnInfo: h.turnInfo(tx), Messages: before.instead(), Earlier: earlier}
	for _, u := range left {
		l.Messages = append(l.Messages, u.messages...)
	}
	l.Tokens = tokens(l.Messages)
	instead, err := hook(h.conversation(tx), l)
	if err == nil {
		err = w.replace(instead, h.agent.History/4)
	}
	complainOf(tx, "Compact", err)
}

// replace takes over what a hook has the model told.
func (w *window) replace(messages []model.Message, budget int) error {
	if n := tokens(messages); n > budget {
		return fmt.Errorf("what it gave has %d tokens, at most %d", n, budget)
	}
	var instead []remark
	for _, m := range messages {
		for _, c := range m.Content {
			t, ok := c.(model.Text)
			if !ok || m.Role != model.User && m.Role != model.Assistant {
				return errors.New("what it gave is not what a user or an assistant says")
			}
			instead = append(instead, remark{Role: m.Role, Text: t.Text})
		}
	}
	if n := len(encode(instead)); n > limit.Remark {
		return fmt.Errorf("what it gave has %d bytes, at most %d", n, limit.Remark)
	}
	w.Instead = instead
	return nil
}

// tokens estimates what messages cost the model.
func tokens(messages []model.Message) int {
	n := 0
	for _, m := range messages {
		bytes := 0
		for _, c := range m.Content {
			switch c := c.(type) {
			case model.Text:
				bytes += len(c.Text)
			case model.Reasoning:
				bytes += len(c.Text) + len(c.Provider)
			case model.Image:
				n += tokensPerPicture
			case model.ToolCall:
				bytes += len(c.ID) + len(c.Name) + len(c.Input)
			case model.ToolResult:
				bytes += len(c.ID) + len(c.Output)
			}
		}
		n += tokensPerMessage + (bytes+bytesPerToken-1)/bytesPerToken
	}
	return n
}
