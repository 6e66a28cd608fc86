package message

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// FieldMerged is the metadata field that names the messages that were merged into a message.
const FieldMerged = "merged"

// MergedInto returns the ids of the messages that were merged into the one with this metadata.
func MergedInto(metadata json.RawMessage) []string {
	var fields struct {
		Merged []string `json:"merged"`
	}
	_ = json.Unmarshal(metadata, &fields) // a client may have stored anything there
	return fields.Merged
}

// WithField returns a message's metadata with one more field, or without it if its value is nil.
// Metadata that is no object is replaced.
func WithField(metadata json.RawMessage, name string, value any) json.RawMessage {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(metadata, &fields) != nil || fields == nil {
		fields = map[string]json.RawMessage{}
	}
	if delete(fields, name); value != nil {
		fields[name] = limit.MustMarshal(value)
	}
	return limit.MustMarshal(fields)
}

// MergedAmong maps the id of each message that was merged into one of a user's last messages to the
// id of that message.
func MergedAmong(tx *durable.Tx, last int) map[string]string {
	into := map[string]string{}
	for _, row := range tx.SQL(`SELECT id, CASE WHEN json_valid(body) THEN json_extract(body, '$.metadata') END FROM message WHERE role = ?
		ORDER BY place DESC LIMIT ?`, protocol.RoleUser, last) {
		for _, id := range MergedInto(row.JSON(1)) {
			into[id] = row.Text(0)
		}
	}
	return into
}
