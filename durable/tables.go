package durable

import (
	"slices"
	"strconv"
	"strings"
)

// Layout is the tables of one kind of object: its components, in the order of their steps. All
// objects share it.
type Layout struct {
	schemas []Schema
	// parts are the statements of each part. They change nothing if it is made.
	parts []string
	// partOf maps the name of each table and index to its part.
	partOf map[string]int
	all    partSet
}

// partSet is a set of parts, by their indexes.
type partSet uint64

// NewLayout returns a layout of components.
func NewLayout(schemas ...Schema) *Layout {
	l := &Layout{schemas: schemas, partOf: map[string]int{}}
	for _, s := range schemas {
		version := `; INSERT INTO room_version (room, version) VALUES ('` + s.Component + `', ` + strconv.Itoa(len(s.Steps)) + `) ON CONFLICT (room) DO NOTHING; `
		for _, statements := range s.parts() {
			for _, name := range named(statements, "TABLE", "INDEX") {
				l.partOf[name] = len(l.parts)
			}
			l.all |= 1 << len(l.parts)
			l.parts = append(l.parts, idempotent(statements)+version)
		}
	}
	if len(l.parts) > 64 {
		panic("durable: a layout has at most 64 parts")
	}
	return l
}

// idempotent returns the statements of a part with single spaces, because SQLite stores them as they
// are. Made again, they change nothing.
func idempotent(statements string) string {
	statements = strings.Join(strings.Fields(statements), " ")
	statements = strings.ReplaceAll(statements, "CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ")
	return strings.ReplaceAll(statements, "INDEX ", "INDEX IF NOT EXISTS ")
}

// Tables is which tables of an object are made. It lives in memory, beside the storage that it was
// read from: whatever throws away an event's writes throws away the memory too.
//
// A statement of a transaction that uses it finds each table that it needs. An INSERT makes its
// table, with the others of the same part. A table that is not made has no rows. So an UPDATE or a
// DELETE of such a table does nothing, and so does a SELECT of such tables only. They are not run
// and return no rows. A SELECT that would return a row for no rows is made by [Tx.Number].
type Tables struct {
	layout *Layout
	made   partSet
	// begun says that the table of versions is made.
	begun bool
	// kept are the copies of rows, by their types.
	kept map[any]Copy
}

// Copy is what an object keeps in memory of its rows, so as not to read them again. Its zero value
// knows nothing. The package that writes the rows keeps it up to date.
type Copy interface {
	// Bytes is roughly how large the copy is.
	Bytes() int
}

// Kept returns the object's copy of a type, which is lost with the memory that [Tables] live in.
// Without [Tables] nothing is kept, and the copy is a new one each time.
func Kept[T any, P interface {
	*T
	Copy
}](tx *Tx) P {
	t := tx.tables
	if t == nil {
		return new(T)
	}
	key := P(nil)
	if c, ok := t.kept[key]; ok {
		return c.(P)
	}
	if t.kept == nil {
		t.kept = map[any]Copy{}
	}
	c := P(new(T))
	t.kept[key] = c
	return c
}

// Bytes is roughly how large the copies of rows are.
func (t *Tables) Bytes() (n int) {
	for _, c := range t.kept {
		n += c.Bytes()
	}
	return n
}

// Open reads which tables are made, and brings them up to date. Fresh storage costs one statement,
// stored tables that are up to date cost two. Open panics with a [NewerStorage] if a newer version
// of the program wrote the storage.
func (t *Tables) Open(tx *Tx, layout *Layout) {
	*t = Tables{layout: layout}
	tx.Use(t)
	names := schemaNames(tx)
	t.begun = names["room_version"]
	if t.begun && layout.update(tx) {
		names = schemaNames(tx)
	}
	for name, i := range layout.partOf {
		if names[name] {
			t.made |= 1 << i
		}
	}
}

// Use makes the statements of a transaction find their tables.
func (tx *Tx) Use(t *Tables) { tx.tables = t }

// Make makes the parts that tables and indexes belong to, as far as they are not made yet. A table
// is made by its first row. Indexes that are a part of their own are made by Make, before the first
// row that is to be found by them.
func (tx *Tx) Make(names ...string) {
	t := tx.tables
	if t == nil || t.layout == nil {
		return
	}
	var parts partSet
	for _, name := range names {
		parts |= t.layout.partWith(name)
	}
	t.make(tx, parts&^t.made)
}

// Made says whether a table or an index is made. Without [Tables], all are.
func (tx *Tx) Made(name string) bool {
	t := tx.tables
	return t == nil || t.layout == nil || t.made&t.layout.partWith(name) != 0
}

// partWith returns the part of a table or an index.
func (l *Layout) partWith(name string) partSet {
	i, ok := l.partOf[name]
	if !ok {
		panic("durable: no part makes " + name)
	}
	return 1 << i
}

// prepare makes the tables that a statement needs, and says whether to run the statement.
func (t *Tables) prepare(tx *Tx, statement string) bool {
	if t.layout == nil || t.made == t.layout.all {
		return true
	}
	u := t.layout.use(statement)
	missing := u.parts &^ t.made
	switch {
	case missing == 0:
		return true
	case u.verb == "SELECT" && missing == u.parts, u.verb != "INSERT" && missing&u.first != 0:
		return false
	}
	t.make(tx, missing)
	return true
}

// make makes parts, in one call of the storage.
func (t *Tables) make(tx *Tx, missing partSet) {
	if missing == 0 {
		return
	}
	batch := ""
	if !t.begun {
		batch = versions
	}
	for i, statements := range t.layout.parts {
		if missing&(1<<i) != 0 {
			batch += statements
		}
	}
	tx.run(batch)
	t.made |= missing
	t.begun = true
}

// use is what a statement uses: its verb, the part of the first table that it names outside of
// subqueries, and all parts.
type use struct {
	verb         string
	first, parts partSet
}

// use reads what a statement uses. It runs at each statement, so it allocates nothing.
func (l *Layout) use(statement string) use {
	var u use
	var before string
	depth := 0
	for {
		var word string
		depth += depthBefore(statement)
		if word, statement = nextWord(statement); word == "" {
			return u
		}
		if u.verb == "" {
			u.verb = word
		}
		if word == "UNION" && depth == 0 {
			u.first, depth = 0, 1 // no table decides alone whether there are rows
		}
		switch before {
		case "FROM", "JOIN", "INTO", "UPDATE":
			if i, ok := l.partOf[word]; ok {
				u.parts |= 1 << i
				if u.first == 0 && depth == 0 {
					u.first = 1 << i
				}
			}
		}
		before = word
	}
}

// depthBefore returns how many more parentheses open than close before the first word of a text.
func depthBefore(text string) (depth int) {
	for i := 0; i < len(text) && !inWord(text[i]); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	return depth
}

// named returns the words of a text that come directly behind some words.
func named(text string, behind ...string) (names []string) {
	before := ""
	for word, rest := nextWord(text); word != ""; word, rest = nextWord(rest) {
		if slices.Contains(behind, before) {
			names = append(names, word)
		}
		before = word
	}
	return names
}

// nextWord returns the first word of a text, which is a name, a keyword or a number, and what comes
// behind it.
func nextWord(text string) (word, rest string) {
	from := 0
	for from < len(text) && !inWord(text[from]) {
		from++
	}
	to := from
	for to < len(text) && inWord(text[to]) {
		to++
	}
	return text[from:to], text[to:]
}

func inWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
