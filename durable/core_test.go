package durable_test

import (
	"reflect"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// TestAlarmFollowsTheSchedule holds the alarm to the earliest entry, and sets it
// only when that has changed.
func TestAlarmFollowsTheSchedule(t *testing.T) {
	storage := durabletest.Memory(t)
	step := func(now int64, f func(tx *durable.Tx)) []durable.Command {
		tx := durable.NewTx(now, storage, durabletest.Rand(1))
		f(tx)
		durable.Arm(tx)
		return tx.Commands()
	}
	step(0, func(tx *durable.Tx) { durable.Migrate(tx, durable.ScheduleSchema) })
	steps := []struct {
		name string
		now  int64
		do   func(tx *durable.Tx)
		want []durable.Command
	}{
		{"the first entry sets it", 1, func(tx *durable.Tx) { tx.Schedule("a", "1", 50) }, []durable.Command{durable.SetAlarm{At: 50}}},
		{"a later one leaves it", 2, func(tx *durable.Tx) { tx.Schedule("b", "1", 60) }, nil},
		{"an earlier one moves it", 3, func(tx *durable.Tx) { tx.Schedule("b", "1", 40) }, []durable.Command{durable.SetAlarm{At: 40}}},
		{"an untouched schedule costs nothing", 4, func(*durable.Tx) {}, nil},
		{"a spent alarm is set again for what is left", 40, func(tx *durable.Tx) {
			if got, want := durable.TakeDue(tx), []durable.Due{{Kind: "b", ID: "1"}}; !reflect.DeepEqual(got, want) {
				t.Errorf("due %v, want %v", got, want)
			}
		}, []durable.Command{durable.SetAlarm{At: 50}}},
		{"an alarm that came early takes nothing", 41, func(tx *durable.Tx) {
			if got := durable.TakeDue(tx); got != nil {
				t.Errorf("due %v", got)
			}
		}, []durable.Command{durable.SetAlarm{At: 50}}},
		{"nothing left takes it away", 42, func(tx *durable.Tx) { tx.Unschedule("a", "1") }, []durable.Command{durable.SetAlarm{}}},
	}
	for _, s := range steps {
		if got := step(s.now, s.do); !reflect.DeepEqual(got, s.want) {
			t.Errorf("%s: got %v, want %v", s.name, got, s.want)
		}
	}
}

// TestMigrate runs only what is new, and refuses what a newer program wrote.
func TestMigrate(t *testing.T) {
	tx := durable.NewTx(1, durabletest.Memory(t), durabletest.Rand(1))
	v1 := durable.Schema{Room: "x", Steps: []string{`CREATE TABLE x (a)`}}
	v2 := durable.Schema{Room: "x", Steps: append(v1.Steps, `INSERT INTO x VALUES (1)`)}
	durable.Migrate(tx, v1)
	durable.Migrate(tx, v2)
	durable.Migrate(tx, v2)
	if n := tx.SQL(`SELECT COUNT(*) FROM x`)[0].Int(0); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
	defer func() {
		if recover() == nil {
			t.Error("an older program took over newer tables")
		}
	}()
	durable.Migrate(tx, v1)
}

// TestRowReadsDamageAsNothing: an object starts whatever its storage holds.
func TestRowReadsDamageAsNothing(t *testing.T) {
	row := durable.Row{nil, int64(1), 2.0, "t", []byte("b"), `{"a":1}`}
	if row.Int(0) != 0 || row.Int(1) != 1 || row.Int(2) != 2 || row.Text(0) != "" || row.Text(3) != "t" || string(row.Blob(4)) != "b" || row.Blob(0) != nil || string(row.JSON(5)) != `{"a":1}` {
		t.Error("a value was read wrongly")
	}
	if row.Int(3) != 0 || row.Text(1) != "" || row.Blob(3) != nil || row.JSON(3) != nil || row.JSON(1) != nil {
		t.Error("damage was read as something")
	}
}
