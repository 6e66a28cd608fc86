package chat_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// counter is a storage that counts statements.
type counter struct {
	*durabletest.SQLite
	statements int
}

func (c *counter) SQL(statement string, args []any) ([]durable.Row, error) {
	c.statements++
	return c.SQLite.SQL(statement, args)
}

// TestOpeningCostsFewStatements opens a fresh object, and opens it again from storage.
func TestOpeningCostsFewStatements(t *testing.T) {
	storage := &counter{SQLite: durabletest.Memory(t)}
	for _, name := range []string{"fresh", "stored"} {
		storage.statements = 0
		tx := durable.NewTx(1, storage, durabletest.Rand(1))
		chattest.Class(chattest.Subject).New().Step(tx, durable.Opened{Name: "room"})
		if storage.statements != 3 {
			t.Errorf("%s: %d statements, want 3", name, storage.statements)
		}
	}
}

// TestFreshObjectsAreSmall checks the sizes of databases, in pages of 4 KiB. The platform adds a
// page of its own to a root that has an alarm.
func TestFreshObjectsAreSmall(t *testing.T) {
	engine := durabletest.NewNative(1, chattest.Classes()...)
	w := durabletest.NewWorld(engine, "Boss", "room")
	steps := []struct {
		script, slot string
		most         int64
	}{
		{"connect a", "", 3},
		{"say a R1 u1: tool=research chunks=5\ntick 1ms", "helper-1", 12},
		{"run", "helper-1", 12},
	}
	for _, step := range steps {
		do(t, w, step.script)
		storage, err := engine.Storage(w.Object(step.slot))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := storage.SQL(`PRAGMA page_count`, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := rows[0].Int(0); n < 2 || n > step.most {
			t.Errorf("%s: %s has %d pages, want %d at most", step.script, w.Object(step.slot), n, step.most)
		}
	}
}

// TestSimulatorReadsTablesOfConversations checks that the tables which the simulator takes for empty
// when they are missing are those of conversations, and made by need.
func TestSimulatorReadsTablesOfConversations(t *testing.T) {
	fresh, full := durabletest.Memory(t), durabletest.Memory(t)
	chattest.Class(chattest.Subject).New().Step(durable.NewTx(1, fresh, durabletest.Rand(1)), durable.Opened{})
	chat.MakeTables(full)
	for _, table := range stored.Tables {
		statement := `SELECT 1 FROM ` + table + ` LIMIT 1`
		if _, err := fresh.SQL(statement, nil); err == nil {
			t.Errorf("%s is made before it is needed", table)
		}
		if _, err := full.SQL(statement, nil); err != nil {
			t.Errorf("%s: %v", table, err)
		}
	}
}

// TestTablesMadeByNeedChangeNothingElse plays each scene, and a loss of memory after it, with tables
// that are made by need, and with all tables made before.
func TestTablesMadeByNeedChangeNothingElse(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		t.Run(name, func(t *testing.T) {
			scene := scenes[name]
			var transcripts [2]string
			for i := range transcripts {
				engine := durabletest.NewNative(1, chattest.Classes()...)
				if i == 1 {
					for _, object := range []string{"room", "room/helper-1.0", "room/helper-2.0", "room/helper-1.1", "room/helper-2.1"} {
						storage, err := engine.Storage(object)
						if err != nil {
							t.Fatal(err)
						}
						chat.MakeTables(storage)
					}
				}
				w := durabletest.NewWorld(engine, scene.class, "room")
				transcripts[i] = do(t, w, "connect a\n"+scene.script+"\ncrash\nconnect b\nsay b L1 l1: last chunks=1\nrun\nclear b\nsay b L2 l2: hi chunks=1\nrun")
			}
			if transcripts[0] != transcripts[1] || !strings.Contains(transcripts[0], "L2") {
				t.Errorf("by need\n%.3000s\nall before\n%.3000s", transcripts[0], transcripts[1])
			}
		})
	}
}
