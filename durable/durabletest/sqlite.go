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
	"runtime"
	"strings"
	"sync"

	"modernc.org/sqlite"

	"github.com/tributary-agents/tributary/durable"
)

// SQLite is a [durable.Storage] over one SQLite database. It treats values as the platform's
// storage does, where every number is a JavaScript number: integers are bound as REAL (a column's
// affinity makes integers of them, bare expressions and TEXT columns do not), and a whole REAL is
// read back as int64. So a program that passes here gets the same values there.
//
// It is for one goroutine at a time. Close it: its memory is outside of Go's heap. A database that nobody closes is closed
// when nothing refers to it any more, as files are.
type SQLite struct {
	storageFaults
	db       *sql.DB
	conn     driver.Conn
	prepared map[string]driver.Stmt
	tx       driver.Tx
	// written counts the statements that write, by their table.
	written map[string]int
	// statements counts the statements that have run, and returned the rows that they returned.
	statements, returned int64
	// cleanup closes the database if nobody does.
	cleanup runtime.Cleanup
}

// OpenSQLite opens the database in the file at path, and creates it if it does not exist. If path
// is "", it opens a new database in memory.
func OpenSQLite(path string) (*SQLite, error) {
	if path == "" {
		path = ":memory:"
	}
	conn, err := (&sqlite.Driver{}).Open(path)
	if err != nil {
		return nil, fmt.Errorf("durabletest: open %s: %w", path, err)
	}
	s := &SQLite{db: sql.OpenDB(oneConn{conn}), conn: conn, prepared: map[string]driver.Stmt{}, written: map[string]int{}}
	s.cleanup = runtime.AddCleanup(s, func(r resources) { _ = r.close() }, resources{s.db, s.prepared})
	if err := s.bound(); err != nil {
		return nil, errors.Join(fmt.Errorf("durabletest: open %s: %w", path, err), s.Close())
	}
	if _, err := s.SQL(`PRAGMA foreign_keys = ON`, nil); err != nil { // as on the platform
		return nil, errors.Join(fmt.Errorf("durabletest: open %s: %w", path, err), s.Close())
	}
	return s, nil
}

// Begin opens a transaction. There is at most one.
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

// Commit commits the transaction. If it fails, the transaction is rolled back.
func (s *SQLite) Commit() error { return s.end(driver.Tx.Commit) }

// Rollback rolls the transaction back.
func (s *SQLite) Rollback() error { return s.end(driver.Tx.Rollback) }

func (s *SQLite) end(end func(driver.Tx) error) error {
	if s.tx == nil {
		return errors.New("durabletest: no transaction is open")
	}
	tx := s.tx
	s.tx = nil
	return end(tx)
}

// Close closes the database and rolls an open transaction back. A database in memory is lost.
func (s *SQLite) Close() error {
	var errs []error
	if s.tx != nil {
		errs = append(errs, s.Rollback())
	}
	s.cleanup.Stop()
	return errors.Join(append(errs, resources{s.db, s.prepared}.close())...)
}

// resources are what is freed with a database.
type resources struct {
	db       *sql.DB
	prepared map[string]driver.Stmt
}

func (r resources) close() error { return errors.Join(r.finalize(), r.db.Close()) }

// finalize frees the prepared statements. SQLite would have to prepare them again for other tables, and keeps some KB of
// memory for each, outside of Go's heap.
func (r resources) finalize() error {
	var errs []error
	for _, stmt := range r.prepared {
		errs = append(errs, stmt.Close())
	}
	clear(r.prepared)
	return errors.Join(errs...)
}

// oneConn is the only connection of a [sql.DB]. The driver sets limits only through that type.
type oneConn struct{ conn driver.Conn }

// Connect implements [driver.Connector].
func (h oneConn) Connect(context.Context) (driver.Conn, error) { return h.conn, nil }

// Driver implements [driver.Connector].
func (h oneConn) Driver() driver.Driver { return &sqlite.Driver{} }

// bound makes SQLite refuse every value and every row that is larger than the platform's storage
// allows, including one that a statement computes. From here on the database owns the connection.
func (s *SQLite) bound() error {
	conn, err := s.db.Conn(context.Background())
	if err != nil {
		return err
	}
	_, err = sqlite.Limit(conn, limitLength, maxValue)
	return errors.Join(err, conn.Close())
}

// limitLength is SQLite's number for the limit on the size of a value or row.
const limitLength = 0

// SQL implements [durable.Storage]. Statements stay prepared. The caller owns the rows.
func (s *SQLite) SQL(statement string, args []any) ([]durable.Row, error) {
	if s.tx != nil { // faults apply only within an event
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
	s.statements++
	s.returned += int64(len(out))
	return out, errors.Join(err, rows.Close())
}

// Used returns how many statements have run, and their rows. SQLite's drivers do not say how many
// rows a statement has walked through, so the rows read are those that were returned. The rows
// written are those that SQLite counts as changed, without the entries of indexes.
func (s *SQLite) Used() durable.Cost {
	stmt, err := s.prepare(`SELECT total_changes()`)
	if err != nil {
		panic(err)
	}
	rows, err := stmt.(driver.StmtQueryContext).QueryContext(context.Background(), nil)
	if err != nil {
		panic(err)
	}
	out, err := readAll(rows)
	if err = errors.Join(err, rows.Close()); err != nil {
		panic(err)
	}
	return durable.Cost{Statements: s.statements, RowsRead: s.returned, RowsWritten: out[0].Int(0)}
}

// Written counts the writes to a table, including those that were rolled back. While it stays the
// same, so do the rows.
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

// steady returns a statement that SQLite does not prepare again for every argument. If a limit is
// only a parameter, SQLite plans with its value, and discards the plan when a value is bound, even
// the same one.
func steady(statement string) string { return strings.ReplaceAll(statement, "LIMIT ?", "LIMIT ? + 0") }

// counted caches how many arguments each statement takes.
var counted sync.Map

// countArguments refuses arguments without a parameter, which the platform refuses and the driver
// ignores. The driver only reports missing arguments, so an EXPLAIN without the last argument must
// fail.
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
