package limit_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest  = regexp.MustCompile("`(Test[A-Za-z0-9]+)`")
	namedBound = regexp.MustCompile("`([a-z]+)\\.([A-Za-z]+)`")
)

// TestWorkTable checks the table of the work that somebody else decides: each row has a bound, and each constant and
// each test that it names exists.
func TestWorkTable(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	sources, tests := sourcesOf(t)
	rows := 0
	for line := range strings.Lines(string(data)) {
		columns := strings.Split(line, "|")
		if len(columns) != 7 || strings.HasPrefix(columns[1], "---") || columns[1] == " Place " {
			continue
		}
		rows++
		place, bound, named := columns[1], columns[3], namedTest.FindAllStringSubmatch(columns[5], -1)
		if strings.TrimSpace(bound) == "" || len(named) == 0 {
			t.Errorf("%s has no bound or no test", place)
		}
		for _, name := range named {
			if !strings.Contains(tests, "\nfunc "+name[1]+"(") {
				t.Errorf("%s: there is no test %s", place, name[1])
			}
		}
		for _, name := range namedBound.FindAllStringSubmatch(bound, -1) {
			declared := regexp.MustCompile(`(?m)^\s*(?:(?:const|var) )?(?:\w+, )*` + name[2] + `(?:, \w+)*(?: \w+)? +=`)
			if !declared.MatchString(sources[name[1]]) {
				t.Errorf("%s: there is no %s.%s", place, name[1], name[2])
			}
		}
	}
	if rows < 20 {
		t.Errorf("the table has %d rows", rows)
	}
}

// sourcesOf returns the text of each package of the core by its name, and that of all tests.
func sourcesOf(t *testing.T) (sources map[string]string, tests string) {
	t.Helper()
	sources = map[string]string{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.HasSuffix(path, "_test.go") {
			tests += string(text)
		} else {
			sources[filepath.Base(filepath.Dir(path))] += string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sources, tests
}
