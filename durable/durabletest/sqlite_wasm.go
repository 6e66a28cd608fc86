package durabletest

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
)

var errNoSQLite = errors.New("durabletest: the SQLite library is not built for WebAssembly")

// SQLite is missing on this target; see sqlite.go.
type SQLite struct{ storageFaults }

// OpenSQLite always fails on this target.
func OpenSQLite(string) (*SQLite, error) { return nil, errNoSQLite }

// Begin always fails on this target.
func (s *SQLite) Begin() error { return errNoSQLite }

// Commit always fails on this target.
func (s *SQLite) Commit() error { return errNoSQLite }

// Rollback always fails on this target.
func (s *SQLite) Rollback() error { return errNoSQLite }

// Close does nothing on this target.
func (s *SQLite) Close() error { return nil }

// Written counts nothing on this target.
func (s *SQLite) Written(string) int { return 0 }

// Used counts nothing on this target.
func (s *SQLite) Used() durable.Cost { return durable.Cost{} }

// SQL always fails on this target.
func (s *SQLite) SQL(statement string, _ []any) ([]durable.Row, error) {
	return nil, errors.Join(errNoSQLite, s.meet(statement))
}
