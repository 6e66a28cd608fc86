package chat

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// The size of a conversation that is read, in bytes of message JSON. Older messages stay
// in storage.
const (
	// transcriptBudget is what a client is shown.
	transcriptBudget = 1 << 19
	// exchangeBudget is what the last two messages may have where they are longer than a
	// budget. The client may post them back, quoted, which doubles them at most: with what
	// is new, they fit into a frame. And as they are, into one between objects.
	exchangeBudget = 1_900_000
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
// keeps its place. It returns the message as it was stored, compacted where it would not
// fit into a row.
func put(tx *durable.Tx, place int64, m protocol.Message) protocol.Message {
	m = protocol.Compact(m, protocol.Limits.Message)
	tx.SQL(`INSERT INTO message (id, place, role, body) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET body = excluded.body`, m.ID, place, m.Role, string(m.Encode()))
	return m
}

// amendMessage replaces the body of a stored message, and returns it as it was stored,
// like [put].
func amendMessage(tx *durable.Tx, m protocol.Message) protocol.Message {
	m = protocol.Compact(m, protocol.Limits.Message)
	tx.SQL(`UPDATE message SET body = ? WHERE id = ?`, string(m.Encode()), m.ID)
	return m
}

// stored is what is known of a message without reading it.
type stored struct {
	place int64
	role  string
}

// known returns which of the given messages are stored, or are being answered under
// that id.
func known(tx *durable.Tx, messages []protocol.Listed) map[string]stored {
	have := map[string]stored{}
	list := idList(messages)
	for _, row := range tx.SQL(`SELECT reply, place, 'assistant' FROM turn WHERE status IN ('queued', 'running') AND reply IN (SELECT value FROM json_each(?))
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
	rows := tx.SQL(`DELETE FROM message
		WHERE place > (SELECT place FROM message WHERE id = ?) AND place < ? AND id NOT IN (
			SELECT value FROM turn, json_each(turn.origin) WHERE turn.status = 'queued')
		RETURNING place`, behind, before)
	first := before
	for _, row := range rows {
		first = min(first, row.Int(0))
	}
	if len(rows) > 0 {
		forgetWindow(tx, first)
	}
	return len(rows) > 0
}

// transcript returns the JSON of the conversation's messages, oldest first. Where
// something stands already behind the answer that is being given, there is a message
// without parts in its place: a client would put the answer at the end.
func transcript(tx *durable.Tx) []string {
	var bodies []string
	speaking, waits := turn.Speaking(tx)
	for _, m := range newest(tx, 0, 1<<53, transcriptBudget) {
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
		h.shownNow(tx)
		send(tx, protocol.Transcript(transcript(tx), false), to...)
	}
}

// shownNow notes that a transcript is on its way.
func (h *Host) shownNow(tx *durable.Tx) { h.shownAt, h.witness = tx.Now, "" }

// storedMessage is a message's row.
type storedMessage struct {
	id, body string
	place    int64
}

// newest returns messages from a place on and before another, oldest first: as many of
// the newest as fit into a budget of bytes, at least one, and two where they are not too
// long, a question and its answer. However long the conversation is, no more of it is
// looked at (invariant I10).
func newest(tx *durable.Tx, from, before int64, budget int) []storedMessage {
	from = reach(tx, from, before, budget)
	var messages []storedMessage
	for _, row := range tx.SQL(`SELECT id, body, json_valid(body), place FROM message WHERE place >= ? AND place < ? ORDER BY place`, from, before) {
		m := storedMessage{id: row.Text(0), body: row.Text(1), place: row.Int(3)}
		if !row.Bool(2) {
			setAside(tx, m, errors.New("not JSON"))
			continue
		}
		messages = append(messages, m)
	}
	return messages
}

// reachPage is how many lengths of messages are read at a time.
const reachPage = 256

// reach returns the place of the oldest message with which those before a place still fit
// into a budget of bytes, and into a client's list. Their lengths are read without them.
func reach(tx *durable.Tx, from, before int64, budget int) int64 {
	oldest, count, size := before, 0, 0
	for {
		rows := tx.SQL(`SELECT place, octet_length(body) FROM message WHERE place >= ? AND place < ? ORDER BY place DESC LIMIT ?`,
			from, oldest, reachPage)
		for _, row := range rows {
			size += int(row.Int(1))
			fits := size <= budget && count < protocol.Limits.Messages
			if !fits && !(count == 1 && size <= exchangeBudget) && count > 0 {
				return oldest
			}
			oldest, count = row.Int(0), count+1
		}
		if len(rows) < reachPage {
			return oldest
		}
	}
}

// parse reads a message from storage. One that is none is set aside.
func parse(tx *durable.Tx, id, body string) (protocol.Message, bool) {
	m, err := protocol.ReadMessage([]byte(body))
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
func deleteExcept(tx *durable.Tx, messages []protocol.Listed) {
	shown := newest(tx, 0, 1<<53, transcriptBudget)
	if len(shown) == 0 {
		return
	}
	forgetWindow(tx, 0)
	tx.SQL(`DELETE FROM message WHERE place >= (SELECT place FROM message WHERE id = ?)
		AND id NOT IN (SELECT value FROM json_each(?))`, shown[0].id, idList(messages))
}

// idList is the JSON array of the messages' ids.
func idList(messages []protocol.Listed) string {
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
