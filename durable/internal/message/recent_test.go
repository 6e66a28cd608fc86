package message

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// counter is a storage that counts the rows that it returns.
type counter struct {
	*durabletest.SQLite
	rows int
}

func (c *counter) SQL(statement string, args []any) ([]durable.Row, error) {
	rows, err := c.SQLite.SQL(statement, args)
	c.rows += len(rows)
	return rows, err
}

func newConversation(t *testing.T) (*counter, *durable.Tx) {
	t.Helper()
	storage := &counter{SQLite: durabletest.Memory(t)}
	tx := durable.NewTx(1, storage, durabletest.Rand(1))
	durable.Migrate(tx, turn.Schema, durable.DamageSchema, durable.Schema{Component: "chat", Steps: []string{
		`CREATE TABLE message (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
			pictures INTEGER NOT NULL DEFAULT 0, picture_bytes INTEGER NOT NULL DEFAULT 0, claims TEXT NOT NULL DEFAULT '', body TEXT NOT NULL)`,
	}})
	tx.Use(&durable.Tables{})
	return storage, tx
}

func said(n, size int) protocol.Message {
	return protocol.UserMessage(fmt.Sprint("m", n), strings.Repeat("x", size))
}

// TestOnlyNewMessagesAreRead counts the rows of a model call behind few messages and behind many.
// Only the first one behind a loss of memory reads them all.
func TestOnlyNewMessagesAreRead(t *testing.T) {
	for _, length := range []int{10, 1_000} {
		storage, tx := newConversation(t)
		for n := range length {
			Put(tx, int64(n+1), said(n, 100), "")
		}
		for call, want := range []int{2 * length, 0, 2 * 2} {
			before := length + 1
			if call == 2 {
				Put(tx, int64(before), said(before, 100), "")
				Put(tx, int64(before+1), said(before+1, 100), "")
				before += 2
			}
			storage.rows = 0
			if got := len(ForModel(tx, 0, int64(before), PromptBudget(100_000))); got != before-1 || storage.rows != want {
				t.Errorf("call %d behind %d messages: %d are told, and %d rows are read, want %d", call, length, got, storage.rows, want)
			}
		}
	}
}

// TestKeptMessagesAreNotReadAgain counts the rows of a model call that is told more than is kept:
// older messages, because newer ones were deleted, or more than may be kept.
func TestKeptMessagesAreNotReadAgain(t *testing.T) {
	storage, tx := newConversation(t)
	told := func(before int64, want, rows int) {
		t.Helper()
		storage.rows = 0
		if got := len(ForModel(tx, 0, before, PromptBudget(1_000))); got != want || storage.rows != rows {
			t.Errorf("%d messages are told, and %d rows are read, want %d and %d", got, storage.rows, want, rows)
		}
	}
	for n := range 10 {
		Put(tx, int64(n+1), said(n, 3_000), "")
	}
	told(11, 3, 10+3) // all lengths, and three messages
	Delete(tx, "m9")
	storage.rows = 0
	told(11, 3, 7+1) // the lengths of older messages, and one of them

	storage, tx = newConversation(t)
	Put(tx, 1, said(1, maxRecent/2), "")
	Put(tx, 2, said(2, 10), "")
	told(3, 2, 2*2)
	Put(tx, 3, said(3, maxRecent/2), "")
	told(4, 2, 2*1)
}

// TestRecentIsWhatIsStored changes a conversation at random, and compares what a model is told with
// what is stored.
func TestRecentIsWhatIsStored(t *testing.T) {
	for seed := range uint64(25) {
		_, tx := newConversation(t)
		random := rand.New(rand.NewPCG(seed, 1))
		var last int64
		ids := 0
		for range 120 {
			one := func() string { return fmt.Sprint("m", random.IntN(max(ids, 1))) }
			switch place := random.Int64N(last + 1); random.IntN(12) {
			case 0:
				Delete(tx, one())
			case 1:
				Cut(tx, one(), place)
			case 2:
				m := said(0, random.IntN(40))
				m.ID = one()
				Amend(tx, m)
			case 3:
				m := said(0, random.IntN(40))
				m.ID = one()
				last++
				Put(tx, last, m, "")
			case 4:
				DeleteExcept(tx, max(place, last-3), []protocol.Listed{{ID: one()}, {ID: one()}}, "")
			case 5:
				last += 3 // a place that is taken later
				Put(tx, last, said(ids, 10), "")
				Put(tx, last-1, said(ids+1, 10), "")
				ids += 2
			case 6:
				tx.SQL(`INSERT OR IGNORE INTO message (place, id, role, body) VALUES (?, ?, 'user', '{')`, last+1, fmt.Sprint("m", ids))
				last, ids = last+1, ids+1
			default:
				last++
				Put(tx, last, said(ids, random.IntN(maxRecent/8)), "")
				ids++
			}
			from, before := max(0, last-random.Int64N(20)), last+1-random.Int64N(3)
			most := PromptBudget([]int{1_000, 30_000, 100_000}[random.IntN(3)])
			ForModel(tx, from, before, most) // sets damaged messages aside
			got := ForModel(tx, from, before, most)
			stored, _ := readNewest(tx, from, before, Budget{}, most)
			if len(got)+len(stored) > 0 && !reflect.DeepEqual(got, stored) {
				t.Fatalf("seed %d: %d messages are told from %d on and before %d, and %d are stored", seed, len(got), from, before, len(stored))
			}
			shown := NewestWithin(tx, from, before, shownBudget)
			if stored, _ := readNewest(tx, from, before, Budget{}, shownBudget); len(shown) != len(stored) {
				t.Fatalf("seed %d: %d messages are shown from %d on and before %d, and %d are stored", seed, len(shown), from, before, len(stored))
			}
			if c := durable.Kept[recent](tx); c.Bytes() > maxRecent {
				t.Fatalf("seed %d: %d bytes are kept", seed, c.Bytes())
			}
		}
	}
}
