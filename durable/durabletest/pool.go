//go:build !wasm

package durabletest

import (
	"errors"
)

// Pool keeps storages in memory for later objects, because preparing statements is most of the cost
// of a short life. It is for one goroutine at a time.
type Pool struct{ idle []*SQLite }

// Open returns storage without tables.
func (p *Pool) Open() (*SQLite, error) {
	if n := len(p.idle); n > 0 {
		s := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return s, nil
	}
	return OpenSQLite("")
}

// maxPooled is the largest storage that is kept for another object, in pages of 4 KiB: SQLite does
// not give back the pages of a large value as long as the storage is open.
const maxPooled = 256

// Put returns storage that is no longer used.
func (p *Pool) Put(s *SQLite) error {
	s.Calm()
	size, err := s.SQL(`PRAGMA page_count`, nil)
	if err != nil || size[0].Int(0) > maxPooled {
		return errors.Join(err, s.Close())
	}
	tables, err := s.SQL(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name != 'sqlite_sequence'`, nil)
	if err != nil {
		return err
	}
	for _, row := range tables {
		if _, err := s.SQL(`DROP TABLE "`+row.Text(0)+`"`, nil); err != nil {
			return err
		}
	}
	p.idle = append(p.idle, s)
	return nil
}

// Close closes all storage.
func (p *Pool) Close() error {
	for _, s := range p.idle {
		if err := s.Close(); err != nil {
			return err
		}
	}
	p.idle = nil
	return nil
}
