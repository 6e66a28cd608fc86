// Package action is the ledger of actions: which calls of tools that have a key were begun, what
// became of them, and which calls wait for them. A key names an effect, which happens once, whatever
// asks for it and however often.
//
// The package only keeps rows and completes awaits. What runs between the beginning of an action
// and its end is the author's code, which package agent calls.
package action

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Schema is the tables of the ledger. An action is one call of a tool for a key. A key has at most
// one action that holds it, which is the last one, unless that has failed or was undone. A waiter is
// an await of a call that waits for the end of another call's action.
//
// owner is the routine of the call that works on the action, or "" if none does. For a call of a
// helper, hop is the root's run above it, heard the helper's request that was heard last, and path
// the way to the helper, and code names the code there that has asked. position is that of the claim in
// the journal of its code. A waiter that has still to be told that it can ask again has no action. told
// counts how often it was told, and again is when it is told again. The requests of a helper are in
// action_up. action_finished has the highest number of a helper's requests that has come to an end at
// the root, and when that was.
var Schema = durable.Schema{Component: "action", Steps: []string{
	`CREATE TABLE action (seq INTEGER PRIMARY KEY, key TEXT NOT NULL, tool TEXT NOT NULL, digest TEXT NOT NULL, state TEXT NOT NULL,
		owner TEXT NOT NULL, call TEXT NOT NULL, run TEXT NOT NULL, request TEXT NOT NULL, asked_by TEXT NOT NULL, approved_by TEXT NOT NULL,
		at INTEGER NOT NULL, ended_at INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
		failure TEXT NOT NULL DEFAULT '', sent TEXT NOT NULL DEFAULT '',
		hop TEXT NOT NULL DEFAULT '', heard INTEGER NOT NULL DEFAULT 0, code TEXT NOT NULL DEFAULT '', position INTEGER NOT NULL DEFAULT 0, scopes TEXT NOT NULL DEFAULT '', input BLOB, result BLOB)`,
	`CREATE UNIQUE INDEX action_key ON action (key) WHERE state IN ('begun', 'done', 'unknown')`,
	`CREATE INDEX action_settled ON action (seq) WHERE state IN ('done', 'failed', 'undone')`,
	`CREATE INDEX action_undone ON action (key) WHERE state = 'undone'`,
	`CREATE INDEX action_owned ON action (owner) WHERE owner <> ''`,
	`CREATE INDEX action_hop ON action (hop) WHERE hop <> ''`,
	`CREATE INDEX action_run ON action (run, seq) WHERE run <> ''`,
	`CREATE INDEX action_code ON action (code, seq) WHERE code <> ''`,
	`CREATE TABLE action_waiter (n INTEGER PRIMARY KEY, action INTEGER NOT NULL, routine TEXT NOT NULL, position INTEGER NOT NULL,
		path TEXT NOT NULL DEFAULT '', told INTEGER NOT NULL DEFAULT 0, again INTEGER NOT NULL DEFAULT 0)`,
	`CREATE TABLE action_up (n INTEGER PRIMARY KEY AUTOINCREMENT, routine TEXT NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL,
		heard INTEGER NOT NULL DEFAULT 0)`,
	`CREATE INDEX action_waiter_action ON action_waiter (action)`,
	`CREATE TABLE action_finished (token TEXT PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID`,
}}

// MaxKey is how long a key may be, in bytes.
const MaxKey = 256

// State says what has become of an action.
type State string

// States are all of them.
var States = []State{Begun, Done, Failed, Unknown, Undone}

// Holds says whether an action in the state holds its key.
func (s State) Holds() bool { return s == Begun || s == Done || s == Unknown }

// Wish is what a call asks for.
type Wish struct {
	Key, Tool string
	// Digest is that of the input, see [Digest].
	Digest string
	// Call is the tool call, Run the run that the code works on, and Request the request of the turn.
	// Each is "" if there is none.
	Call, Run, Request string
	// By is who has asked, and ApprovedBy who has approved the call, or "". Alone says that nobody signs
	// in, so that no room in the ledger has to be left for others.
	By, ApprovedBy string
	Alone          bool
	// Position is that of the claim in the journal of its code.
	Position int
	// Scopes are what a person needs who says whether the action has happened.
	Scopes []string
	// Input is what the undoing of the action needs later, or nil.
	Input []byte
}

// Action is a row of the ledger.
type Action struct {
	Seq int64
	Wish
	State State
	// Owner is the routine that works on the action, or "".
	Owner string
	// At is when it began, and EndedAt when it came to its state, in milliseconds since 1970.
	At, EndedAt int64
	// Attempts counts the failed attempts to undo it.
	Attempts int
	// Result is what the tool has returned, as JSON, of an action that is done or was undone. Failure
	// says why it has failed, why it is unknown, or why it could not be undone.
	Result  []byte
	Failure string
	// Sent is the key that servers are sent. It is another one than the action's if an action with the
	// same key was undone: a server would take the second one for the first.
	Sent string
}

const columns = `seq, key, tool, digest, state, owner, call, run, request, asked_by, approved_by, at, ended_at, attempts, failure, sent, scopes, input, result`

func read(row durable.Row) Action {
	return Action{
		Seq:   row.Int(0),
		State: State(row.Text(4)), Owner: row.Text(5),
		Wish: Wish{
			Key: row.Text(1), Tool: row.Text(2), Digest: row.Text(3), Call: row.Text(6), Run: row.Text(7), Request: row.Text(8),
			By: row.Text(9), ApprovedBy: row.Text(10), Scopes: lines(row.Text(16)), Input: row.Blob(17),
		},
		At: row.Int(11), EndedAt: row.Int(12), Attempts: int(row.Int(13)), Failure: row.Text(14), Sent: cmp.Or(row.Text(15), row.Text(1)), Result: row.Blob(18),
	}
}

// lines returns the lines of a text, of which the empty one has none.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// Find returns the action with a number.
func Find(tx *durable.Tx, seq int64) (Action, bool) {
	return first(tx.SQL(`SELECT `+columns+` FROM action WHERE seq = ?`, seq))
}

// OfKey returns the action that holds a key.
func OfKey(tx *durable.Tx, key string) (Action, bool) {
	return first(tx.SQL(`SELECT `+columns+` FROM action WHERE key = ? AND state IN ('begun', 'done', 'unknown')`, key))
}

func first(rows []durable.Row) (Action, bool) {
	if len(rows) == 0 {
		return Action{}, false
	}
	return read(rows[0]), true
}

// abandoned says whether nothing works on the action any more: it has no owner, or its owner's
// journal is gone. The journal of an owner in a helper, whose name begins with ^, is not here.
func (a Action) abandoned(tx *durable.Tx) bool {
	return a.Owner == "" || a.Owner[0] != '^' && !flow.Exists(tx, a.Owner)
}

// move stores a new state of an action. It is the only function that changes one.
func move(tx *durable.Tx, a *Action, to State, owner, failure string) {
	if to == Failed && a.State == Done || a.State == Failed || a.State == Undone || to == Undone && a.State != Done {
		panic(fmt.Sprintf("action: %s cannot become %s", a.State, to))
	}
	if a.State != to {
		a.EndedAt = tx.Now
	}
	if to == Failed { // it makes room
		clear(durable.Kept[count](tx).full)
	}
	a.State, a.Owner, a.Failure = to, owner, failure
	tx.SQL(`UPDATE action SET state = ?, owner = ?, ended_at = ?, failure = ? WHERE seq = ?`, string(to), owner, a.EndedAt, failure, a.Seq)
}
