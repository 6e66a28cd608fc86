package message

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// Head is what is known of a message without reading its body.
type Head struct {
	Place int64
	Role  string
}

// Known returns which of the messages are stored, or belong to the answer of a queued or running
// turn.
func Known(tx *durable.Tx, messages []protocol.Listed) map[string]Head {
	have := map[string]Head{}
	for _, list := range idLists(messages) {
		for _, row := range tx.SQL(`SELECT reply, place, 'assistant' FROM turn WHERE status IN ('queued', 'running') AND reply IN (SELECT value FROM json_each(?))
			UNION ALL SELECT id, place, role FROM message WHERE id IN (SELECT value FROM json_each(?))`, list, list) {
			have[row.Text(0)] = Head{Place: row.Int(1), Role: row.Text(2)}
		}
	}
	return have
}

// Changed returns which messages of a client's list are the user's, and are new or differ from the
// stored ones, by their places in the list. It stops when there are more of them than a list may
// have.
func Changed(tx *durable.Tx, f protocol.PushMessages, have map[string]Head) (found []int) {
	found, known := ofUser(f.List, have)
	for page := range slices.Chunk(known, protocol.Limits.Fresh) {
		if len(found) > protocol.Limits.Fresh {
			break
		}
		found = append(found, differing(tx, f, page)...)
	}
	slices.Sort(found)
	return found
}

// ofUser returns the messages of a client's list that are the user's, by their places in the list:
// those that are not stored, and those that are.
func ofUser(list []protocol.Listed, have map[string]Head) (fresh, known []int) {
	for i, m := range list {
		switch s, ok := have[m.ID]; {
		case m.Role != protocol.RoleUser || ok && s.Role != protocol.RoleUser:
		case ok:
			known = append(known, i)
		default:
			fresh = append(fresh, i)
		}
	}
	return fresh, known
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
