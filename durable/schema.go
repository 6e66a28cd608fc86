package durable

// Schema is the tables of one component, as a list of statements. The list only ever grows at its
// end: statement i takes the tables from version i to i+1.
type Schema struct {
	// Component is the name under which the version is stored.
	Component string
	// Steps are the statements.
	Steps []string
}

// Migrate brings the tables of the given components up to date. If there is nothing to do, it reads
// one row for each component. It panics if a newer version of the program wrote the storage,
// because going on could destroy data.
func Migrate(tx *Tx, schemas ...Schema) {
	tx.SQL(`CREATE TABLE IF NOT EXISTS room_version (room TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID`)
	have := map[string]int{}
	for _, row := range tx.SQL(`SELECT room, version FROM room_version`) {
		have[row.Text(0)] = int(row.Int(1))
	}
	for _, s := range schemas {
		from := have[s.Component]
		if from > len(s.Steps) {
			panic("durable: the tables of " + s.Component + " were written by a newer version of this program")
		}
		if from == len(s.Steps) {
			continue
		}
		for _, step := range s.Steps[from:] {
			tx.SQL(step)
		}
		tx.SQL(`INSERT INTO room_version (room, version) VALUES (?, ?)
			ON CONFLICT (room) DO UPDATE SET version = excluded.version`, s.Component, len(s.Steps))
	}
}
