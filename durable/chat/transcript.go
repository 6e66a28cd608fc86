package chat

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
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

// places gives out the next n places in the conversation and returns the last. Where it is not
// known which were given out, those of answers that are still to come are among them.
func places(tx *durable.Tx, n int) int64 {
	var last int64
	if !readSetting(tx, settingPlace, &last) {
		last = turn.PlaceBefore(tx, turn.Turn{Seq: 1 << 53})
	}
	last = max(last, tx.SQL(`SELECT MAX(place) FROM message WHERE place < ?`, int64(1<<53))[0].Int(0)) + int64(n)
	set(tx, settingPlace, strconv.FormatInt(last, 10))
	return last
}

// put stores a message at a place, or replaces the one that has its id, which
// keeps its place. It returns the message as it was stored, compacted where it would not
// fit into a row. A place that another message has, which only damage brings about, is
// exchanged for one at the end.
func put(tx *durable.Tx, place int64, m protocol.Message) protocol.Message {
	m = protocol.Compact(m, protocol.Limits.Message)
	pictures, bytes := picturesOf(m)
	body := string(m.Encode())
	for len(tx.SQL(`INSERT INTO message (id, place, role, body, pictures, picture_bytes) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET body = excluded.body, pictures = excluded.pictures, picture_bytes = excluded.picture_bytes
		ON CONFLICT (place) DO NOTHING RETURNING 1`, m.ID, place, m.Role, body, pictures, bytes)) == 0 {
		tx.Log(durable.Error, "a message's place is taken, and it stands at the end", "message", m.ID, "place", strconv.FormatInt(place, 10))
		place = places(tx, 1)
	}
	return m
}

// amendMessage replaces the body of a stored message, and returns it as it was stored,
// like [put].
func amendMessage(tx *durable.Tx, m protocol.Message) protocol.Message {
	m = protocol.Compact(m, protocol.Limits.Message)
	pictures, bytes := picturesOf(m)
	tx.SQL(`UPDATE message SET body = ?, pictures = ?, picture_bytes = ? WHERE id = ?`, string(m.Encode()), pictures, bytes, m.ID)
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
	for _, list := range idLists(messages) {
		for _, row := range tx.SQL(`SELECT reply, place, 'assistant' FROM turn WHERE status IN ('queued', 'running') AND reply IN (SELECT value FROM json_each(?))
			UNION ALL SELECT id, place, role FROM message WHERE id IN (SELECT value FROM json_each(?))`, list, list) {
			have[row.Text(0)] = stored{place: row.Int(1), role: row.Text(2)}
		}
	}
	return have
}

// changed returns which messages of a client's list are the user's, and new or not stored as they
// are, by their places in it. It stops looking when there are more than may be.
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
		found = append(found, unlike(tx, f, page)...)
	}
	slices.Sort(found)
	return found
}

// unlike returns the messages of a page of a client's list, by their places in it, that are not
// stored, or are stored with another body. Only bodies of the same length are read, so that no more
// bytes are read than have come.
func unlike(tx *durable.Tx, f protocol.PushMessages, page []int) (found []int) {
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
	for _, m := range newest(tx, 0, 1<<53, shown) {
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

// storedMessage is a message's row.
type storedMessage struct {
	id, body string
	place    int64
	// extent is how much it is to read.
	extent extent
}

// extent is how much some messages are to read, or may be; then 0 is as much as there is.
type extent struct {
	messages, bytes int
	// charged are the bytes without those of pictures, and with each picture as what the
	// model is charged for it. pictured are the bytes of pictures.
	charged, pictured int
}

// shown is what a client is shown: what fits into its list.
var shown = extent{messages: protocol.Limits.Messages, bytes: transcriptBudget}

func (e extent) add(more extent) extent {
	return extent{e.messages + more.messages, e.bytes + more.bytes, e.charged + more.charged, e.pictured + more.pictured}
}

func (e extent) half() extent {
	return extent{e.messages / 2, e.bytes / 2, e.charged / 2, e.pictured / 2}
}

func (e extent) within(most extent) bool {
	in := func(n, most int) bool { return most == 0 || n <= most }
	return in(e.messages, most.messages) && in(e.bytes, most.bytes) && in(e.charged, most.charged) && in(e.pictured, most.pictured)
}

// newest returns messages from a place on and before another, oldest first: as many of the
// newest as may be read, at least one, and two where they are not too long, a question and
// its answer. However long the conversation is, no more of it is looked at (invariant I10).
func newest(tx *durable.Tx, from, before int64, most extent) []storedMessage {
	from, extents := reach(tx, from, before, most)
	var messages []storedMessage
	for i, row := range tx.SQL(`SELECT id, body, json_valid(body), place FROM message WHERE place >= ? AND place < ? ORDER BY place`, from, before) {
		m := storedMessage{id: row.Text(0), body: row.Text(1), place: row.Int(3), extent: extents[len(extents)-1-i]}
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

// reach returns the place of the oldest message with which those before a place are still no
// more than may be read, and how much each of them is, newest first. Their lengths are read
// without them.
func reach(tx *durable.Tx, from, before int64, most extent) (oldest int64, extents []extent) {
	oldest = before
	for all := (extent{}); ; {
		rows := tx.SQL(`SELECT place, octet_length(body) FROM message WHERE place >= ? AND place < ? ORDER BY place DESC LIMIT ?`,
			from, oldest, reachPage)
		var pictures map[int64]extent
		if most.pictured > 0 && len(rows) > 0 {
			pictures = picturesBetween(tx, rows[len(rows)-1].Int(0), oldest)
		}
		for _, row := range rows {
			place, bytes := row.Int(0), int(row.Int(1))
			one := extent{messages: 1, bytes: bytes, charged: bytes}.add(pictures[place])
			all = all.add(one)
			if count := len(extents); count > 0 && !all.within(most) && !(count == 1 && all.bytes <= exchangeBudget) {
				return oldest, extents
			}
			oldest, extents = place, append(extents, one)
		}
		if len(rows) < reachPage {
			return oldest, extents
		}
	}
}

// picturesBetween returns by the places of messages what their pictures make of an extent. One
// that was stored before pictures were counted has none.
func picturesBetween(tx *durable.Tx, from, before int64) map[int64]extent {
	var pictures map[int64]extent
	for _, row := range tx.SQL(`SELECT place, pictures, picture_bytes FROM message WHERE pictures > 0 AND place >= ? AND place < ?`, from, before) {
		if pictures == nil {
			pictures = map[int64]extent{}
		}
		count, bytes := int(row.Int(1)), int(row.Int(2))
		pictures[row.Int(0)] = extent{charged: count*tokensPerPicture*readPerToken - bytes, pictured: bytes}
	}
	return pictures
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
	from, extents := reach(tx, 0, 1<<53, shown)
	if len(extents) == 0 {
		return
	}
	forgetWindow(tx, 0)
	kept := map[string]bool{}
	for _, m := range messages {
		kept[m.ID] = true
	}
	var gone []protocol.Listed
	for _, row := range tx.SQL(`SELECT id FROM message WHERE place >= ? AND json_valid(body)`, from) { // others are set aside when they are read
		if id := row.Text(0); !kept[id] {
			gone = append(gone, protocol.Listed{ID: id})
		}
	}
	for _, list := range idLists(gone) {
		tx.SQL(`DELETE FROM message WHERE id IN (SELECT value FROM json_each(?))`, list)
	}
}

// idLists are JSON arrays of the messages' ids.
func idLists(messages []protocol.Listed) []string {
	ids := make([]string, len(messages))
	for i, m := range messages {
		ids[i] = string(protocol.AppendQuoted(nil, m.ID))
	}
	return jsonLists(ids)
}

// jsonLists joins JSON values to arrays that are small enough for one argument of a statement.
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
