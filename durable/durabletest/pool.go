//go:build !wasm

package durabletest

import (
	"slices"
	"strings"
)

// Pool keeps storages in memory for objects to come, since making tables and preparing
// statements is most of what a short life costs. It is for one goroutine at a time.
type Pool struct{ idle []*SQLite }

// Open returns storage without rows. Its tables may be there already.
func (p *Pool) Open() (*SQLite, error) {
	if n := len(p.idle); n > 0 {
		s := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return s, nil
	}
	return OpenSQLite("")
}

// Put takes storage back that nobody uses any more.
func (p *Pool) Put(s *SQLite) error {
	s.Calm()
	tables, err := s.SQL(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name != 'room_version'`, nil)
	if err != nil {
		return err
	}
	var statements []string
	for _, row := range tables {
		statements = append(statements, `DELETE FROM "`+row.Text(0)+`"`)
	}
	for _, statement := range append(statements, s.fixtures()...) {
		if _, err := s.SQL(statement, nil); err != nil {
			return err
		}
	}
	p.idle = append(p.idle, s)
	return nil
}

// fixtures are the statements that put rows into new tables: they alone insert without
// arguments.
func (s *SQLite) fixtures() []string {
	var statements []string
	for statement := range s.prepared {
		if strings.HasPrefix(statement, "INSERT") && !strings.Contains(statement, "?") {
			statements = append(statements, statement)
		}
	}
	return slices.Sorted(slices.Values(statements))
}

// Close frees everything.
func (p *Pool) Close() error {
	for _, s := range p.idle {
		if err := s.Close(); err != nil {
			return err
		}
	}
	p.idle = nil
	return nil
}
