//go:build !wasm

package durabletest

import (
	"errors"
)

// Pool keeps storages in memory for later objects, because opening one costs as much as a short life. It is for one
// goroutine at a time.
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
// not give back the pages of a large value as long as the storage is open. maxIdle is how many storages are kept: few
// worlds have more objects.
const (
	maxPooled = 256
	maxIdle   = 64
)

// Put returns storage that is no longer used.
func (p *Pool) Put(s *SQLite) error {
	s.Calm()
	size, err := s.SQL(`PRAGMA page_count`, nil)
	if err != nil || size[0].Int(0) > maxPooled || len(p.idle) >= maxIdle {
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
	if err := (resources{s.db, s.prepared}).finalize(); err != nil {
		return err
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
