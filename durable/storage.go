package durable

import "fmt"

// Storage is an object's own SQLite database, reached synchronously. Every
// statement of one event runs in one transaction, which the host opens before
// the step and commits after it.
//
// Values are nil, int64, float64, string and []byte; integers stay within
// ±2⁵³, because one of the hosts is JavaScript.
type Storage interface {
	SQL(statement string, args []any) ([]Row, error)
}

// Random fills b with random bytes.
type Random func(b []byte)

// Row is one row of a result, in the order of its columns.
type Row []any

// Int returns column i, or 0 when it is null.
func (r Row) Int(i int) int64 {
	switch v := r[i].(type) {
	case nil:
		return 0
	case int64:
		return v
	case float64:
		return int64(v)
	}
	panic(fmt.Sprintf("durable: column %d is %T, not an integer", i, r[i]))
}

// Text returns column i, or "" when it is null.
func (r Row) Text(i int) string {
	switch v := r[i].(type) {
	case nil:
		return ""
	case string:
		return v
	}
	panic(fmt.Sprintf("durable: column %d is %T, not text", i, r[i]))
}

// Blob returns column i, or nil when it is null. The caller owns it.
func (r Row) Blob(i int) []byte {
	switch v := r[i].(type) {
	case nil:
		return nil
	case []byte:
		return v
	}
	panic(fmt.Sprintf("durable: column %d is %T, not a blob", i, r[i]))
}

// Bool returns whether column i is neither null nor 0.
func (r Row) Bool(i int) bool { return r.Int(i) != 0 }
