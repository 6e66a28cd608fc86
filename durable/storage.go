package durable

import "encoding/json"

// Storage is an object's own SQLite database, reached synchronously. Every
// statement of one event runs in one transaction, which the host opens before
// the step and commits after it.
//
// Without arguments, the text may be several statements that return no rows, with
// semicolons between them. They run in order.
//
// Values are nil, int64, float64, string and []byte; integers stay within
// ±2⁵³, because one of the hosts is JavaScript.
type Storage interface {
	SQL(statement string, args []any) ([]Row, error)
}

// Random fills b with random bytes.
type Random func(b []byte)

// Row is one row of a result, in the order of its columns. A value whose type is not its column's
// is damage. It reads as empty, because an object must be able to start whatever its storage holds
// (invariant I10).
type Row []any

// Int returns column i, or 0 when it is null.
func (r Row) Int(i int) int64 {
	switch v := r[i].(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	}
	return 0
}

// Text returns column i, or "" when it is null.
func (r Row) Text(i int) string {
	s, _ := r[i].(string)
	return s
}

// Blob returns column i, or nil when it is null. The caller owns it.
func (r Row) Blob(i int) []byte {
	b, _ := r[i].([]byte)
	return b
}

// Bool returns whether column i is neither null nor 0.
func (r Row) Bool(i int) bool { return r.Int(i) != 0 }

// JSON returns column i if it holds JSON, and nil otherwise.
func (r Row) JSON(i int) json.RawMessage {
	s := r.Text(i)
	if s == "" || !json.Valid([]byte(s)) {
		return nil
	}
	return json.RawMessage(s)
}
