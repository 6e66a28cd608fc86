package chat_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// scenes leave something of everything in storage.
var scenes = map[string]struct{ class, script string }{
	"an answer in the making": {"Boss", `say a R1 u1: one chunks=5 delay=10
run
say a R2 u2: two chunks=5 delay=10
tick
tick
say a R3 u3: three chunks=1`},
	"helpers at work": {"Boss", `say a R1 u1: tool=compare chunks=5 delay=10
tick
tick`},
	"a run that reports": {"Overseer", `say a R1 u1: tool=research class=Reporter progress=0.5 reach=drafted say=words sleep=1h
tick 1s`},
	"a detached run that was not handed over": {"Overseer", `say a R1 u1: tool=research class=Reporter detached=flaky
tick 1s`},
	"a milestone that is awaited": {"Overseer", `say a R1 u1: tool=join
tick 500ms`},
	"a tool that sleeps": {"Worker", `say a R1 u1: tool=research
tick`},
	"calls that wait for turns": {"Clerk", `frame a {"type":"rpc","id":"c1","method":"runTurn","args":[{"text":"chunks=5 delay=10","id":"s1","key":"k1","mode":"stream"}]}
frame a {"type":"rpc","id":"c2","method":"runTurn","args":[{"text":"chunks=1","id":"s2","mode":"wait"}]}
tick`},
	"a message that waits until it is quiet": {"Debouncing", `say a R1 u1: one chunks=1
say a R2 u2: two chunks=1
tick`},
	"messages that were merged": {"Merging", `say a R1 u1: one chunks=1 delay=10
say a R2 u2: two chunks=1
say a R3 u3: three chunks=1`},
	"a question to a person": {"Asker", `say a R1 u1: Research otters
run`},
}

// garbage is neither JSON nor a number.
const garbage = "\x01{["

// TestAnObjectStartsWhateverItsStorageHolds damages one column after the other, loses
// the memory, and expects that nothing traps, and that a person who clears the
// conversation is answered again (invariant I10).
func TestAnObjectStartsWhateverItsStorageHolds(t *testing.T) {
	done := map[column]bool{}
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		scene := scenes[name]
		for _, column := range columns(t, scene.class, scene.script) {
			if done[column] {
				continue
			}
			done[column] = true
			t.Run(name+"/"+column.table+"."+column.name, func(t *testing.T) {
				survive(t, scene.class, scene.script, column)
			})
		}
	}
}

type column struct{ table, name string }

// columns are those of the tables that hold something after a scene.
func columns(t *testing.T, class, script string) []column {
	_, engine := play(t, class, script)
	defer func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	}()
	var list []column
	for _, row := range sql(t, engine, `SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name != 'room_version' AND NOT (p.pk AND p.type = 'INTEGER' AND m.sql NOT LIKE '%WITHOUT ROWID%')`) {
		c := column{row.Text(0), row.Text(1)}
		if sql(t, engine, fmt.Sprintf(`SELECT COUNT(*) FROM "%s"`, c.table))[0].Int(0) > 0 {
			list = append(list, c)
		}
	}
	return list
}

func play(t *testing.T, class, script string) (*durabletest.World, *durabletest.Native) {
	t.Helper()
	engine := durabletest.NewNative(1, chattest.Classes()...)
	w := durabletest.NewWorld(engine, class, "room")
	do(t, w, "connect a\n"+script)
	return w, engine
}

func do(t *testing.T, w *durabletest.World, script string) string {
	t.Helper()
	transcript, err := durabletest.Replay(w, script)
	if err != nil {
		t.Fatal(err)
	}
	return transcript
}

func sql(t *testing.T, engine *durabletest.Native, statement string, args ...any) []durable.Row {
	t.Helper()
	storage, err := engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := storage.SQL(statement, args)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func survive(t *testing.T, class, script string, c column) {
	t.Helper()
	w, engine := play(t, class, script)
	defer func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	}()
	sql(t, engine, fmt.Sprintf(`UPDATE OR IGNORE "%s" SET "%s" = ?`, c.table, c.name), garbage)
	told := do(t, w, `crash
connect b
probe b p
tick 2h
clear b
say b R9 u9: nine chunks=1
tick 2h`)
	if strings.Contains(told, "trap") {
		t.Errorf("it trapped:\n%s", tail(told))
	}
	if !strings.Contains(told, `"id":"R9","body":"","done":true,"outcome":"completed"`) {
		t.Errorf("the next message was not answered:\n%s", tail(told))
	}
}

func tail(s string) string {
	lines := strings.Split(s, "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}
