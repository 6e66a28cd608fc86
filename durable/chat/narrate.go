package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about what an agent says without a model: in a turn like any other, so that
// it stands behind what is being answered and comes in its order. Put between two chunks of
// an answer, a message of the agent would take that answer from the tabs that show it grow.

// narrationOf begins the requests of such turns.
const narrationOf = "narration-"

// Narrate has the agent say something, in a message of its own, for which no model is
// asked. It comes when the turns before it have been.
func (c *Conversation) Narrate(text string) error {
	h, tx := c.host, c.tx
	if err := h.closed(tx); err != nil {
		return err
	}
	if text == "" || len(text) > MaxNotice {
		return fmt.Errorf("a narration of %d bytes, not 1 to %d", len(text), MaxNotice)
	}
	t := h.admit(tx, turn.Turn{Request: narrationOf + tx.NewID(), Reply: tx.NewID(), Place: places(tx, 1)})
	tx.SQL(`INSERT INTO narration (turn, text) VALUES (?, ?)`, t.Seq, text)
	h.moved = true
	return nil
}

// narrate says what the live turn was given to say, if it was, and ends it.
func (h *Host) narrate(tx *durable.Tx) bool {
	l := h.live
	if !strings.HasPrefix(l.turn.Request, narrationOf) { // a client may call its request so too
		return false
	}
	for _, row := range tx.SQL(`DELETE FROM narration WHERE turn = ? RETURNING text`, l.turn.Seq) {
		h.emit(tx, l.chunks([]model.Delta{model.TextDelta{Text: row.Text(0)}, model.Finished{}})...)
		h.emit(tx, l.ends(model.Stop)...)
		h.settle(tx, turn.Completed, "")
		return true
	}
	return false
}

// tellOf tells the chat of a milestone that a run has reached, where the run says so. It
// is called in the event that keeps the milestone, once for each name.
func (h *Host) tellOf(tx *durable.Tx, r run.Run, m Milestone) {
	var err error
	switch {
	case slices.Contains(r.Tells.React, m.Name):
		err = h.tellOrKeep(tx, true, fmt.Sprintf("(The %s at work in the background has reached a milestone: %s.)%s", r.Class, m.Name, detail(m)))
	case slices.Contains(r.Tells.Narrate, m.Name):
		err = h.tellOrKeep(tx, false, narration(r, m))
	}
	if err != nil {
		tx.Log(durable.Error, "a milestone could not be told of", "run", r.ID, "milestone", m.Name, "error", err.Error())
	}
}

// tellOrKeep tells the chat something, and has the model react to it or not. Where the queue
// has no room for that, or something else waits for room already, it is kept and told when
// there is: nobody would say it again.
func (h *Host) tellOrKeep(tx *durable.Tx, react bool, text string) error {
	err := errFull
	if !untold(tx) {
		err = h.utter(tx, react, text)
	}
	if errors.Is(err, errFull) {
		tx.SQL(`INSERT INTO untold (react, text) VALUES (?, ?)`, react, text)
		return nil
	}
	return err
}

// untold says whether anything is kept.
func untold(tx *durable.Tx) bool { return len(tx.SQL(`SELECT 1 FROM untold LIMIT 1`)) > 0 }

func (h *Host) utter(tx *durable.Tx, react bool, text string) error {
	if react {
		return h.conversation(tx).Notify(text)
	}
	return h.conversation(tx).Narrate(text)
}

// tellUntold tells what was kept until there is room, in the order in which it came.
func (h *Host) tellUntold(tx *durable.Tx) {
	for untold(tx) && turn.Waiting(tx) < turn.MaxQueued {
		row := tx.SQL(`DELETE FROM untold WHERE n = (SELECT MIN(n) FROM untold) RETURNING react, text`)[0]
		if err := h.utter(tx, row.Bool(0), row.Text(1)); err != nil {
			tx.Log(durable.Error, "what was kept could not be told", "error", err.Error())
		}
	}
}

// narration is what is said of a milestone: its data, where that is a text, and otherwise
// its name.
func narration(r run.Run, m Milestone) string {
	var text string
	if json.Unmarshal(m.Data, &text) == nil && text != "" {
		return text
	}
	return fmt.Sprintf("The %s at work in the background has reached a milestone: %s.", r.Class, m.Name)
}

// detail is what a milestone says beside its name.
func detail(m Milestone) string {
	var text string
	switch {
	case len(m.Data) == 0:
		return ""
	case json.Unmarshal(m.Data, &text) == nil:
		return "\n\n" + text
	}
	return "\n\n" + string(m.Data)
}
