package durable

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Schema is the tables of one component.
type Schema struct {
	// Component is the name under which the version is stored.
	Component string
	// Steps bring stored tables up to date. The list only ever grows at its end: statement i takes
	// the tables from version i to i+1. A step is left out if it needs a table that is not made.
	Steps []string
	// Parts are the tables as all steps together leave them. A part is one text: the statements
	// that make a table, or tables that are made together, with their indexes. A component whose
	// steps only make tables needs no parts: all its steps are one.
	Parts []string
	// ByNeed is the version from which on tables are made when they are first written. Storage of an
	// earlier version has all tables of that version. It is 0 if another component of the same
	// layout says it.
	ByNeed int
}

// parts returns the component's parts.
func (s Schema) parts() []string {
	if s.Parts != nil {
		return s.Parts
	}
	return []string{strings.Join(s.Steps, ";\n")}
}

// versions makes the table of the versions of the components of which a table is made.
const versions = `CREATE TABLE IF NOT EXISTS room_version (room TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID; `

// Migrate brings the tables of the given components up to date, and makes all that are missing. An
// object makes its tables by need instead, with [Tables]. Migrate panics as [Tables.Open] does.
func Migrate(tx *Tx, schemas ...Schema) {
	var t Tables
	t.Open(tx, NewLayout(schemas...))
	t.make(tx, t.layout.all&^t.made)
	tx.Use(nil)
}

// NewerStorage is what an object panics with as it is opened, before it has written anything, if a
// newer version of the program wrote its storage. Going on could destroy data. Hosts do not treat
// it as a trap: they refuse the event, and the memory of other objects stays.
type NewerStorage struct {
	// Component is the component that is newer. Stored is its version in storage, and Known the
	// version that this program knows, which is 0 if it does not know the component.
	Component     string
	Stored, Known int
}

// Error implements error.
func (e NewerStorage) Error() string {
	return fmt.Sprintf("a newer version of this program wrote the storage: its component %s has version %d, and this program knows version %d",
		e.Component, e.Stored, e.Known)
}

// refuseNewer panics with a [NewerStorage] if a stored component is newer than this layout.
func (l *Layout) refuseNewer(have map[string]int) {
	for _, name := range slices.Sorted(maps.Keys(have)) {
		known := 0
		if i := slices.IndexFunc(l.schemas, func(s Schema) bool { return s.Component == name }); i >= 0 {
			known = len(l.schemas[i].Steps)
		}
		if have[name] > known {
			panic(NewerStorage{Component: name, Stored: have[name], Known: known})
		}
	}
}

// update brings stored components up to date, and says whether it has changed anything.
func (l *Layout) update(tx *Tx) (changed bool) {
	have := map[string]int{}
	for _, row := range tx.run(`SELECT room, version FROM room_version`) {
		have[row.Text(0)] = int(row.Int(1))
	}
	l.refuseNewer(have)
	whole := false
	for _, s := range l.schemas {
		whole = whole || have[s.Component] > 0 && have[s.Component] < s.ByNeed
	}
	for _, s := range l.schemas {
		from := have[s.Component]
		if from == len(s.Steps) || from == 0 && !whole {
			continue
		}
		for _, step := range s.Steps[from:] {
			if whole || l.canRun(tx, step) {
				tx.run(step)
			}
		}
		tx.run(`INSERT INTO room_version (room, version) VALUES (?, ?)
			ON CONFLICT (room) DO UPDATE SET version = excluded.version`, s.Component, len(s.Steps))
		changed = true
	}
	return changed
}

// canRun says whether what a step needs is made: tables and indexes of this layout, or of an earlier
// one, which any step makes.
func (l *Layout) canRun(tx *Tx, step string) bool {
	verb, _, _ := strings.Cut(step, " ")
	needed := named(step, "FROM", "JOIN", "INTO", "UPDATE", "ON")
	if verb != "CREATE" {
		needed = append(needed, named(step, "TABLE", "INDEX")...)
	}
	made := schemaNames(tx)
	for _, s := range l.schemas {
		for _, earlier := range s.Steps {
			for _, name := range named(earlier, "TABLE", "INDEX", "TO") {
				if slices.Contains(needed, name) && !made[name] {
					return false
				}
			}
		}
	}
	return true
}

// schemaNames returns the names of the tables and indexes that are made.
func schemaNames(tx *Tx) map[string]bool {
	names := map[string]bool{}
	for _, row := range tx.run(`SELECT name FROM sqlite_schema`) {
		names[row.Text(0)] = true
	}
	return names
}
