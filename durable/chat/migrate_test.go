package chat_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// TestStorageOfAnEarlierVersionGoesOn opens storage from a version in which answers had no rows and
// slots no generations. A turn is under way, and its helper waits for a person. Another turn is
// queued. Slot 1 is free, although its helper was never wiped.
func TestStorageOfAnEarlierVersionGoesOn(t *testing.T) {
	engine := durabletest.NewNative(2, chattest.Classes()...)
	for _, object := range []string{"room", "room/helper-1.0", "room/helper-2.0"} {
		restore(t, engine, object)
	}
	query(t, engine, "room", `UPDATE slot SET run = NULL WHERE n = 1`)
	query(t, engine, "room", `UPDATE run SET slot = 0 WHERE seq = 1`)
	w := durabletest.NewWorld(engine, "Asker", "room")
	do := func(lines ...string) string {
		for _, line := range lines {
			if err := w.Do(line); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		return strings.Join(w.Take(), "\n")
	}
	steps := []struct {
		line string
		want []string
	}{
		{"connect b", []string{"alarm "}},
		{"tick", []string{`"kind":"started","runId":"call_3EmXzYCmjyXWLjr_"`}},
		{"approve b call_8HsMH2tsaMqwvl8F", []string{"call answer/1 helper-2 Careful"}},
		{"run", []string{
			`"id":"R2","body":"","done":true,"outcome":"completed"`,
			`"id":"R3","body":"","done":true,"outcome":"completed"`,
		}},
		{"say b R4 u4: Compare otters and seals", nil},
		{"run", []string{" helper-1 Careful", "delete helper-1", `\"type\":\"tool-approval-request\"`}},
	}
	for _, step := range steps {
		out := do(step.line)
		for _, want := range step.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: there is no %q in\n%.3000s", step.line, want, out)
			}
		}
		if strings.Contains(out, "trap") {
			t.Fatalf("%s: %.3000s", step.line, out)
		}
	}
	if got := query(t, engine, "room", `SELECT n, generation, unwiped FROM slot WHERE run IS NOT NULL ORDER BY n`); !slices.Equal(got, []string{"1 1 0", "2 0 0"}) {
		t.Errorf("the slots are %q", got)
	}
	storage, err := engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	haveAllTables(t, storage)
}

// restore gives an object the storage that a file describes.
func restore(t *testing.T, engine *durabletest.Native, object string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "storage", filepath.Base(object)+".sql"))
	if err != nil {
		t.Fatal(err)
	}
	for statement := range strings.SplitSeq(strings.TrimSuffix(string(text), ";\n"), ";\n") {
		query(t, engine, object, statement)
	}
}

// query returns the rows of a statement in an object's storage, each as a text.
func query(t *testing.T, engine *durabletest.Native, object, statement string) (list []string) {
	t.Helper()
	storage, err := engine.Storage(object)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := storage.SQL(statement, nil)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	for _, row := range rows {
		var columns []string
		for i := range row {
			columns = append(columns, fmt.Sprint(row[i]))
		}
		list = append(list, strings.Join(columns, " "))
	}
	return list
}

// TestPartsAreWhatTheStepsMake makes all tables by the steps, one after the other.
func TestPartsAreWhatTheStepsMake(t *testing.T) {
	storage := durabletest.Memory(t)
	for _, s := range chat.Schemas {
		for _, step := range s.Steps {
			if _, err := storage.SQL(step, nil); err != nil {
				t.Fatalf("%s: %v", step, err)
			}
		}
	}
	haveAllTables(t, storage)
}

// haveAllTables checks that storage has all tables in their newest shape.
func haveAllTables(t *testing.T, storage *durabletest.SQLite) {
	t.Helper()
	fresh := durabletest.Memory(t)
	chat.MakeTables(fresh)
	if got, want := tablesOf(t, storage), tablesOf(t, fresh); !slices.Equal(got, want) {
		t.Errorf("the tables are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// tablesOf returns what SQLite keeps of tables and indexes, in a form to compare.
func tablesOf(t *testing.T, storage *durabletest.SQLite) (list []string) {
	t.Helper()
	rows, err := storage.SQL(`SELECT name, sql FROM sqlite_schema WHERE name != 'room_version' ORDER BY name`, nil)
	if err != nil {
		t.Fatal(err)
	}
	same := strings.NewReplacer(`"`, "", "( ", "(")
	for _, row := range rows {
		list = append(list, row.Text(0)+": "+same.Replace(strings.Join(strings.Fields(row.Text(1)), " ")))
	}
	return list
}
