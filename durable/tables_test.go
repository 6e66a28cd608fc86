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
