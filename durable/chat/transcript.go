package chat

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Budgets in bytes of message JSON, newest first: older messages stay in
// storage and are left out.
const (
	// transcriptBudget is what a client is shown: it posts all of that back, quoted,
	// with what is new, in one frame.
	transcriptBudget = 3 << 19
	// historyBudget bounds what a model is told.
	historyBudget = 1 << 20
)

// places gives out the next n places in the conversation and returns the last.
func places(tx *durable.Tx, n int) int64 {
	last := tx.SQL(`SELECT MAX(place) FROM message`)[0].Int(0)
	if stored, err := strconv.ParseInt(setting(tx, settingPlace), 10, 64); err == nil {
		last = max(last, stored)
	}
	last += int64(n)
	set(tx, settingPlace, strconv.FormatInt(last, 10))
	return last
}

// put stores a message at a place, or replaces the one that has its id, which
// keeps its place.
func put(tx *durable.Tx, place int64, m protocol.Message) {
	tx.SQL(`INSERT INTO message (id, place, role, body) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET body = excluded.body`, m.ID, place, m.Role, string(m.Encode()))
}

// amendMessage replaces the body of a stored message.
func amendMessage(tx *durable.Tx, m protocol.Message) {
	tx.SQL(`UPDATE message SET body = ? WHERE id = ?`, string(m.Encode()), m.ID)
}

// stored is what is known of a message without reading it.
type stored struct {
	place int64
	role  string
}

// known returns which of the given messages are stored, or are being answered under
// that id.
func known(tx *durable.Tx, messages []protocol.Message) map[string]stored {
	have := map[string]stored{}
	list := idList(messages)
	for _, row := range tx.SQL(`SELECT reply, place, 'assistant' FROM turn WHERE ended_at = 0 AND reply IN (SELECT value FROM json_each(?))
		UNION ALL SELECT id, place, role FROM message WHERE id IN (SELECT value FROM json_each(?))`, list, list) {
		have[row.Text(0)] = stored{place: row.Int(1), role: row.Text(2)}
	}
	return have
}

// load returns one stored message.
func load(tx *durable.Tx, id string) (protocol.Message, bool) {
	for _, row := range tx.SQL(`SELECT body FROM message WHERE id = ?`, id) {
		return parse(tx, id, row.Text(0))
	}
	return protocol.Message{}, false
}

// cut deletes what stands behind a message and before a place, but for what turns
// that wait will answer, and says whether that was anything.
func cut(tx *durable.Tx, behind string, before int64) bool {
	return len(tx.SQL(`DELETE FROM message
		WHERE place > (SELECT place FROM message WHERE id = ?) AND place < ? AND id NOT IN (
			SELECT value FROM turn, json_each(turn.origin) WHERE turn.status = 'queued')
		RETURNING id`, behind, before)) > 0
}

// transcript returns the JSON of the conversation's messages, oldest first. Where
// something stands already behind the answer that is being given, there is a message
// without parts in its place: a client would put the answer at the end.
func transcript(tx *durable.Tx) []string {
	var bodies []string
	speaking, waits := turn.Speaking(tx)
	for _, m := range newest(tx, 1<<53, transcriptBudget) {
		if waits = waits && m.id != speaking.Reply; waits && m.place > speaking.Place {
			bodies = append(bodies, string(protocol.Message{ID: speaking.Reply, Role: protocol.RoleAssistant}.Encode()))
			waits = false
		}
		bodies = append(bodies, m.body)
	}
	return bodies
}

// show sends the transcript to some connections; to none, it is not even read.
func (h *Host) show(tx *durable.Tx, to ...durable.ConnID) {
	if len(to) > 0 {
		h.shownAt = tx.Now
		send(tx, protocol.Transcript(transcript(tx), false), to...)
	}
}

// storedMessage is a message's row.
type storedMessage struct {
	id, body string
	place    int64
}

// newest returns the messages before a place, oldest first, as many of the newest as
// reach a budget, at least one. However long the conversation is, no more of it is
// looked at than a client could take (invariant I10).
func newest(tx *durable.Tx, before int64, budget int) []storedMessage {
	var messages []storedMessage
	for _, row := range tx.SQL(`SELECT id, body, json_valid(body), place FROM (
		SELECT id, place, SUM(octet_length(body)) OVER (ORDER BY place DESC) - octet_length(body) AS newer FROM (
			SELECT id, place, body FROM message WHERE place < ? ORDER BY place DESC LIMIT ?))
		JOIN message USING (id, place) WHERE newer <= ? ORDER BY place`, before, protocol.Limits.Messages, budget) {
		m := storedMessage{id: row.Text(0), body: row.Text(1), place: row.Int(3)}
		if !row.Bool(2) {
			setAside(tx, m, errors.New("not JSON"))
			continue
		}
		messages = append(messages, m)
	}
	return messages
}

// parse reads a message from storage. One that is none is set aside.
func parse(tx *durable.Tx, id, body string) (protocol.Message, bool) {
	m, err := protocol.DecodeMessage([]byte(body))
	if err != nil {
		setAside(tx, storedMessage{id: id, body: body}, err)
		return protocol.Message{}, false
	}
	return m, true
}

func setAside(tx *durable.Tx, m storedMessage, err error) {
	tx.SetAside("message "+m.id, m.body, err)
	tx.SQL(`DELETE FROM message WHERE id = ?`, m.id)
}

// deleteExcept deletes, of the messages that clients are shown, those that are not
// in a list.
func deleteExcept(tx *durable.Tx, messages []protocol.Message) {
	shown := newest(tx, 1<<53, transcriptBudget)
	if len(shown) == 0 {
		return
	}
	tx.SQL(`DELETE FROM message WHERE place >= (SELECT place FROM message WHERE id = ?)
		AND id NOT IN (SELECT value FROM json_each(?))`, shown[0].id, idList(messages))
}

// idList is the JSON array of the messages' ids.
func idList(messages []protocol.Message) string {
	ids := make([]string, len(messages))
	for i, m := range messages {
		ids[i] = m.ID
	}
	list, err := json.Marshal(ids)
	if err != nil {
		panic("chat: " + err.Error())
	}
	return string(list)
}
