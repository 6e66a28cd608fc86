//go:build !wasm

package durabletest

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

func open(t *testing.T, path string) *SQLite {
	t.Helper()
	s, err := OpenSQLite(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func run(t *testing.T, s *SQLite, statement string, args ...any) []durable.Row {
	t.Helper()
	rows, err := s.SQL(statement, args)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return rows
}

func TestSQLiteValues(t *testing.T) {
	s := open(t, "")
	run(t, s, `CREATE TABLE v (i INTEGER, r REAL, s TEXT, b BLOB)`)
	for _, test := range []struct {
		name      string
		statement string
		args      []any
		want      durable.Row
	}{
		{"every type", `SELECT ?, ?, ?, ?`, []any{int64(-7), 1.5, "é\x00x", []byte{0, 255}}, durable.Row{int64(-7), 1.5, "é\x00x", []byte{0, 255}}},
		{"nothing", `SELECT ?, ?`, []any{nil, []byte(nil)}, durable.Row{nil, nil}},
		{"empty text and blob", `SELECT ?, ?`, []any{"", []byte{}}, durable.Row{"", []byte{}}},
		{"go's own integers", `SELECT ?, ?, ?`, []any{3, true, false}, durable.Row{int64(3), int64(1), int64(0)}},
		{"a whole real is an integer", `SELECT 2.0, -0.0`, nil, durable.Row{int64(2), int64(0)}},
		{"the largest integers", `SELECT ?, ?`, []any{int64(1<<53 - 1), int64(-(1<<53 - 1))}, durable.Row{int64(1<<53 - 1), int64(-(1<<53 - 1))}},
		{"beyond them it is a float", `SELECT 9007199254740993`, nil, durable.Row{float64(1 << 53)}},
		{"numbers are bound as real", `SELECT typeof(?), ? || ''`, []any{5, 5}, durable.Row{"real", "5.0"}},
		{"a column's affinity decides", `INSERT INTO v VALUES (?, ?, ?, ?) RETURNING typeof(i), typeof(r), s, typeof(b)`, []any{5, 5, 5, 5}, durable.Row{"integer", "real", "5.0", "real"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := run(t, s, test.statement, test.args...)
			if got := rows[0]; !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %#v, want %#v", got, test.want)
			}
		})
	}
}

func TestSQLiteRefusals(t *testing.T) {
	s := open(t, "")
	for _, test := range []struct {
		name, statement string
		args            []any
	}{
		{"no such table", `SELECT * FROM absent`, nil},
		{"nonsense", `SELEKT`, nil},
		{"an argument too few", `SELECT ?, ?`, []any{1}},
		{"an argument too many", `SELECT ?`, []any{1, 2}},
		{"a type that no column has", `SELECT ?`, []any{struct{}{}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if rows, err := s.SQL(test.statement, test.args); err == nil {
				t.Errorf("got %v, want an error", rows)
			}
		})
	}
	run(t, s, `SELECT 1`)
}

// TestSQLiteSizes shows that a value and a row of the platform's limit are accepted. One byte more
// is an error, wherever it comes from, and changes nothing.
func TestSQLiteSizes(t *testing.T) {
	s := open(t, "")
	run(t, s, `CREATE TABLE v (n INTEGER PRIMARY KEY, a TEXT, b BLOB)`)
	text := func(bytes int) string { return strings.Repeat("<", bytes) }
	for _, test := range []struct {
		name, statement string
		args            []any
	}{
		{"a text", `INSERT INTO v (a) VALUES (?)`, []any{text(maxValue + 1)}},
		{"a blob", `INSERT INTO v (b) VALUES (?)`, []any{[]byte(text(maxValue + 1))}},
		{"a text that is looked for", `SELECT * FROM v WHERE a = ?`, []any{text(maxValue + 1)}},
		{"a row", `INSERT INTO v (a, b) VALUES (?, ?)`, []any{text(maxValue / 2), text(maxValue / 2)}},
		{"a row that grows", `UPDATE v SET b = ?`, []any{text(maxValue / 2)}},
		{"a text that a statement makes", `SELECT ? || ?`, []any{text(maxValue / 2), text(maxValue/2 + 1)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			run(t, s, `DELETE FROM v`)
			run(t, s, `INSERT INTO v (a) VALUES (?)`, text(maxValue-100))
			run(t, s, `SELECT ?, ?`, text(maxValue), []byte(text(maxValue)))
			if _, err := s.SQL(test.statement, test.args); err == nil {
				t.Error("got nil, want an error")
			}
			if got := run(t, s, `SELECT octet_length(a), b FROM v`); len(got) != 1 || got[0].Int(0) != maxValue-100 || got[0][1] != nil {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestSQLiteTransaction(t *testing.T) {
	path := filepath.Join(t.TempDir(), "object.db")
	s := open(t, path)
	run(t, s, `CREATE TABLE n (v INTEGER)`)
	for _, end := range []func() error{s.Commit, s.Rollback} {
		if err := s.Begin(); err != nil {
			t.Fatal(err)
		}
		run(t, s, `INSERT INTO n VALUES (1)`)
		if err := end(); err != nil {
			t.Fatal(err)
		}
	}
	run(t, s, `CREATE TABLE parent (id INTEGER PRIMARY KEY)`)
	run(t, s, `CREATE TABLE orphan (parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)`)
	if err := s.Begin(); err != nil {
		t.Fatal(err)
	}
	run(t, s, `INSERT INTO n VALUES (1)`)
	run(t, s, `INSERT INTO orphan VALUES (7)`)
	if err := s.Commit(); err == nil {
		t.Error("commit of what breaks a constraint: got nil, want an error")
	}
	if err := s.Commit(); err == nil {
		t.Error("commit without a transaction: got nil, want an error")
	}
	if err := s.Begin(); err != nil {
		t.Fatal(err)
	}
	if err := s.Begin(); err == nil {
		t.Error("second begin: got nil, want an error")
	}
	run(t, s, `INSERT INTO n VALUES (1)`)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := run(t, open(t, path), `SELECT count(*) FROM n`)[0].Int(0); got != 1 {
		t.Errorf("rows after reopening: got %d, want 1", got)
	}
}

func BenchmarkSQLiteOpen(b *testing.B) {
	for b.Loop() {
		s, err := OpenSQLite("")
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
