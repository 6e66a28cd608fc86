package durable

import "fmt"

// Tx is one event's transaction: storage to read and write, the event's time, randomness, and the
// list of commands that grows until Step returns. It must not be kept after Step returns.
type Tx struct {
	// Now is when the event happened, in milliseconds since 1970. It is the
	// only clock there is.
	Now int64

	storage  Storage
	random   Random
	commands []Command
	// tables are the tables that statements find, or nil if they are all made.
	tables *Tables
	// rescheduled says that the alarm may no longer fit the schedule.
	rescheduled bool
}

// NewTx returns a transaction over the given ports. Hosts call it. Objects receive theirs as an
// argument.
func NewTx(now int64, storage Storage, random Random) *Tx {
	return &Tx{Now: now, storage: storage, random: random}
}

// SQL runs one statement and returns its rows. Tables that are not made yet are made, or are
// without rows, as [Tables] says. A statement that fails is a broken invariant (or a full disk), so
// SQL panics. The host then rolls the transaction back and goes on from storage in a new instance.
func (tx *Tx) SQL(statement string, args ...any) []Row {
	if tx.tables != nil && !tx.tables.prepare(tx, statement) {
		return nil
	}
	return tx.run(statement, args...)
}

// Number returns the only value of a statement's only row, such as a count, or 0 if its table is not
// made yet.
func (tx *Tx) Number(statement string, args ...any) int64 {
	for _, row := range tx.SQL(statement, args...) {
		return row.Int(0)
	}
	return 0
}

// run runs one statement as it is.
func (tx *Tx) run(statement string, args ...any) []Row {
	rows, err := tx.storage.SQL(statement, args)
	if err != nil {
		panic(fmt.Errorf("durable: sql %q: %w", statement, err))
	}
	return rows
}

// Do adds commands to the event's answer.
func (tx *Tx) Do(commands ...Command) { tx.commands = append(tx.commands, commands...) }

// Commands returns the commands added so far.
func (tx *Tx) Commands() []Command { return tx.commands }

// Rewrite replaces each command added so far by the commands that f returns for it.
func (tx *Tx) Rewrite(f func(Command) []Command) {
	var out []Command
	for _, c := range tx.commands {
		out = append(out, f(c)...)
	}
	tx.commands = out
}

// Log adds a [Log] command; fields are pairs of key and value.
func (tx *Tx) Log(level Level, message string, fields ...string) {
	tx.Do(Log{Level: level, Message: message, Fields: fields})
}

// Random fills b with random bytes.
func (tx *Tx) Random(b []byte) { tx.random(b) }

// idAlphabet has 64 characters. None of them needs escaping in any place where an id is used.
const idAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"

// NewID returns a fresh random id of 16 characters (96 bits), the length and
// alphabet that the chat client uses for its own.
func (tx *Tx) NewID() string {
	var b [16]byte
	tx.random(b[:])
	for i := range b {
		b[i] = idAlphabet[b[i]&63]
	}
	return string(b[:])
}
