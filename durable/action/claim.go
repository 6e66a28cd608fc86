package action

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Claimed is the answer to a call that has asked for a key, as the result of its await.
type Claimed struct {
	// Seq is the number of the action. State says what the call has to do. Begun: the action is the
	// call's, and it goes ahead. Done: Result is the result. Unknown: the action is the call's, and
	// has to be settled first. "": it has to ask again, because something has changed.
	Seq   int64 `json:"seq,omitempty"`
	State State `json:"state,omitempty"`
	// Result is that of an action that is done. If the result could not be kept, Failure says why.
	// Failure is also what is known of an action that is unknown.
	Result []byte `json:"result,omitempty"`
	// Sent is the key that servers are sent.
	Sent    string `json:"sent,omitempty"`
	Failure string `json:"failure,omitempty"`
}

// Keep says how much the ledger remembers.
type Keep struct {
	// Share is how many actions of each tool it remembers, and how many of these one person may have begun.
	Share share.Share
	// Age is how long it remembers an action that is over. No action that was done or undone is forgotten
	// earlier, whatever else is asked for: beyond its share, a tool's call is refused.
	Age time.Duration
}

// Default is what an agent's ledger remembers if its author says nothing else.
var Default = Keep{Share: share.Actions, Age: 90 * 24 * time.Hour}

// trimmed is how many rows one event deletes at most because they are old.
const trimmed = 16

// CheckKey says what is wrong with a key.
func CheckKey(key string) error {
	switch {
	case key == "":
		return errors.New("the key of the action is empty")
	case len(key) > MaxKey:
		return fmt.Errorf("the key of the action has %d bytes, at most %d", len(key), MaxKey)
	}
	for i := range len(key) {
		if key[i] < 0x20 || key[i] == 0x7f {
			return errors.New("the key of the action has a control character in it")
		}
	}
	return nil
}

// Claim asks for a key. The await is completed with a [Claimed]: at once, or when the call that has
// the key is over. It fails if the key belongs to another input, or if the ledger is full.
func Claim(tx *durable.Tx, await flow.Key, w Wish, k Keep) {
	w.Position = await.Position
	switch c, failure, waits := take(tx, await.Routine, w, k); {
	case failure != "":
		flow.Complete(tx, await, nil, failure)
	case waits > 0:
		tx.SQL(`INSERT INTO action_waiter (action, routine, position) VALUES (?, ?, ?)`, waits, await.Routine, await.Position)
	default:
		answer(tx, await, c)
	}
}

// take has a routine take a key, if it can. Otherwise it returns why not, or the action to wait for.
func take(tx *durable.Tx, owner string, w Wish, k Keep) (c Claimed, failure string, waits int64) {
	a, found := OfKey(tx, w.Key)
	switch {
	case !found:
		a, err := begin(tx, owner, w, k)
		if err != nil {
			return c, err.Error(), 0
		}
		return Claimed{Seq: a.Seq, State: Begun, Sent: a.Sent}, "", 0
	case a.Digest != w.Digest:
		return c, fmt.Sprintf("the key %q belongs to another input: its digest begins with %.8s, and that of this call with %.8s; nothing was done", w.Key, a.Digest, w.Digest), 0
	case a.Owner == "" && a.State == Done:
		return Claimed{Seq: a.Seq, State: Done, Result: a.Result, Failure: a.Failure}, "", 0
	case !a.abandoned(tx):
		return c, "", a.Seq
	case a.State == Done: // whatever was undoing it is gone
		move(tx, &a, Done, "", a.Failure)
		return Claimed{}, "", 0
	}
	why := a.Failure
	if a.State == Begun {
		why = lostText
	}
	move(tx, &a, Unknown, owner, why)
	tx.SQL(`UPDATE action SET hop = '', heard = 0, code = '' WHERE seq = ? AND code <> ''`, a.Seq) // it is no action of that code any more
	return Claimed{Seq: a.Seq, State: Unknown, Failure: why, Sent: a.Sent}, "", 0
}

// lostText says why an action is unknown whose call has left nothing behind.
const lostText = "the call that had begun it was given up"

func answer(tx *durable.Tx, await flow.Key, c Claimed) {
	flow.Complete(tx, await, limit.MustMarshal(c), "")
}

// begin adds a row. Its error says that the tool has no room in the ledger.
func begin(tx *durable.Tx, owner string, w Wish, k Keep) (Action, error) {
	count := counted(tx)
	count.forgetOld(tx, k.Age)
	if err := count.makeRoom(tx, w, k); err != nil {
		return Action{}, fmt.Errorf("the ledger has no room for another call of %s: %w; nothing was done", w.Tool, err)
	}
	row := tx.SQL(`INSERT INTO action (key, tool, digest, state, owner, call, run, request, asked_by, approved_by, at, position, scopes, input)
		VALUES (?, ?, ?, 'begun', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING `+columns,
		w.Key, w.Tool, w.Digest, owner, w.Call, w.Run, w.Request, w.By, w.ApprovedBy, tx.Now, w.Position, strings.Join(w.Scopes, "\n"), w.Input)[0]
	count.of(w.Tool).AddOf(personOf(w.By), 1)
	a := read(row)
	if len(tx.SQL(`SELECT 1 FROM action WHERE key = ? AND state = 'undone' LIMIT 1`, a.Key)) > 0 {
		a.Sent += ":" + strconv.FormatInt(a.Seq, 10)
		tx.SQL(`UPDATE action SET sent = ? WHERE seq = ?`, a.Sent, a.Seq)
	}
	return a, nil
}

// count is how many rows the ledger has of each tool, and whose calls they are of. They are counted once
// for each life of the object.
type count struct {
	tools map[string]*share.Held
	// next is when an action is too old for the first time, in milliseconds since 1970, or 0 if that is not
	// known. All rows are read to find it out.
	next int64
	// full is until when a tool has no room for a person, in milliseconds since 1970: the rows need not be
	// looked at before.
	full map[place]int64
}

// personOf returns the person of a share whose subject a row names. All without a subject are one.
func personOf(subject string) string {
	if subject == "" {
		return ""
	}
	return "sub " + subject
}

// place is what a share is of: the calls of a tool by a person, who is named as in the rows.
type place struct{ tool, by string }

// Bytes implements [durable.Copy].
func (c *count) Bytes() int { return 256*len(c.tools) + 64*len(c.full) }

func counted(tx *durable.Tx) *count {
	c := durable.Kept[count](tx)
	if c.tools == nil {
		c.tools, c.full = map[string]*share.Held{}, map[place]int64{}
		for _, row := range tx.SQL(`SELECT tool, asked_by, COUNT(*) FROM action GROUP BY tool, asked_by`) {
			c.of(row.Text(0)).AddOf(personOf(row.Text(1)), int(row.Int(2)))
		}
	}
	return c
}

func (c *count) of(tool string) *share.Held {
	if c.tools[tool] == nil {
		c.tools[tool] = &share.Held{}
	}
	return c.tools[tool]
}

// makeRoom makes room for another call of a tool, as far as that is possible. What has failed holds no key
// and goes first, and then what is older than it has to be remembered.
func (c *count) makeRoom(tx *durable.Tx, w Wish, k Keep) error {
	person := personOf(w.By)
	if w.Alone {
		person = share.Everybody
	}
	full := func() error { return k.Share.RefusalOf(person, *c.of(w.Tool)) }
	why, at := full(), place{w.Tool, w.By}
	if why == nil || c.full[at] > tx.Now {
		return why
	}
	const free = `owner = '' AND tool = ? AND (state = 'failed' OR ended_at < ?)`
	old := tx.Now - k.Age.Milliseconds()
	if c.forget(tx, free+` AND asked_by = ?`, w.Tool, old, w.By); full() == nil {
		return nil
	}
	if c.forget(tx, free, w.Tool, old); full() == nil {
		return nil
	}
	c.full[at] = k.Age.Milliseconds() + tx.Number(`SELECT COALESCE(MIN(ended_at), 0) FROM action
		WHERE state IN ('done', 'failed', 'undone') AND tool = ?`, w.Tool)
	return why
}

// forgetOld deletes rows of actions that are older than they have to be remembered.
func (c *count) forgetOld(tx *durable.Tx, age time.Duration) {
	if tx.Now < c.next {
		return
	}
	if c.forget(tx, `owner = '' AND ended_at < ?`, tx.Now-age.Milliseconds()) < trimmed {
		first := tx.Number(`SELECT COALESCE(MIN(ended_at), ?) FROM action WHERE state IN ('done', 'failed', 'undone')`, tx.Now)
		c.next = first + age.Milliseconds()
	}
}

// forget deletes up to [trimmed] rows of actions that are over, the oldest first, and says how many there
// were.
func (c *count) forget(tx *durable.Tx, where string, args ...any) (n int) {
	for _, row := range tx.SQL(`DELETE FROM action WHERE seq IN (SELECT seq FROM action WHERE state IN ('done', 'failed', 'undone') AND `+where+` ORDER BY seq LIMIT ?)
		RETURNING tool, asked_by`, append(args, trimmed)...) {
		c.of(row.Text(0)).AddOf(personOf(row.Text(1)), -1)
		n++
	}
	return n
}

// StopWaiting removes a waiter whose await was cancelled.
func StopWaiting(tx *durable.Tx, await flow.Key) {
	tx.SQL(`DELETE FROM action_waiter WHERE routine = ? AND position = ?`, await.Routine, await.Position)
}

// wake has everybody who waits for an action ask again.
func wake(tx *durable.Tx, seq int64) {
	if len(tx.SQL(`UPDATE action_waiter SET action = 0 WHERE action = ? AND path <> '' RETURNING n`, seq)) > 0 {
		tx.Schedule(DueNotice, "", tx.Now)
	}
	for _, row := range tx.SQL(`DELETE FROM action_waiter WHERE action = ? RETURNING routine, position`, seq) {
		answer(tx, flow.Key{Routine: row.Text(0), Position: int(row.Int(1))}, Claimed{})
		woken := durable.Kept[resumable](tx)
		woken.routines = append(woken.routines, row.Text(0))
	}
}

// resumable are the routines that were woken in this event.
type resumable struct{ routines []string }

// Bytes implements [durable.Copy].
func (*resumable) Bytes() int { return 24 }

// TakeResumable returns the routines that were woken since the last call, and can go on.
func TakeResumable(tx *durable.Tx) []string {
	w := durable.Kept[resumable](tx)
	list := w.routines
	w.routines = nil
	return list
}

// Gone releases what a routine works on that is over. It may or may not have happened.
func Gone(tx *durable.Tx, routine string) {
	release(tx, tx.SQL(`SELECT seq FROM action WHERE owner = ? AND owner <> ''`, routine))
}

func release(tx *durable.Tx, rows []durable.Row) {
	for _, row := range rows {
		a, ok := Find(tx, row.Int(0))
		switch {
		case !ok:
			continue
		case a.State == Done:
			move(tx, &a, Done, "", a.Failure)
		case a.State == Begun:
			move(tx, &a, Unknown, "", lostText)
		default:
			move(tx, &a, Unknown, "", a.Failure)
		}
		wake(tx, a.Seq)
	}
}
