package loss_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/internal/loss"
	"github.com/tributary-agents/tributary/durable/internal/setting"
)

// open returns a transaction of a fresh object.
func open(t *testing.T) *durable.Tx {
	t.Helper()
	storage, err := durabletest.OpenSQLite("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = storage.Close() })
	tx := durable.NewTx(1, storage, durabletest.Rand(1))
	tx.SQL(`CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`)
	return tx
}

// TestOf checks what an object believes of its loss, by what its host knows and what is stored.
func TestOf(t *testing.T) {
	for _, test := range []struct {
		name      string
		told      durable.Loss
		announced bool
		want      durable.Loss
	}{
		{"between two events", durable.LostQuietly, false, durable.LostQuietly},
		{"inside an event, with the process", durable.LostQuietly, true, durable.LostInEvent},
		{"by a trap", durable.LostByTrap, false, durable.LostByTrap},
		{"by a trap in an announced event", durable.LostByTrap, true, durable.LostByTrap},
		{"by another object, before the announced event", durable.LostBetween, true, durable.LostQuietly},
		{"by another object, in the announcement", durable.LostBetween, false, durable.LostQuietly},
	} {
		t.Run(test.name, func(t *testing.T) {
			tx := open(t)
			if test.announced {
				loss.Announce(tx)
			}
			if got := loss.Of(tx, test.told, setting.Text(tx, loss.Begun)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if left := setting.Text(tx, loss.Begun); left != "" {
				t.Errorf("the announcement is left: %q", left)
			}
		})
	}
}

// TestAgain counts losses at places: work is given up at the third at one place, in a row, within a day.
func TestAgain(t *testing.T) {
	const day = 24 * 60 * 60_000
	for _, test := range []struct {
		name   string
		places []string
		every  int64
		want   []bool
	}{
		{"the same place", []string{"a", "a", "a"}, 1, []bool{false, false, true}},
		{"it got on between", []string{"a", "a", "b", "b", "b"}, 1, []bool{false, false, false, false, true}},
		{"given up, and counted anew", []string{"a", "a", "a", "a"}, 1, []bool{false, false, true, false}},
		{"a day apart", []string{"a", "a", "a"}, day, []bool{false, false, true}},
		{"more than a day apart", []string{"a", "a", "a"}, day + 1, []bool{false, false, false}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tx := open(t)
			for i, place := range test.places {
				tx.Now += test.every
				if got := loss.Again(tx, place); got != test.want[i] {
					t.Errorf("loss %d: got %v", i+1, got)
				}
			}
		})
	}
}

// TestAgainAt counts losses that any of several works may have caused: only the one that has not got on is given up.
func TestAgainAt(t *testing.T) {
	tx := open(t)
	for i, places := range [][]string{{"a/1", "b/1"}, {"a/2", "b/1"}, {"a/3", "b/1"}} {
		got := loss.AgainAt(tx, places...)
		if want := i == 2; (len(got) == 1 && got[0] == "b/1") != want || !want && len(got) > 0 {
			t.Errorf("loss %d: given up are %v", i+1, got)
		}
	}
	if got := loss.AgainAt(tx, "a/3"); len(got) > 0 {
		t.Errorf("its second loss: given up are %v", got)
	}
	if got := loss.AgainAt(tx, "a/3"); len(got) != 1 {
		t.Errorf("its third loss: given up are %v", got)
	}
	if got := loss.AgainAt(tx); len(got) > 0 {
		t.Errorf("given up are %v", got)
	}
}
