package prompt

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// This file keeps what the model is told of a conversation within [Builder.History]. When it grows
// larger, its first half is left out at once. So the beginning of the prompt stays the same for
// many turns, for which providers charge less, and a summary of the left-out part is made rarely.

const (
	// bytesPerToken is the estimate of a token. English has four bytes in one and JSON three. In a
	// language like Chinese, a rune has three bytes and is about one token. tokensPerMessage is
	// what providers add.
	bytesPerToken    = 3
	tokensPerMessage = 4
)

// promptUnit is a part of the conversation that the model is told whole or not at all: a person's
// message, or a step of an answer with the results of its calls.
type promptUnit struct {
	place int64
	// fromUser says that a person has said it. step counts the steps of an answer.
	fromUser bool
	step     int
	messages []model.Message
	// budget is the cost of reading the message. It is counted at the last unit of the message.
	budget message.Budget
}

// window is the part of the conversation that the model is told, given by where it begins. Only the
// last message of a person can be told from before the window.
type window struct {
	// From is the place of its first message, and Step is that message's first step.
	From int64 `json:"from"`
	Step int   `json:"step,omitempty"`
	// Upto is the place of the last message that is left out in part or whole.
	Upto int64 `json:"upto"`
	// Summary is what the model is told in place of the left-out messages.
	Summary []summaryMessage `json:"instead,omitempty"`
}

// summaryMessage is one message of the summary.
type summaryMessage struct {
	Role model.Role `json:"role"`
	Text string     `json:"text"`
}

// settingWindow is the key of the window, JSON.
const settingWindow = "window"

// windowOf reads the window. A damaged window is replaced by a new one.
func windowOf(tx *durable.Tx) window {
	var w window
	if !setting.Read(tx, settingWindow, &w) {
		return window{}
	}
	return w
}

// ForgetWindow forgets the window if it has left out part of a deleted message, or of one after it.
func ForgetWindow(tx *durable.Tx, place int64) {
	if w := windowOf(tx); w.Upto >= place {
		setting.Delete(tx, settingWindow)
	}
}

// DeleteWindow forgets the window, because everything is deleted.
func DeleteWindow(tx *durable.Tx) { setting.Delete(tx, settingWindow) }

// without removes the steps before the window.
func (w window) without(units []promptUnit) []promptUnit {
	return slices.DeleteFunc(units, func(u promptUnit) bool { return u.place == w.From && u.step < w.Step })
}

func (w window) summary() []model.Message {
	var messages []model.Message
	for _, m := range w.Summary {
		messages = appendContent(messages, m.Role, text(m.Text)...)
	}
	return messages
}

// fitWindow leaves out units if they are more than the model may be told, and moves the window. If
// earlier messages were not even read, they are more. Unless moves, the stored window stays where it is.
func (b Builder) fitWindow(tx *durable.Tx, w window, units []promptUnit, earlier, moves bool) (window, []promptUnit) {
	total := tokens(w.summary())
	for _, u := range units {
		total += tokens(u.messages)
	}
	if total <= b.History && !earlier || len(units) == 0 {
		return w, units
	}
	from, asked := b.splitWindow(units)
	left, kept := units[:from], units[from:]
	if asked < from {
		left = slices.Delete(slices.Clone(left), asked, asked+1)
		kept = append([]promptUnit{units[asked]}, kept...)
	}
	switch {
	case len(left) == 0 && !earlier:
		return w, units
	case !moves:
		return w, kept
	}
	moved := window{From: units[from].place, Step: units[from].step, Upto: units[max(from, 1)-1].place, Summary: w.Summary}
	b.compact(tx, &moved, w, left, earlier)
	setting.Write(tx, settingWindow, moved)
	return moved, kept
}

// splitWindow returns the unit with which the kept part begins, and the unit that a person said
// last, which is kept as well. The kept part is half of what the model may be told, and half of
// what may be read for it. It is at least the newest unit, and begins with a person's message if
// possible. So the window moves only after half of it has been refilled, in tokens or in bytes.
func (b Builder) splitWindow(units []promptUnit) (from, asked int) {
	n, read := 0, message.Budget{}
	for from = len(units); from > 0; from-- {
		u := units[from-1]
		n, read = n+tokens(u.messages), read.Add(u.budget)
		if from < len(units) && (n > b.History/2 || !read.Within(message.PromptBudget(b.History).Half())) {
			break
		}
	}
	asked = len(units) - 1
	for asked > 0 && !units[asked].fromUser {
		asked--
	}
	for from < asked && !units[from].fromUser {
		from++
	}
	return from, asked
}

// compact puts the summary of what is left out into the window. A summary that cannot be used is
// logged, and the earlier one stays.
func (b Builder) compact(tx *durable.Tx, w *window, before window, left []promptUnit, earlier bool) {
	if b.Compact == nil {
		return
	}
	l := LeftOut{Messages: before.summary(), Earlier: earlier}
	for _, u := range left {
		l.Messages = append(l.Messages, u.messages...)
	}
	l.Tokens = tokens(l.Messages)
	instead, err := b.Compact(l)
	if err == nil {
		err = w.replace(instead, b.History/4)
	}
	if err != nil {
		tx.Log(durable.Error, "a hook failed", "hook", "Compact", "error", err.Error())
	}
}

// replace stores a hook's messages as the summary.
func (w *window) replace(messages []model.Message, budget int) error {
	if n := tokens(messages); n > budget {
		return fmt.Errorf("what it gave has %d tokens, at most %d", n, budget)
	}
	var instead []summaryMessage
	for _, m := range messages {
		for _, c := range m.Content {
			t, ok := c.(model.Text)
			if !ok || m.Role != model.User && m.Role != model.Assistant {
				return errors.New("what it gave is not what a user or an assistant says")
			}
			instead = append(instead, summaryMessage{Role: m.Role, Text: t.Text})
		}
	}
	if n := len(limit.MustMarshal(instead)); n > limit.Remark {
		return fmt.Errorf("what it gave has %d bytes, at most %d", n, limit.Remark)
	}
	w.Summary = instead
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
				n += message.TokensPerPicture
			case model.ToolCall:
				bytes += len(c.ID) + len(c.Name) + len(c.Input) + len(c.Provider)
			case model.ToolResult:
				bytes += len(c.ID) + len(c.Output)
			}
		}
		n += tokensPerMessage + (bytes+bytesPerToken-1)/bytesPerToken
	}
	return n
}
