package chat_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// scenes are scripts that together leave something in every table.
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

// TestAnObjectStartsWhateverItsStorageHolds damages one column at a time, in each scene that has
// left something in it, and loses the memory. It checks that nothing traps, and that a person who
// clears the conversation is answered again (invariant I10).
func TestAnObjectStartsWhateverItsStorageHolds(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		scene := scenes[name]
		for _, column := range columns(t, scene.class, scene.script) {
			t.Run(name+"/"+column.table+"."+column.name, func(t *testing.T) {
				t.Parallel()
				survive(t, scene.class, scene.script, column)
			})
		}
	}
}

type column struct{ table, name string }

// columns are the columns of all tables that have rows after a scene.
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

// sql returns the rows of a statement in the storage of the root. A table that is not made has none.
func sql(t *testing.T, engine *durabletest.Native, statement string, args ...any) []durable.Row {
	t.Helper()
	storage, err := engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := storage.SQL(statement, args)
	if err != nil && strings.Contains(err.Error(), "no such table") {
		chat.MakeTables(storage)
		rows, err = storage.SQL(statement, args)
	}
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
		t.Errorf("it trapped:\n%s", tailWriter(told))
	}
	if !strings.Contains(told, `"id":"R9","body":"","done":true,"outcome":"completed"`) {
		t.Errorf("the next message was not answered:\n%s", tailWriter(told))
	}
}

// TestDamageIsKept checks that reported damage is stored in a table of its own, with the damaged
// content, and that it is met only once.
func TestDamageIsKept(t *testing.T) {
	const setting = `INSERT OR REPLACE INTO setting (value, key) VALUES (?, '%s')`
	for name, c := range map[string]struct {
		scene, object, statement string
		// what begins the text of the report. held is the damaged content, or garbage if it is "".
		what, held string
	}{
		"a message":             {"a question to a person", "room", `UPDATE message SET body = ? WHERE id = 'u1'`, "message u1", ""},
		"the state":             {"a tool that sleeps", "room", fmt.Sprintf(setting, "state"), "setting state", ""},
		"the tools of a client": {"a tool that sleeps", "room", fmt.Sprintf(setting, "tools"), "setting tools", ""},
		"the window":            {"a tool that sleeps", "room", fmt.Sprintf(setting, "window"), "setting window", ""},
		"the last place":        {"a tool that sleeps", "room", fmt.Sprintf(setting, "place"), "setting place", ""},
		"when a helper wakes":   {"helpers at work", "room/helper-1.0", fmt.Sprintf(setting, "woken"), "setting woken", ""},
		"an await":              {"a tool that sleeps", "room", `UPDATE await SET result = CAST('a result' AS BLOB), place = ? WHERE name = 'sleep'`, "await 1 of call-1-", "a result"},
		"a call":                {"a tool that sleeps", "room", `UPDATE step SET turn = ?`, "call call_", `"query"`},
	} {
		t.Run(name, func(t *testing.T) {
			w, engine := play(t, scenes[c.scene].class, scenes[c.scene].script)
			defer func() {
				if err := engine.Close(); err != nil {
					t.Error(err)
				}
			}()
			storage, err := engine.Storage(c.object)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := storage.SQL(c.statement, []any{garbage}); err != nil {
				t.Fatal(err)
			}
			const again = "crash\nconnect b\nprobe b p\ntick 2h\n"
			told := do(t, w, again+"say b R9 u9: nine chunks=1\ntick 2h\n"+again)
			if n := strings.Count(told, `log error "a stored row is damaged and was set aside" what `+c.what); n != 1 {
				t.Errorf("it was reported %d times:\n%s", n, tailWriter(told))
			}
			kept, err := storage.SQL(`SELECT what, body FROM damage`, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(kept) != 1 || !strings.HasPrefix(kept[0].Text(0), c.what) || !strings.Contains(kept[0].Text(1), cmp.Or(c.held, garbage)) {
				t.Errorf("what is kept of it is %q", kept)
			}
		})
	}
}

// TestAnswerWhosePlaceIsTaken checks that such an answer is put at the end, and that the message in
// its place stays.
func TestAnswerWhosePlaceIsTaken(t *testing.T) {
	w, engine := play(t, "Boss", "say a R1 u1: one chunks=3 delay=10\ntick")
	sql(t, engine, `UPDATE turn SET place = (SELECT place FROM message WHERE id = 'u1')`)
	told := do(t, w, "crash\nconnect b\ntick 1m\nsay b R2 u2: two chunks=1\ntick 1m")
	for _, want := range []string{`"id":"R1","body":"","done":true,"outcome":"completed"`, `"id":"R2","body":"","done":true,"outcome":"completed"`, "a message's place is taken"} {
		if strings.Contains(told, "trap") || !strings.Contains(told, want) {
			t.Errorf("no %s, or a trap:\n%s", want, tailWriter(told))
		}
	}
	var roles []string
	for _, row := range sql(t, engine, `SELECT role FROM message ORDER BY place`) {
		roles = append(roles, row.Text(0))
	}
	if want := []string{"user", "assistant", "user", "assistant"}; !slices.Equal(roles, want) {
		t.Errorf("got %v, want %v", roles, want)
	}
}

// TestAnswerKeepsItsName checks that an answer keeps its id if the beginning of its log is damaged.
func TestAnswerKeepsItsName(t *testing.T) {
	w, engine := play(t, "Boss", "say a R1 u1: one chunks=5 delay=10\ntick\ntick")
	reply := sql(t, engine, `SELECT reply FROM turn`)[0].Text(0)
	sql(t, engine, `UPDATE chunk SET body = ?`, garbage)
	do(t, w, "crash\nconnect b\ntick 1m")
	if n := len(sql(t, engine, `SELECT 1 FROM message WHERE id = ? AND role = 'assistant'`, reply)); n != 1 {
		t.Errorf("the answer %s is not stored under its id", reply)
	}
}

func tailWriter(s string) string {
	lines := strings.Split(s, "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}
