package durable_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// written finds the tables that a source file writes in its SQL.
var written = regexp.MustCompile("(?:INSERT (?:OR [A-Z]+ )?INTO|UPDATE|DELETE FROM) ([a-z_]+)")

// created finds the tables that a schema makes.
var created = regexp.MustCompile(`CREATE TABLE (?:IF NOT EXISTS )?([a-z_]+) ?\(`)

// listed finds a row of the list of tables: the table, its bound, what goes first, and the test that fills it.
var listed = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$")

// sources calls a function with each source file of the core.
func sources(t *testing.T, each func(path, source string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "durabletest"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		source, err := os.ReadFile(path)
		if err == nil {
			each(path, string(source))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestEachTableHasAnEnd checks that the list of tables names every table, what bounds it, and a test that
// fills it. A table that is a step on the way to another one is not listed.
func TestEachTableHasAnEnd(t *testing.T) {
	text, err := os.ReadFile("limit/tables.md")
	if err != nil {
		t.Fatal(err)
	}
	made, tests := map[string]bool{}, map[string]string{}
	sources(t, func(path, source string) {
		if strings.HasSuffix(path, "_test.go") {
			tests[filepath.Dir(path)] += source
			return
		}
		for _, m := range created.FindAllStringSubmatch(source, -1) {
			made[m[1]] = true
		}
		for _, m := range regexp.MustCompile("ALTER TABLE ([a-z_]+) RENAME TO").FindAllStringSubmatch(source, -1) {
			delete(made, m[1])
		}
	})
	delete(made, "message_at") // it became message
	delete(made, "alarm")      // it was dropped, as was mcp_key
	delete(made, "mcp_key")
	if len(made) < 50 {
		t.Errorf("only %d tables are found: the pattern is wrong", len(made))
	}
	rows := listed.FindAllStringSubmatch(string(text), -1)
	for _, row := range rows {
		table, filled := row[1], row[4]
		if !made[table] {
			t.Errorf("the table %s is listed twice, or there is none", table)
		}
		delete(made, table)
		room, test, _ := strings.Cut(filled, " ")
		switch {
		case filled == "-" && table == "message": // the list says so
		case !strings.Contains(tests[room], "\nfunc "+test+"(t *testing.T)"):
			t.Errorf("no test fills the table %s: %s", table, filled)
		case test == "TestTablesEnd" && !strings.Contains(tests[room], "\n\t\t\""+table+"\": "):
			t.Errorf("%s does not fill the table %s", test, table)
		}
	}
	for table := range made {
		t.Errorf("the table %s is not listed in limit/tables.md, with what bounds it and a test that fills it", table)
	}
}

// TestEachTableHasOneWriter checks that the rows of a table are written by one package. The steps
// of a schema do not count: they stand in one list, because its length is stored.
func TestEachTableHasOneWriter(t *testing.T) {
	writers := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "durabletest"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"), d.Name() == "schema.go":
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range written.FindAllStringSubmatch(string(source), -1) {
			if room := filepath.Dir(path); !slices.Contains(writers[m[1]], room) {
				writers[m[1]] = append(writers[m[1]], room)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(writers) < 25 {
		t.Errorf("only %d tables are found: the pattern is wrong", len(writers))
	}
	for table, rooms := range writers {
		if len(rooms) > 1 {
			t.Errorf("the table %s is written by %s", table, strings.Join(rooms, " and "))
		}
	}
}
