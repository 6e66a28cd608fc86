package durable

// Cost is what an object has used since it came into memory. It is not stored: it is forgotten when
// the platform drops the root.
type Cost struct {
	// Path is the way to the object from the one that asks: slots with slashes between them, or ""
	// for the one that asks.
	Path string `json:"path"`
	// Since is when the object came into memory, in milliseconds since 1970.
	Since      int64 `json:"since"`
	Statements int64 `json:"statements"`
	// RowsRead and RowsWritten are the rows that the platform bills.
	RowsRead    int64 `json:"rowsRead"`
	RowsWritten int64 `json:"rowsWritten"`
	// Down and Up are what was sent to clients and what came from them, over sockets and in bodies,
	// in bytes. A text may count its UTF-16 units instead.
	Down int64 `json:"down"`
	Up   int64 `json:"up"`
}

// Meter is a [Storage] whose host counts what objects use.
type Meter interface {
	// Costs returns the costs of the object whose event is running, and of all objects below it that
	// have been in memory since the root came there, sorted by their paths. What the event uses from then on is not counted: an
	// object that is inspected would count little but its inspections.
	Costs() []Cost
}

// Costs returns what this object and those below it have used. An object that has not been in memory
// since the root came there is left out. None is woken. Without a host that counts there are none.
func (tx *Tx) Costs() []Cost {
	if m, ok := tx.storage.(Meter); ok {
		return m.Costs()
	}
	return nil
}
