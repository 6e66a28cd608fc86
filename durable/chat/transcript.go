package chat

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Sizes of the part of a conversation that is read, in bytes of message JSON. Older messages stay
// in storage.
const (
	// transcriptBudget is the size of the part that a client is sent.
	transcriptBudget = 1 << 19
	// exchangeBudget is the size of the last two messages, which may be larger than another budget.
	// The client may post them back, quoted, which doubles their size at most. Together with new
	// messages they then still fit into a frame. Unquoted, they fit into a frame between objects.
	exchangeBudget = 1_900_000
)

// takePlaces assigns the next n places in the conversation and returns the last. If the last
// assigned place is not known, the places of answers that are still to come count as assigned.
func takePlaces(tx *durable.Tx, n int) int64 {
	var last int64
	if !setting.Read(tx, settingPlace, &last) {
		last = turn.PlaceBefore(tx, turn.Turn{Seq: 1 << 53})
	}
	last = max(last, tx.SQL(`SELECT MAX(place) FROM message WHERE place < ?`, int64(1<<53))[0].Int(0)) + int64(n)
	setting.Write(tx, settingPlace, last)
	return last
}

// putMessage stores a message at a place. If a message with its id exists, it is replaced and keeps
// its place. putMessage returns the message as it was stored, compacted if it would not fit into a
// row. If another message has the place, which only damage can cause, the message gets a place at
// the end.
func putMessage(tx *durable.Tx, place int64, m protocol.Message) protocol.Message {
	m = protocol.Compact(m, protocol.Limits.Message)
	pictures, bytes := picturesOf(m)
	body := string(m.Encode())
	for len(tx.SQL(`INSERT INTO message (id, place, role, body, pictures, picture_bytes) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET body = excluded.body, pictures = excluded.pictures, picture_bytes = excluded.picture_bytes
		ON CONFLICT (place) DO NOTHING RETURNING 1`, m.ID, place, m.Role, body, pictures, bytes)) == 0 {
		tx.Log(durable.Error, "a message's place is taken, and it stands at the end", "message", m.ID, "place", strconv.FormatInt(place, 10))
		place = takePlaces(tx, 1)
	}
	return m
}

// amendMessage replaces the body of a stored message, and returns the message as it was stored,
// like [putMessage].
func amendMessage(tx *durable.Tx, m protocol.Message) protocol.Message {
	m = protocol.Compact(m, protocol.Limits.Message)
	pictures, bytes := picturesOf(m)
	tx.SQL(`UPDATE message SET body = ?, pictures = ?, picture_bytes = ? WHERE id = ?`, string(m.Encode()), pictures, bytes, m.ID)
	return m
}

// stored is what is known of a message without reading its body.
type stored struct {
	place int64
	role  string
}

// knownMessages returns which of the messages are stored, or belong to an active answer.
func knownMessages(tx *durable.Tx, messages []protocol.Listed) map[string]stored {
	have := map[string]stored{}
	for _, list := range idLists(messages) {
		for _, row := range tx.SQL(`SELECT reply, place, 'assistant' FROM turn WHERE status IN ('queued', 'running') AND reply IN (SELECT value FROM json_each(?))
			UNION ALL SELECT id, place, role FROM message WHERE id IN (SELECT value FROM json_each(?))`, list, list) {
			have[row.Text(0)] = stored{place: row.Int(1), role: row.Text(2)}
		}
	}
	return have
}

// changed returns which messages of a client's list are the user's, and are new or differ from the
// stored ones, by their places in the list. It stops when there are more of them than a list may
// have.
func changed(tx *durable.Tx, f protocol.PushMessages, have map[string]stored) (found []int) {
	var known []int
	for i, m := range f.List {
		switch s, ok := have[m.ID]; {
		case m.Role != protocol.RoleUser || ok && s.role != protocol.RoleUser:
		case ok:
			known = append(known, i)
		default:
			found = append(found, i)
		}
	}
	for page := range slices.Chunk(known, protocol.Limits.Fresh) {
		if len(found) > protocol.Limits.Fresh {
			break
		}
		found = append(found, differing(tx, f, page)...)
	}
	slices.Sort(found)
	return found
}

// differing returns the messages of a page of a client's list that are not stored, or are stored
// with another body, by their places in the list. Only bodies of the same length are read, so that
// no more bytes are read than were received.
func differing(tx *durable.Tx, f protocol.PushMessages, page []int) (found []int) {
	var entries []string
	bodies := make([]string, len(page))
	for n, i := range page {
		bodies[n] = f.Stored(i)
		entries = append(entries, "["+string(protocol.AppendQuoted(nil, f.List[i].ID))+","+strconv.Itoa(len(bodies[n]))+"]")
	}
	same := map[string]string{}
	for _, list := range jsonLists(entries) {
		for _, row := range tx.SQL(`SELECT m.id, m.body FROM json_each(?) AS j JOIN message AS m ON m.id = j.value ->> 0
			WHERE octet_length(m.body) = j.value ->> 1`, list) {
			same[row.Text(0)] = row.Text(1)
		}
	}
	for n, i := range page {
		if same[f.List[i].ID] != bodies[n] {
			found = append(found, i)
		}
	}
	return found
}

// loadMessage returns one stored message.
func loadMessage(tx *durable.Tx, id string) (protocol.Message, bool) {
	for _, row := range tx.SQL(`SELECT body FROM message WHERE id = ?`, id) {
		return parseMessage(tx, id, row.Text(0))
	}
	return protocol.Message{}, false
}

// cutMessages deletes the messages after one message and before a place, and says whether there
// were any. The messages that queued turns will answer are kept.
func cutMessages(tx *durable.Tx, behind string, before int64) bool {
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

// transcript returns the JSON of the conversation's messages, oldest first. If messages follow the
// place of the active answer already, an empty message holds that place. Without it, a client would
// put the answer at the end.
func transcript(tx *durable.Tx) []string {
	var bodies []string
	active, waits := turn.Active(tx)
	for _, m := range newestWithin(tx, 0, 1<<53, shownBudget) {
		if waits = waits && m.id != active.Reply; waits && m.place > active.Place {
			bodies = append(bodies, string(protocol.Message{ID: active.Reply, Role: protocol.RoleAssistant}.Encode()))
			waits = false
		}
		bodies = append(bodies, m.body)
	}
	return bodies
}

// sendTranscript sends the transcript to some connections. If there are none, it is not read.
func (o *Object) sendTranscript(tx *durable.Tx, to ...durable.ConnID) {
	if len(to) > 0 {
		o.noteTranscript(tx)
		send(tx, protocol.Transcript(transcript(tx), false), to...)
	}
}

// storedMessage is the row of a message.
type storedMessage struct {
	id, body string
	place    int64
	// budget is how much of a read budget the message takes.
	budget readBudget
}

// readBudget is the size of some messages, or a limit for it. In a limit, 0 means no limit.
type readBudget struct {
	messages, bytes int
	// charged is the number of bytes in which every picture counts as what the model is charged for
	// it. pictured is the number of bytes of pictures.
	charged, pictured int
}

// shownBudget is the limit for the messages that a client is sent, so that they fit into its list.
var shownBudget = readBudget{messages: protocol.Limits.Messages, bytes: transcriptBudget}

func (b readBudget) add(more readBudget) readBudget {
	return readBudget{b.messages + more.messages, b.bytes + more.bytes, b.charged + more.charged, b.pictured + more.pictured}
}

func (b readBudget) half() readBudget {
	return readBudget{b.messages / 2, b.bytes / 2, b.charged / 2, b.pictured / 2}
}

func (b readBudget) within(most readBudget) bool {
	in := func(n, most int) bool { return most == 0 || n <= most }
	return in(b.messages, most.messages) && in(b.bytes, most.bytes) && in(b.charged, most.charged) && in(b.pictured, most.pictured)
}

// newestWithin returns messages from a place on and before another place, oldest first. It returns
// as many of the newest as the budget allows, and at least one. A question and its answer stay
// together if they are not too long. However long the conversation is, no more of it is read
// (invariant I10).
func newestWithin(tx *durable.Tx, from, before int64, most readBudget) []storedMessage {
	from, budgets := oldestWithin(tx, from, before, most)
	var messages []storedMessage
	for i, row := range tx.SQL(`SELECT id, body, json_valid(body), place FROM message WHERE place >= ? AND place < ? ORDER BY place`, from, before) {
		m := storedMessage{id: row.Text(0), body: row.Text(1), place: row.Int(3), budget: budgets[len(budgets)-1-i]}
		if !row.Bool(2) {
			keepDamaged(tx, m, errors.New("not JSON"))
			continue
		}
		messages = append(messages, m)
	}
	return messages
}

// boundPage is how many lengths of messages are read at once.
const boundPage = 256

// oldestWithin returns the place of the oldest message that the budget allows, and what each
// message takes of the budget, newest first. Only the lengths of messages are read.
func oldestWithin(tx *durable.Tx, from, before int64, most readBudget) (oldest int64, budgets []readBudget) {
	oldest = before
	for all := (readBudget{}); ; {
		rows := tx.SQL(`SELECT place, octet_length(body) FROM message WHERE place >= ? AND place < ? ORDER BY place DESC LIMIT ?`,
			from, oldest, boundPage)
		var pictures map[int64]readBudget
		if most.pictured > 0 && len(rows) > 0 {
			pictures = picturesBetween(tx, rows[len(rows)-1].Int(0), oldest)
		}
		for _, row := range rows {
			place, bytes := row.Int(0), int(row.Int(1))
			one := readBudget{messages: 1, bytes: bytes, charged: bytes}.add(pictures[place])
			all = all.add(one)
			if count := len(budgets); count > 0 && !all.within(most) && !(count == 1 && all.bytes <= exchangeBudget) {
				return oldest, budgets
			}
			oldest, budgets = place, append(budgets, one)
		}
		if len(rows) < boundPage {
			return oldest, budgets
		}
	}
}

// picturesBetween returns what the pictures of messages take of a read budget, by the places of the
// messages. A message that was stored before pictures were counted has none.
func picturesBetween(tx *durable.Tx, from, before int64) map[int64]readBudget {
	var pictures map[int64]readBudget
	for _, row := range tx.SQL(`SELECT place, pictures, picture_bytes FROM message WHERE pictures > 0 AND place >= ? AND place < ?`, from, before) {
		if pictures == nil {
			pictures = map[int64]readBudget{}
		}
		count, bytes := int(row.Int(1)), int(row.Int(2))
		pictures[row.Int(0)] = readBudget{charged: count*tokensPerPicture*readPerToken - bytes, pictured: bytes}
	}
	return pictures
}

// parseMessage decodes a message from storage. A damaged message is set aside.
func parseMessage(tx *durable.Tx, id, body string) (protocol.Message, bool) {
	m, err := protocol.ReadMessage(body)
	if err != nil {
		keepDamaged(tx, storedMessage{id: id, body: body}, err)
		return protocol.Message{}, false
	}
	return m, true
}

func keepDamaged(tx *durable.Tx, m storedMessage, err error) {
	tx.KeepDamaged("message "+m.id, m.body, err)
	tx.SQL(`DELETE FROM message WHERE id = ?`, m.id)
}

// deleteExcept deletes the messages that clients are sent and that are not in a list.
func deleteExcept(tx *durable.Tx, messages []protocol.Listed) {
	from, budgets := oldestWithin(tx, 0, 1<<53, shownBudget)
	if len(budgets) == 0 {
		return
	}
	forgetWindow(tx, 0)
	kept := map[string]bool{}
	for _, m := range messages {
		kept[m.ID] = true
	}
	var gone []protocol.Listed
	for _, row := range tx.SQL(`SELECT id FROM message WHERE place >= ? AND json_valid(body)`, from) { // damaged messages are set aside when they are read
		if id := row.Text(0); !kept[id] {
			gone = append(gone, protocol.Listed{ID: id})
		}
	}
	for _, list := range idLists(gone) {
		tx.SQL(`DELETE FROM message WHERE id IN (SELECT value FROM json_each(?))`, list)
	}
}

// idLists returns the messages' ids in JSON arrays.
func idLists(messages []protocol.Listed) []string {
	ids := make([]string, len(messages))
	for i, m := range messages {
		ids[i] = string(protocol.AppendQuoted(nil, m.ID))
	}
	return jsonLists(ids)
}

// jsonLists joins JSON values to arrays. Each array is small enough for one argument of a
// statement.
func jsonLists(values []string) (lists []string) {
	for from, size, i := 0, 0, 0; i < len(values); i++ {
		size += len(values[i]) + 1
		if i+1 == len(values) || size+len(values[i+1]) > limit.Row/2 {
			lists = append(lists, "["+strings.Join(values[from:i+1], ",")+"]")
			from, size = i+1, 0
		}
	}
	return lists
}
