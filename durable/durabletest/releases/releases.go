// Package releases keeps the storage that released versions have written, so that a test of every
// later version can open it. A folder named after a release holds one folder for each scene, which
// is a conversation that a script in the folder scenes has led somewhere. README.md has the rules.
package releases

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// Scene is the stored conversation of one release.
type Scene struct {
	// Release and Name are the names of its folders.
	Release, Name string
	// Class is the class of its root. Now and Alarm are the time at which it was stored, and when
	// the root's alarm was to go off, or 0, both in milliseconds since 1970.
	Class      string
	Now, Alarm int64
	// Objects are the objects, as a world calls them, with their classes.
	Objects map[string]string
	folder  string
}

const (
	// room is the root's object.
	room = "room"
	// Seed is the seed of the engine on which a stored scene goes on.
	Seed = 2
	// separator is the line of a scene's script behind which the released version has stored it.
	separator = "# later"
	// transcript is the action that asks for the conversation's messages.
	transcript = "get /agents/x/room/get-messages"
)

// Scenes returns the scenes of every release in a folder.
func Scenes(folder string) ([]Scene, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", "*", "scene.json"))
	if err != nil {
		return nil, err
	}
	var all []Scene
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s := Scene{folder: filepath.Dir(file)}
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		s.Name, s.Release = filepath.Base(s.folder), filepath.Base(filepath.Dir(s.folder))
		all = append(all, s)
	}
	return all, nil
}

// Restore gives the objects of an engine the storage of the scene, and returns a world around them
// at the time at which it was stored. Nothing is in memory, and nobody is connected.
func (s Scene) Restore(e durabletest.Inspector) (*durabletest.World, error) {
	for object := range s.Objects {
		if err := s.RestoreObject(e, object); err != nil {
			return nil, err
		}
	}
	w := durabletest.NewWorld(e, s.Class, room)
	w.Restart(s.Now, s.Alarm)
	return w, nil
}

// RestoreObject gives one object of an engine its storage.
func (s Scene) RestoreObject(e durabletest.Inspector, object string) error {
	storage, err := e.Storage(object)
	if err != nil {
		return err
	}
	schema, err := readSchema(filepath.Join(filepath.Dir(s.folder), schemaFile))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(s.folder, fileOf(object)))
	if err != nil {
		return err
	}
	for statement := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(statement, "MAKE "); ok {
			statement = schema[strings.TrimSpace(name)]
		}
		if _, err := storage.SQL(statement, nil); err != nil {
			return fmt.Errorf("%s of %s: %.200s: %w", object, s.folder, statement, err)
		}
	}
	return nil
}

// fileOf returns the name of the file with an object's storage. A slot was never wiped in a scene,
// so an object is named by its slots.
func fileOf(object string) string {
	_, slots, ok := strings.Cut(object, "/")
	if !ok {
		return room + ".sql"
	}
	return strings.ReplaceAll(strings.ReplaceAll(slots, ".0", ""), "/", "+") + ".sql"
}

// schemaFile is the file with the statements that make the tables and indexes of a release. An
// object's file names those that it has with a line such as "MAKE turn".
const schemaFile = "schema.sql"

// readSchema returns the statements of a schema file by the names that they make. Without a file
// there are none yet.
func readSchema(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	schema := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, statement, _ := strings.Cut(line, ": ")
		schema[name] = strings.TrimSpace(statement)
	}
	return schema, nil
}

// writeSchema writes a schema file, sorted by name.
func writeSchema(file string, schema map[string]string) error {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		b.WriteString(name + ": " + schema[name] + "\n")
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

// Shown is the transcript that the release has answered.
func (s Scene) Shown() (string, error) {
	text, err := os.ReadFile(filepath.Join(s.folder, "shown.txt"))
	return string(text), err
}

// Later plays the script that goes on from the stored scene, and returns it with its results. They
// say what became of everything, and not in which pieces it was shown, and when. Of a long line the
// beginning and a digest are kept.
func (s Scene) Later(w *durabletest.World) (string, error) {
	script, err := os.ReadFile(s.LaterFile())
	if err != nil {
		return "", err
	}
	return play(w, string(script))
}

// LaterFile is the file with that script.
func (s Scene) LaterFile() string { return filepath.Join(s.folder, "later.txt") }

// maxLine is how many bytes of a line of a transcript are kept.
const maxLine = 320

// passing matches what is left out of the results: pieces of answers, timers and alarms.
var passing = regexp.MustCompile(`^\t(\S+: )?(timer|stop|alarm) |"kind":"chunk"|"type":"cf_agent_use_chat_response".*"done":false`)

func play(w *durabletest.World, script string) (string, error) {
	played, err := durabletest.Replay(w, script)
	var b strings.Builder
	for line := range strings.Lines(played) {
		switch result := strings.HasPrefix(line, "\t"); {
		case result && passing.MatchString(line):
			continue
		case result && len(line) > maxLine:
			line = fmt.Sprintf("%s … %d bytes, %.8x\n", strings.ToValidUTF8(line[:maxLine], ""), len(line), sha256.Sum256([]byte(line)))
		}
		b.WriteString(line)
	}
	return b.String(), err
}

// Ask returns what a world answers to whoever asks for the transcript.
func Ask(w *durabletest.World) (string, error) {
	w.Take()
	if err := w.Do(transcript); err != nil {
		return "", err
	}
	for _, line := range w.Take() {
		if strings.HasPrefix(line, "respond http ") {
			return line + "\n", nil
		}
	}
	return "", errors.New("releases: nobody has answered with a transcript")
}

// Write writes the folder of a release: it plays each script in the folder scenes on a new engine,
// and stores what is then in storage. open returns a new engine of the version that is released,
// whose randomness a seed determines. What goes on from a scene draws other ids than the scene.
func Write(folder, release string, open func(seed uint32) durabletest.Inspector) error {
	files, err := filepath.Glob(filepath.Join(folder, "scenes", "*.txt"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("releases: no scenes in %s: %w", folder, err)
	}
	if err := os.RemoveAll(filepath.Join(folder, release)); err != nil {
		return err
	}
	for _, file := range files {
		s := Scene{Release: release, Name: strings.TrimSuffix(filepath.Base(file), ".txt")}
		s.folder = filepath.Join(folder, release, s.Name)
		if err := s.write(file, open); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func (s Scene) write(file string, open func(seed uint32) durabletest.Inspector) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, script, _ := strings.Cut(string(text), "\n")
	s.Class = strings.TrimPrefix(head, "# class ")
	before, later, ok := strings.Cut(script, separator+"\n")
	if !ok || s.Class == head {
		return fmt.Errorf("releases: the script has no line %q, or does not begin with its class", separator)
	}
	if err := os.MkdirAll(s.folder, 0o755); err != nil {
		return err
	}
	e := open(1)
	w := durabletest.NewWorld(e, s.Class, room)
	if _, err := durabletest.Replay(w, before); err != nil {
		return err
	}
	s.Now, s.Alarm, s.Objects = w.Now(), w.Alarm(), map[string]string{}
	for _, slot := range w.Slots() {
		s.Objects[w.Object(slot)] = w.Class(slot)
		if err := s.dump(e, w.Object(slot)); err != nil {
			return err
		}
	}
	about, err := json.MarshalIndent(map[string]any{"class": s.Class, "now": s.Now, "alarm": s.Alarm, "objects": s.Objects}, "", "  ")
	if err != nil {
		return err
	}
	shown, err := Ask(w)
	if err != nil {
		return err
	}
	if err := errors.Join(e.Close(), s.keep("scene.json", string(about)+"\n"), s.keep("shown.txt", shown)); err != nil {
		return err
	}
	return s.writeLater(later, open(Seed))
}

// writeLater notes how the release itself goes on from what it has stored. In the script, $CALL is
// the first tool call that waits for a person.
func (s Scene) writeLater(script string, e durabletest.Inspector) error {
	w, err := s.Restore(e)
	if err != nil {
		return err
	}
	for object := range s.Objects {
		storage, err := e.Storage(object)
		if err != nil {
			return err
		}
		if rows, err := storage.SQL(`SELECT call FROM ask WHERE state = 'open'`, nil); err == nil && len(rows) > 0 {
			script = strings.ReplaceAll(script, "$CALL", rows[0].Text(0))
		}
	}
	played, err := play(w, script)
	return errors.Join(err, s.keep("later.txt", played), e.Close())
}

func (s Scene) keep(name, text string) error {
	return os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o644)
}

// dump writes the file of an object: the tables, their rows and the indexes, a statement a line.
func (s Scene) dump(e durabletest.Inspector, object string) error {
	storage, err := e.Storage(object)
	if err != nil {
		return err
	}
	file := filepath.Join(filepath.Dir(s.folder), schemaFile)
	schema, err := readSchema(file)
	if err != nil {
		return err
	}
	made, err := storage.SQL(`SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name`, nil)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, kind := range []string{"table", "rows", "index"} {
		for _, row := range made {
			name := row.Text(1)
			switch {
			case row.Text(0) == kind:
				statement := strings.Join(strings.Fields(row.Text(2)), " ")
				if known, ok := schema[name]; ok && known != statement {
					return fmt.Errorf("releases: two objects have made %s in two ways", name)
				}
				schema[name] = statement
				b.WriteString("MAKE " + name + "\n")
			case row.Text(0) == "table" && kind == "rows":
				err = errors.Join(err, dumpRows(&b, storage, name))
			}
		}
	}
	counted, failed := storage.SQL(`SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'`, nil)
	if len(counted) > 0 {
		b.WriteString("DELETE FROM sqlite_sequence\n")
		err = errors.Join(err, dumpRows(&b, storage, "sqlite_sequence"))
	}
	return errors.Join(err, failed, writeSchema(file, schema), s.keep(fileOf(object), b.String()))
}

func dumpRows(b *strings.Builder, storage *durabletest.SQLite, table string) error {
	columns, err := storage.SQL(`SELECT name FROM pragma_table_info('`+table+`')`, nil)
	if err != nil {
		return err
	}
	var quoted []string
	for _, column := range columns {
		quoted = append(quoted, "quote("+column.Text(0)+")")
	}
	rows, err := storage.SQL("SELECT "+strings.Join(quoted, " || ',' || ")+" FROM "+table, nil)
	for _, row := range rows {
		b.WriteString("INSERT INTO " + table + " VALUES (" + oneLine(row) + ")\n")
	}
	return err
}

// oneLine returns the values of a row without line ends, which only texts have.
func oneLine(row durable.Row) string {
	return strings.NewReplacer("\n", "' || char(10) || '", "\r", "' || char(13) || '").Replace(row.Text(0))
}
