package durable_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// TestAlarmFollowsTheSchedule shows that the alarm is never later than the earliest entry, is set only
// if it would be, and goes off for nothing at most once.
func TestAlarmFollowsTheSchedule(t *testing.T) {
	storage := durabletest.Memory(t)
	var alarm durable.Alarm
	step := func(now int64, f func(tx *durable.Tx)) []durable.Command {
		tx := durable.NewTx(now, storage, durabletest.Rand(1))
		f(tx)
		alarm.Arm(tx)
		return tx.Commands()
	}
	step(0, func(tx *durable.Tx) { durable.Migrate(tx, durable.ScheduleSchema) })
	fire := func(tx *durable.Tx) { alarm.Fired(tx); durable.TakeDue(tx) }
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
			alarm.Fired(tx)
			if got, want := durable.TakeDue(tx), []durable.Due{{Kind: "b", ID: "1"}}; !reflect.DeepEqual(got, want) {
				t.Errorf("due %v, want %v", got, want)
			}
		}, []durable.Command{durable.SetAlarm{At: 50}}},
		{"an alarm that came early takes nothing", 41, func(tx *durable.Tx) {
			alarm.Fired(tx)
			if got := durable.TakeDue(tx); got != nil {
				t.Errorf("due %v", got)
			}
		}, []durable.Command{durable.SetAlarm{At: 50}}},
		{"nothing left leaves it", 42, func(tx *durable.Tx) { tx.Unschedule("a", "1") }, nil},
		{"a later entry leaves it", 43, func(tx *durable.Tx) { tx.Schedule("a", "1", 70) }, nil},
		{"an entry before it moves it", 44, func(tx *durable.Tx) { tx.Schedule("b", "1", 45) }, []durable.Command{durable.SetAlarm{At: 45}}},
		{"an alarm that went off is set for what is left", 45, fire, []durable.Command{durable.SetAlarm{At: 70}}},
		{"all is done before it", 46, func(tx *durable.Tx) { tx.Unschedule("a", "1") }, nil},
		{"it goes off for nothing, and is not set again", 70, fire, nil},
		{"nothing is touched", 71, func(*durable.Tx) {}, nil},
		{"a time that has come is no time to wait for", 72, func(tx *durable.Tx) {
			tx.Schedule("a", "1", 72)
			alarm.Arm(tx)
			alarm.Fired(tx)
			durable.TakeDue(tx)
		}, []durable.Command{durable.SetAlarm{At: 72}}},
		{"an alarm of tomorrow", 80, func(tx *durable.Tx) { tx.Schedule("a", "1", 86_400_000) }, []durable.Command{durable.SetAlarm{At: 86_400_000}}},
		{"is taken away when nothing is left", 81, func(tx *durable.Tx) { tx.Unschedule("a", "1") }, []durable.Command{durable.SetAlarm{}}},
	}
	for _, s := range steps {
		if got := step(s.now, s.do); !reflect.DeepEqual(got, s.want) {
			t.Errorf("%s: got %v, want %v", s.name, got, s.want)
		}
	}
}

// TestAlarmIsSetByEachLife loses alarms in every way: the platform gives one up, a command is not
// performed, an alarm of an earlier life is on its way.
func TestAlarmIsSetByEachLife(t *testing.T) {
	set := func(at int64) []durable.Command { return []durable.Command{durable.SetAlarm{At: at}} }
	type step struct {
		name string
		now  int64
		do   func(tx *durable.Tx, alarm *durable.Alarm)
		want []durable.Command
	}
	open := func(_ *durable.Tx, alarm *durable.Alarm) { *alarm = durable.Alarm{} }
	nothing := func(*durable.Tx, *durable.Alarm) {}
	fire := func(tx *durable.Tx, alarm *durable.Alarm) { alarm.Fired(tx); durable.TakeDue(tx) }
	tests := []struct {
		name  string
		steps []step
	}{
		{"what is to come", []step{{"a new life sets it", 10, open, set(100_000)}, {"once", 11, nothing, nil}}},
		{"what is overdue", []step{
			{"a short time", 100_005, open, set(101_005)},
			{"a quarter of a minute, as when a server starts", 115_000, open, set(116_000)},
			{"a longer time", 260_000, open, set(270_000)},
			{"a day", 86_500_000, open, set(86_530_000)},
			{"it is waited for", 86_500_001, nothing, nil},
			{"the alarm comes and nothing is left", 86_530_000, fire, nil},
		}},
		{"an alarm of before opens the object", []step{
			{"the object is opened", 100_000, open, set(100_000)},
			{"the alarm takes the new one away", 100_000, fire, set(0)},
			{"which is told once", 100_001, nothing, nil},
		}},
		{"an alarm that does not come", []step{
			{"the object is opened", 10, open, set(100_000)},
			{"it is awaited", 159_999, nothing, nil},
			{"it is set again", 160_000, nothing, set(163_750)},
			{"it is awaited again", 223_749, nothing, nil},
			{"and set again", 223_750, nothing, set(231_484)},
			{"until it comes", 223_751, fire, set(0)},
		}},
		{"an alarm that was given up does not stay, though the next entry is due later", []step{
			{"the object is opened", 10, open, set(100_000)},
			{"its entry moves", 130_000, func(tx *durable.Tx, _ *durable.Alarm) { tx.Schedule("a", "1", 300_000) }, set(300_000)},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			storage := durabletest.Memory(t)
			begin := durable.NewTx(0, storage, durabletest.Rand(1))
			durable.Migrate(begin, durable.ScheduleSchema)
			begin.Schedule("a", "1", 100_000)
			var alarm durable.Alarm
			for _, s := range test.steps {
				tx := durable.NewTx(s.now, storage, durabletest.Rand(1))
				s.do(tx, &alarm)
				alarm.Arm(tx)
				if got := tx.Commands(); !reflect.DeepEqual(got, s.want) {
					t.Errorf("%s: got %v, want %v", s.name, got, s.want)
				}
			}
		})
	}
}

// TestMigrate runs only new statements, and refuses storage of a newer program.
func TestMigrate(t *testing.T) {
	tx := durable.NewTx(1, durabletest.Memory(t), durabletest.Rand(1))
	v1 := durable.Schema{Component: "x", Steps: []string{`CREATE TABLE x (a)`}}
	v2 := durable.Schema{Component: "x", Steps: append(v1.Steps, `INSERT INTO x VALUES (1)`)}
	durable.Migrate(tx, v1)
	durable.Migrate(tx, v2)
	durable.Migrate(tx, v2)
	if n := tx.SQL(`SELECT COUNT(*) FROM x`)[0].Int(0); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
	defer func() {
		if p := recover(); p != (durable.NewerStorage{Component: "x", Stored: 2, Known: 1}) {
			t.Errorf("an older program has opened newer tables: %v", p)
		}
	}()
	durable.Migrate(tx, v1)
}

// TestTablesAreMadeByNeed makes tables of two components by their first rows, and reads those that
// are not made.
func TestTablesAreMadeByNeed(t *testing.T) {
	layout := durable.NewLayout(
		durable.Schema{Component: "x", ByNeed: 1, Steps: []string{`CREATE TABLE a (n); CREATE TABLE b (n)`}, Parts: []string{
			`CREATE TABLE a (n INTEGER)`,
			`CREATE INDEX a_n ON a (n)`,
			`CREATE TABLE b (n INTEGER); CREATE TABLE b_more (n INTEGER)`,
		}},
		durable.Schema{Component: "y", Steps: []string{`CREATE TABLE c (n INTEGER)`, `CREATE INDEX c_n ON c (n)`}},
		durable.Schema{Component: "z", Steps: []string{`CREATE TABLE d (n INTEGER)`}},
	)
	storage := durabletest.Memory(t)
	open := func() *durable.Tx {
		tx := durable.NewTx(1, storage, durabletest.Rand(1))
		new(durable.Tables).Open(tx, layout)
		return tx
	}
	tx := open()
	all := []string{"a", "a_n", "b", "b_more", "c", "c_n", "d"}
	steps := []struct {
		name string
		do   func() int64
		// want is what do returns, and made are the tables and indexes that are made then.
		want int64
		made string
	}{
		{"nothing is there", func() int64 { return int64(len(tx.SQL(`SELECT n FROM a`))) }, 0, ""},
		{"a count of nothing", func() int64 { return tx.Number(`SELECT COUNT(*) FROM a WHERE n = ?`, 1) }, 0, ""},
		{"nothing is changed", func() int64 { return int64(len(tx.SQL(`UPDATE a SET n = 1 WHERE n IN (SELECT n FROM b) RETURNING n`))) }, 0, ""},
		{"nothing is deleted", func() int64 { return int64(len(tx.SQL(`DELETE FROM "a" RETURNING n`))) }, 0, ""},
		{"two that are not there", func() int64 { return int64(len(tx.SQL(`SELECT n FROM a UNION ALL SELECT n FROM c`))) }, 0, ""},
		{"a first row", func() int64 { return tx.SQL(`INSERT INTO a (n) VALUES (?) RETURNING n`, 7)[0].Int(0) }, 7, "a"},
		{"it is there", func() int64 { return tx.Number(`SELECT n FROM a`) }, 7, "a"},
		{"another life", func() int64 { tx = open(); return tx.Number(`SELECT n FROM a`) }, 7, "a"},
		{"an index", func() int64 { tx.Make("a", "a_n"); tx.Make("a_n"); return tx.Number(`SELECT COUNT(*) FROM a`) }, 1, "a a_n"},
		{"one that is there, and one that is not", func() int64 { return int64(len(tx.SQL(`SELECT n FROM b UNION ALL SELECT n FROM a`))) }, 1, "a a_n b b_more"},
		{"one that is not there, with a count of one that is", func() int64 { return int64(len(tx.SQL(`SELECT (SELECT COUNT(*) FROM a) FROM c`))) }, 0, "a a_n b b_more"},
		{"what is deleted depends on one that is not there", func() int64 {
			return int64(len(tx.SQL(`DELETE FROM a WHERE n NOT IN (SELECT n FROM c) RETURNING n`)))
		}, 1, "a a_n b b_more c c_n"},
		{"a copy of one that is not there", func() int64 { return int64(len(tx.SQL(`INSERT OR IGNORE INTO a SELECT n FROM d RETURNING n`))) }, 0, "a a_n b b_more c c_n d"},
		{"another life of all", func() int64 { tx = open(); return tx.Number(`SELECT COUNT(*) FROM b_more`) }, 0, "a a_n b b_more c c_n d"},
	}
	for _, s := range steps {
		if got := s.do(); got != s.want {
			t.Errorf("%s: got %d, want %d", s.name, got, s.want)
		}
		for _, name := range all {
			want := slices.Contains(strings.Fields(s.made), name)
			if got := len(tx.SQL(`SELECT 1 FROM sqlite_schema WHERE name = ?`, name)) > 0; got != want || tx.Made(name) != want {
				t.Errorf("%s: %s is made: %t, known: %t, want %t", s.name, name, got, tx.Made(name), want)
			}
		}
	}
}

// TestStepsOfTablesThatAreNotMade brings storage up to date in which one of two tables is made.
func TestStepsOfTablesThatAreNotMade(t *testing.T) {
	v1 := durable.Schema{Component: "x", ByNeed: 2, Steps: []string{`CREATE TABLE a (n)`, `CREATE TABLE b (n)`}, Parts: []string{`CREATE TABLE a (n)`, `CREATE TABLE b (n)`}}
	v2 := v1
	v2.Steps = append(slices.Clone(v1.Steps), `ALTER TABLE a ADD COLUMN m`, `ALTER TABLE b ADD COLUMN m`, `CREATE INDEX b_m ON b (m)`, `CREATE INDEX a_m ON a (m)`, `DROP INDEX b_m`, `DROP INDEX a_m`,
		`CREATE TABLE c (m)`, `INSERT INTO c SELECT m FROM a`, `INSERT INTO c SELECT m FROM b`, `DROP TABLE b`)
	v2.Parts = []string{`CREATE TABLE a (n, m)`, `CREATE TABLE c (m)`}
	tx := durable.NewTx(1, durabletest.Memory(t), durabletest.Rand(1))
	open := func(s durable.Schema) { new(durable.Tables).Open(tx, durable.NewLayout(s)) }
	open(v1)
	tx.SQL(`INSERT INTO a (n) VALUES (1)`)
	open(v2)
	tx.SQL(`UPDATE a SET m = 2`)
	if n := tx.Number(`SELECT n + m FROM a`); n != 3 {
		t.Errorf("the row is %d, want 3", n)
	}
	if n := tx.Number(`SELECT COUNT(*) FROM c`); n != 1 {
		t.Errorf("%d rows were copied, want 1", n)
	}
	defer func() {
		if recover() == nil {
			t.Error("an older program took over newer tables")
		}
	}()
	open(v1)
}

// TestRowReadsDamageAsNothing shows that an object starts whatever its storage holds.
func TestRowReadsDamageAsNothing(t *testing.T) {
	row := durable.Row{nil, int64(1), 2.0, "t", []byte("b"), `{"a":1}`}
	if row.Int(0) != 0 || row.Int(1) != 1 || row.Int(2) != 2 || row.Text(0) != "" || row.Text(3) != "t" || string(row.Blob(4)) != "b" || row.Blob(0) != nil || string(row.JSON(5)) != `{"a":1}` {
		t.Error("a value was read wrongly")
	}
	if row.Int(3) != 0 || row.Text(1) != "" || row.Blob(3) != nil || row.JSON(3) != nil || row.JSON(1) != nil {
		t.Error("damage was read as something")
	}
}

// notes is a copy of rows.
type notes struct{ n int }

func (c *notes) Bytes() int { return c.n }

// TestCopiesOfRowsLiveAsLongAsTheObject keeps a copy in memory, and opens the object again.
func TestCopiesOfRowsLiveAsLongAsTheObject(t *testing.T) {
	storage := durabletest.Memory(t)
	var tables durable.Tables
	tx := durable.NewTx(1, storage, durabletest.Rand(1))
	durable.Kept[notes](tx).n = 7
	if n := durable.Kept[notes](tx).n; n != 0 {
		t.Errorf("%d is kept without a memory", n)
	}
	tables.Open(tx, durable.NewLayout(durable.ScheduleSchema))
	durable.Kept[notes](tx).n = 7
	later := durable.NewTx(2, storage, durabletest.Rand(1))
	later.Use(&tables)
	if n := durable.Kept[notes](later).n; n != 7 || tables.Bytes() != 7 {
		t.Errorf("%d is kept, in %d bytes, want 7", n, tables.Bytes())
	}
	tables.Open(later, durable.NewLayout(durable.ScheduleSchema))
	if n := durable.Kept[notes](later).n; n != 0 {
		t.Errorf("%d is kept by the next life", n)
	}
}
