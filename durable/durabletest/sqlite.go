//go:build !wasm

package durabletest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"modernc.org/sqlite"

	"github.com/tributary-agents/tributary/durable"
)

// SQLite is a [durable.Storage] over one SQLite database. It treats values as
// the platform's own storage does, where every number is a JavaScript number:
// integers are bound as REAL (a column's affinity makes integers of them, bare
// expressions and TEXT columns do not), and a whole REAL is read back as int64.
// A program that passes here is thereby not surprised there.
//
// It is for one goroutine at a time.
type SQLite struct {
	trouble
	db       *sql.DB
	conn     driver.Conn
	prepared map[string]driver.Stmt
	tx       driver.Tx
	// written counts statements that write, by their table.
	written map[string]int
}

// OpenSQLite opens the database in the file at path, which is made when it is
// missing, or a fresh one in memory when path is "".
func OpenSQLite(path string) (*SQLite, error) {
	if path == "" {
		path = ":memory:"
	}
	conn, err := (&sqlite.Driver{}).Open(path)
	if err != nil {
		return nil, fmt.Errorf("durabletest: open %s: %w", path, err)
	}
	s := &SQLite{db: sql.OpenDB(held{conn}), conn: conn, prepared: map[string]driver.Stmt{}, written: map[string]int{}}
	if err := s.bound(); err != nil {
		return nil, errors.Join(fmt.Errorf("durabletest: open %s: %w", path, err), s.Close())
	}
	if _, err := s.SQL(`PRAGMA foreign_keys = ON`, nil); err != nil { // as the platform has them
		return nil, errors.Join(fmt.Errorf("durabletest: open %s: %w", path, err), s.Close())
	}
	return s, nil
}

// Begin opens a transaction; there is at most one.
func (s *SQLite) Begin() error {
	if s.tx != nil {
		return errors.New("durabletest: a transaction is open already")
	}
	tx, err := s.conn.(driver.ConnBeginTx).BeginTx(context.Background(), driver.TxOptions{})
	if err != nil {
		return fmt.Errorf("durabletest: begin: %w", err)
	}
	s.tx = tx
	return nil
}

// Commit makes everything since Begin last. Where it fails, all of it is undone.
func (s *SQLite) Commit() error { return s.end(driver.Tx.Commit) }

// Rollback undoes everything since Begin.
func (s *SQLite) Rollback() error { return s.end(driver.Tx.Rollback) }

func (s *SQLite) end(end func(driver.Tx) error) error {
	if s.tx == nil {
		return errors.New("durabletest: no transaction is open")
	}
	tx := s.tx
	s.tx = nil
	return end(tx)
}

// Close gives the database back; one in memory is lost. An open transaction is
// rolled back.
func (s *SQLite) Close() error {
	var errs []error
	if s.tx != nil {
		errs = append(errs, s.Rollback())
	}
	for _, stmt := range s.prepared {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, s.db.Close())...)
}

// held is the one connection of a [sql.DB]. The driver sets limits through that type alone.
type held struct{ conn driver.Conn }

// Connect implements [driver.Connector].
func (h held) Connect(context.Context) (driver.Conn, error) { return h.conn, nil }

// Driver implements [driver.Connector].
func (h held) Driver() driver.Driver { return &sqlite.Driver{} }

// bound has SQLite refuse every value and every row that is larger than the platform's own
// storage takes, also one that a statement has made. From here on the database owns the
// connection.
func (s *SQLite) bound() error {
	conn, err := s.db.Conn(context.Background())
	if err != nil {
		return err
	}
	_, err = sqlite.Limit(conn, limitLength, maxValue)
	return errors.Join(err, conn.Close())
}

// limitLength is SQLite's own number for the limit of a value's or a row's size.
const limitLength = 0

// SQL implements [durable.Storage]. Statements stay prepared. The rows are the
// caller's.
func (s *SQLite) SQL(statement string, args []any) ([]durable.Row, error) {
	if s.tx != nil { // trouble is for those whose storage it is
		if err := s.meet(statement); err != nil {
			return nil, err
		}
	}
	bound, err := bind(args)
	if err != nil {
		return nil, err
	}
	stmt, err := s.prepare(statement)
	if err != nil {
		return nil, err
	}
	s.written[tableOf(statement)]++
	if err := s.countArguments(statement, bound); err != nil {
		return nil, err
	}
	rows, err := stmt.(driver.StmtQueryContext).QueryContext(context.Background(), bound)
	if err != nil {
		return nil, err
	}
	out, err := readAll(rows)
	return out, errors.Join(err, rows.Close())
}

// Written counts what has been written to a table, rolled back or not: as long as it is
// the same, so are the rows.
func (s *SQLite) Written(table string) int { return s.written[table] }

var (
	writing = regexp.MustCompile(`^(?:(?:INSERT|REPLACE)(?: OR \w+)? INTO|UPDATE(?: OR \w+)?|DELETE FROM) "?(\w+)`)
	written sync.Map
)

// tableOf returns the table that a statement writes to, or "".
func tableOf(statement string) string {
	if table, ok := written.Load(statement); ok {
		return table.(string)
	}
	table := ""
	if m := writing.FindStringSubmatch(statement); m != nil {
		table = m[1]
	}
	written.Store(statement, table)
	return table
}

func (s *SQLite) prepare(statement string) (driver.Stmt, error) {
	if stmt, ok := s.prepared[statement]; ok {
		return stmt, nil
	}
	stmt, err := s.conn.Prepare(steady(statement))
	if err != nil {
		return nil, err
	}
	s.prepared[statement] = stmt
	return stmt, nil
}

// steady returns a statement that SQLite does not prepare anew with every argument. It looks at
// the value of a limit when it plans, if that is a parameter and nothing else, and discards the
// plan when another value is bound, also if it is the same.
func steady(statement string) string { return strings.ReplaceAll(statement, "LIMIT ?", "LIMIT ? + 0") }

// counted knows how many arguments a statement takes, once it was found out.
var counted sync.Map

// countArguments refuses arguments that no parameter asks for, which the
// platform refuses and the driver would pass over. The driver tells of missing
// ones alone, so an EXPLAIN that lacks the last one has to fail.
func (s *SQLite) countArguments(statement string, args []driver.NamedValue) error {
	if n, ok := counted.Load(statement); len(args) == 0 || ok && n == len(args) {
		return nil
	}
	last := len(args) - 1
	rows, err := s.conn.(driver.QueryerContext).QueryContext(context.Background(), "EXPLAIN "+statement, args[:last])
	if err == nil {
		return errors.Join(fmt.Errorf("%d arguments are too many", len(args)), rows.Close())
	}
	counted.Store(statement, len(args))
	return nil
}

func readAll(rows driver.Rows) ([]durable.Row, error) {
	var out []durable.Row
	values := make([]driver.Value, len(rows.Columns()))
	for {
		err := rows.Next(values)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		row := make(durable.Row, len(values))
		for i, v := range values {
			if row[i], err = result(v); err != nil {
				return nil, fmt.Errorf("column %q: %w", rows.Columns()[i], err)
			}
		}
		out = append(out, row)
	}
}
