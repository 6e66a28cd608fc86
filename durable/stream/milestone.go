package stream

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// Milestone is a stage that was reached between two chunks of a stream. It has a number of its own,
// and takes no index of a chunk.
type Milestone struct {
	Name string `json:"name"`
	// Sequence numbers the milestones of a stream, beginning with 0.
	Sequence int64 `json:"sequence"`
	// At is when the stage was reached, in milliseconds since 1970.
	At int64 `json:"at"`
	// Data is for programs, JSON or nil.
	Data json.RawMessage `json:"data,omitempty"`
	// Place is the index of the chunk that follows the milestone.
	Place int64 `json:"-"`
}

// AppendMilestone adds a milestone to a stream. It changes nothing if the number is taken already.
func AppendMilestone(tx *durable.Tx, id ID, m Milestone) {
	tx.SQL(`INSERT INTO milestone (stream, n, place, name, at, data) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		int64(id), m.Sequence, m.Place, m.Name, m.At, string(m.Data))
}

// HasReached says whether a stream has a milestone of a name.
func HasReached(tx *durable.Tx, id ID, name string) bool {
	return len(tx.SQL(`SELECT 1 FROM milestone WHERE stream = ? AND name = ? LIMIT 1`, int64(id), name)) > 0
}

// Milestones returns the milestones of a stream with a Sequence of at least from, in order.
func Milestones(tx *durable.Tx, id ID, from int64) []Milestone {
	var list []Milestone
	for _, row := range tx.SQL(`SELECT name, n, at, data, place FROM milestone WHERE stream = ? AND n >= ? ORDER BY n`, int64(id), from) {
		list = append(list, Milestone{Name: row.Text(0), Sequence: row.Int(1), At: row.Int(2), Data: row.JSON(3), Place: row.Int(4)})
	}
	return list
}

// TakeUpTo removes and returns the milestones of a list that stand before the chunk with an index.
func TakeUpTo(list *[]Milestone, index int64) []Milestone {
	n := 0
	for n < len(*list) && (*list)[n].Place <= index {
		n++
	}
	taken := (*list)[:n]
	*list = (*list)[n:]
	return taken
}
