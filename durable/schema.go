package durable

// Schema is the tables of one room, as a list of statements that only ever
// grows at its end: statement i takes the tables from version i to i+1.
type Schema struct {
	// Room is the name under which the version is kept.
	Room string
	// Steps are the statements.
	Steps []string
}

// Migrate brings the tables of the given rooms up to date. It reads one row a
// room when there is nothing to do. It panics when storage was written by a
// newer version of the program, since going on could destroy what that wrote.
func Migrate(tx *Tx, schemas ...Schema) {
	tx.SQL(`CREATE TABLE IF NOT EXISTS room_version (room TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID`)
	have := map[string]int{}
	for _, row := range tx.SQL(`SELECT room, version FROM room_version`) {
		have[row.Text(0)] = int(row.Int(1))
	}
	for _, s := range schemas {
		from := have[s.Room]
		if from > len(s.Steps) {
			panic("durable: the tables of " + s.Room + " were written by a newer version of this program")
		}
		if from == len(s.Steps) {
			continue
		}
		for _, step := range s.Steps[from:] {
			tx.SQL(step)
		}
		tx.SQL(`INSERT INTO room_version (room, version) VALUES (?, ?)
			ON CONFLICT (room) DO UPDATE SET version = excluded.version`, s.Room, len(s.Steps))
	}
}
