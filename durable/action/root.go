package action

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about keys that the root keeps for helpers. A helper cannot call its parent, so each
// request is a row until the root has answered it, and is repeated until then. The root knows a
// request that it has heard before by its number. What a call that waits has to be told is a row at
// the root, until the helper has heard it.

// Request is what a helper asks the root's ledger. Op says which of the other fields apply.
type Request struct {
	Op string `json:"op"`
	// Routine is the helper's routine, and Code the name of its code.
	Routine string `json:"routine"`
	Code    string `json:"code,omitempty"`
	Wish    *Wish  `json:"wish,omitempty"`
	// Claim is the number of the request that is taken back.
	Claim   int64           `json:"claim,omitempty"`
	Seq     int64           `json:"seq,omitempty"`
	To      State           `json:"to,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Failure string          `json:"failure,omitempty"`
	Begun   bool            `json:"begun,omitempty"`
}

// ClaimAtRoot is the request that stands for [Claim].
func ClaimAtRoot(w Wish) Request { return Request{Op: opClaim, Wish: &w} }

// DoubtAtRoot is the request that stands for [Doubt].
func DoubtAtRoot(seq int64, failure string) Request {
	return Request{Op: opDoubt, Seq: seq, Failure: failure}
}

// EndAtRoot is the request that stands for [Finish]. run and call are those of the claim.
func EndAtRoot(seq int64, run, call string, to State, result []byte, failure string) Request {
	return Request{Op: opEnd, Seq: seq, Code: codeName(run, call), To: to, Result: result, Failure: failure}
}

// DoneAtRoot is the request that stands for [DoneOf]. Its result is a list of [Did].
func DoneAtRoot(run, call string) Request {
	return Request{Op: opDone, Wish: &Wish{Run: run, Call: call}}
}

// UndoAtRoot is the request that stands for [BeginUndo]. Its result is an [Action], or null if the helper
// has to ask again.
func UndoAtRoot(seq int64) Request { return Request{Op: opUndo, Seq: seq} }

// UndoneAtRoot is the request that stands for [EndUndo]. run and call are those of the claim.
func UndoneAtRoot(seq int64, run, call, failure string) Request {
	return Request{Op: opUndone, Seq: seq, Code: codeName(run, call), Failure: failure}
}

// AbandonUndoAtRoot is [UndoneAtRoot] for code that was stopped.
func AbandonUndoAtRoot(tx *durable.Tx, seq int64, routine, failure string) RootRequest {
	return Ask(tx, flow.Key{Routine: routine, Position: -1}, Request{Op: opUndone, Seq: seq, Failure: failure})
}

// Reply is what the root answers to the request N of a helper.
type Reply struct {
	N int64 `json:"n"`
	// Waits says that the answer comes later, without another request.
	Waits bool `json:"waits,omitempty"`
	// Result is the result of the await, and Failure its failure.
	Result  json.RawMessage `json:"result,omitempty"`
	Failure string          `json:"failure,omitempty"`
}

// RootRequest is a request on its way up.
type RootRequest struct {
	N    int64
	Body []byte
}

// Ask keeps a request of a helper until the root has answered it.
func Ask(tx *durable.Tx, await flow.Key, r Request) RootRequest {
	if r.Routine = await.Routine; r.Wish != nil {
		r.Wish.Position = await.Position
	}
	body := limit.MustMarshal(r)
	row := tx.SQL(`INSERT INTO action_up (routine, position, body) VALUES (?, ?, ?) RETURNING n`, await.Routine, await.Position, string(body))[0]
	return RootRequest{row.Int(0), body}
}

// DropAtRoot takes the request of a cancelled await back.
func DropAtRoot(tx *durable.Tx, await flow.Key) (RootRequest, bool) {
	rows := tx.SQL(`DELETE FROM action_up WHERE routine = ? AND position = ? RETURNING n`, await.Routine, await.Position)
	if len(rows) == 0 {
		return RootRequest{}, false
	}
	return Ask(tx, flow.Key{Routine: await.Routine, Position: -1}, Request{Op: opDrop, Claim: rows[0].Int(0)}), true
}

// AbandonAtRoot is [Abandon] for an action of the root.
func AbandonAtRoot(tx *durable.Tx, seq int64, routine string, begun bool, why string) RootRequest {
	return Ask(tx, flow.Key{Routine: routine, Position: -1}, Request{Op: opAbandon, Seq: seq, Begun: begun, Failure: why})
}

// GoneAtRoot is [Gone] for actions of the root. open are the names of the routine's awaits that had not
// ended. It keeps a request, and says so, if the routine waits for an answer of the root, or may work
// on an action there.
func GoneAtRoot(tx *durable.Tx, routine string, open []string) bool {
	waits := tx.SQL(`DELETE FROM action_up WHERE routine = ? AND position >= 0 AND IIF(json_valid(body), body ->> 'op', '') IN ('claim', 'done', 'undo') RETURNING n`, routine)
	if len(waits) == 0 && !slices.Contains(open, flow.ActionLease) {
		return false
	}
	Ask(tx, flow.Key{Routine: routine, Position: -1}, Request{Op: opGone})
	return true
}

// Pending returns the requests behind the given one that the root is not known to have heard, oldest
// first.
func Pending(tx *durable.Tx, after int64, most int) (list []RootRequest) {
	for _, row := range tx.SQL(`SELECT n, body FROM action_up WHERE heard = 0 AND n > ? ORDER BY n LIMIT ?`, after, most) {
		list = append(list, RootRequest{row.Int(0), []byte(row.Text(1))})
	}
	return list
}

// TakeReply takes the root's answer to a request. It returns the routine that can go on, or "".
func TakeReply(tx *durable.Tx, r Reply) string {
	if r.Waits {
		tx.SQL(`UPDATE action_up SET heard = 1 WHERE n = ?`, r.N)
		return ""
	}
	for _, row := range tx.SQL(`DELETE FROM action_up WHERE n = ? RETURNING routine, position`, r.N) {
		key := flow.Key{Routine: row.Text(0), Position: int(row.Int(1))}
		if flow.Complete(tx, key, r.Result, r.Failure) {
			return key.Routine
		}
	}
	return ""
}

// From is the helper that has asked the root: a name of its own, the way to it, as JSON, and the
// root's run on that way.
type From struct{ Token, Path, Run string }

// owner names a routine of a helper.
func (f From) owner(routine string) string { return "^" + f.Token + "/" + routine }

// codeOf names the code of the helper that has asked.
func (f From) codeOf(w *Wish) string { return f.Token + "/" + codeName(w.Run, w.Call) }

// codeName names code in its helper: a run of it, or a call if there is no run.
func codeName(run, call string) string {
	if run != "" {
		return "run/" + run
	}
	return "call/" + call
}

// Serve does what a helper asks the root's ledger.
func Serve(tx *durable.Tx, f From, n int64, body []byte, k Keep) Reply {
	var r Request
	if json.Unmarshal(body, &r) != nil || (r.Op == opClaim || r.Op == opDone) && r.Wish == nil {
		return Reply{N: n, Failure: "the ledger cannot read the request"}
	}
	owner, ok := f.owner(r.Routine), true
	if r.Op != opClaim && r.Op != opDoubt && r.Op != opUndo {
		finish(tx, f.Token, n)
	}
	switch last := lastServed(tx, r.Seq); r.Op {
	case opClaim:
		code := f.codeOf(r.Wish)
		r.Wish.Run = f.Run
		return claimFrom(tx, f, owner, code, n, *r.Wish, k)
	case opDrop:
		tx.SQL(`DELETE FROM action_waiter WHERE routine = ? AND position = ?`, owner, r.Claim)
		for _, row := range tx.SQL(`SELECT seq FROM action WHERE owner = ? AND heard = ?`, owner, r.Claim) {
			Abandon(tx, row.Int(0), owner, false, "the call was given up")
		}
	case opGone:
		tx.SQL(`DELETE FROM action_waiter WHERE routine = ?`, owner)
		release(tx, tx.SQL(`SELECT seq FROM action WHERE owner = ?`, owner))
	case opDoubt:
		ok = last <= n && Doubt(tx, r.Seq, owner, r.Failure)
	case opEnd:
		if last == n { // the answer was lost
			break
		}
		f.regain(tx, n, owner, Unknown, r)
		if ok = last < n && Finish(tx, r.Seq, owner, r.To, r.Result, r.Failure); ok {
			tx.SQL(`UPDATE action SET heard = ? WHERE seq = ?`, n, r.Seq)
		}
	case opDone:
		return Reply{N: n, Result: limit.MustMarshal(append([]Did{}, doneWhere(tx, `code = ?`, f.codeOf(r.Wish))...))}
	case opUndo:
		return undoFrom(tx, f, owner, n, r.Seq)
	case opUndone:
		if last < n {
			f.regain(tx, n, owner, Done, r)
			EndUndo(tx, r.Seq, owner, r.Failure)
			tx.SQL(`UPDATE action SET heard = ? WHERE seq = ?`, n, r.Seq)
		}
	case opAbandon:
		if last <= n {
			Abandon(tx, r.Seq, owner, r.Begun, r.Failure)
		}
	}
	return Reply{N: n, Result: limit.MustMarshal(ok)}
}

// regain gives an action back to the call that tells what has become of it, if the run above has ended before it could
// tell. No other call has taken the action since.
func (f From) regain(tx *durable.Tx, n int64, owner string, left State, r Request) {
	tx.SQL(`UPDATE action SET owner = ? WHERE seq = ? AND state = ? AND owner = '' AND heard < ? AND code = ?`,
		owner, r.Seq, string(left), n, f.Token+"/"+r.Code)
}

// undoFrom is [BeginUndo] for a helper. A request that may come once more after its end takes nothing,
// as with claims.
func undoFrom(tx *durable.Tx, f From, owner string, n, seq int64) Reply {
	last := lastServed(tx, seq)
	a, ok := Find(tx, seq)
	switch {
	case ok && a.Owner == owner && last == n: // the answer was lost
		return Reply{N: n, Result: limit.MustMarshal(a)}
	case last >= n, isLate(tx, f.Token, n):
		return Reply{N: n, Result: json.RawMessage("null")}
	}
	a, err := BeginUndo(tx, seq, owner)
	if err != nil {
		finish(tx, f.Token, n)
		return Reply{N: n, Failure: err.Error()}
	}
	tx.SQL(`UPDATE action SET hop = ?, heard = ? WHERE seq = ?`, f.Run, n, seq)
	return Reply{N: n, Result: limit.MustMarshal(a)}
}

// lastServed returns the number of the last request that has taken or ended an action. A request of the
// same helper with a smaller number comes late, once more.
func lastServed(tx *durable.Tx, seq int64) int64 {
	return tx.Number(`SELECT COALESCE(MAX(heard), 0) FROM action WHERE seq = ?`, seq)
}

// finishedFor is how long it is remembered which requests of a helper have come to an end, and maxFinished
// of how many helpers. A request is on its way for minutes at most.
const (
	finishedFor = 24 * time.Hour
	maxFinished = 1_000
)

// finish notes that a request of a helper has come to an end.
func finish(tx *durable.Tx, token string, n int64) {
	if len(tx.SQL(`UPDATE action_finished SET n = MAX(n, ?), at = ? WHERE token = ? RETURNING n`, n, tx.Now, token)) > 0 {
		return
	}
	tx.SQL(`DELETE FROM action_finished WHERE at < ? OR token IN (SELECT token FROM action_finished ORDER BY at DESC, token LIMIT -1 OFFSET ?)`,
		tx.Now-finishedFor.Milliseconds(), maxFinished-1)
	tx.SQL(`INSERT INTO action_finished (token, n, at) VALUES (?, ?, ?)`, token, n, tx.Now)
}

// isLate says whether a claim may come once more, after its end: it is no newer than a request that
// has come to an end.
func isLate(tx *durable.Tx, token string, n int64) bool {
	return len(tx.SQL(`SELECT 1 FROM action_finished WHERE token = ? AND n >= ?`, token, n)) > 0
}

// claimFrom is [Claim] for a helper. A claim that may come once more after its end takes no key, which
// nothing would release. Its call has to ask again, if it still waits for an answer.
func claimFrom(tx *durable.Tx, f From, owner, code string, n int64, w Wish, k Keep) Reply {
	a, found := OfKey(tx, w.Key)
	if found && a.Owner == owner && lastServed(tx, a.Seq) == n { // the answer was lost
		return claimed(n, Claimed{Seq: a.Seq, State: a.State, Failure: a.Failure, Sent: a.Sent})
	}
	if rows := tx.SQL(`SELECT action FROM action_waiter WHERE routine = ? AND position = ?`, owner, n); len(rows) > 0 {
		if rows[0].Int(0) > 0 {
			return Reply{N: n, Waits: true}
		}
		return claimed(n, Claimed{}) // it is told so at any moment
	}
	if isLate(tx, f.Token, n) {
		return claimed(n, Claimed{})
	}
	c, failure, waits := take(tx, owner, w, k)
	switch {
	case waits > 0:
		tx.SQL(`INSERT INTO action_waiter (action, routine, position, path) VALUES (?, ?, ?, ?)`, waits, owner, n, f.Path)
		return Reply{N: n, Waits: true}
	case failure == "" && (c.State == Begun || c.State == Unknown):
		tx.SQL(`UPDATE action SET hop = ?, heard = ?, code = ? WHERE seq = ?`, f.Run, n, code, c.Seq)
		return claimed(n, c)
	}
	finish(tx, f.Token, n)
	if failure != "" {
		return Reply{N: n, Failure: failure}
	}
	return claimed(n, c)
}

func claimed(n int64, c Claimed) Reply { return Reply{N: n, Result: limit.MustMarshal(c)} }

// Notice tells a call of a helper that it can ask again.
type Notice struct {
	ID, N int64
	Path  string
	// Attempts is how often it was sent.
	Attempts int
}

// Notices returns the notices that are due. Those that were not sent yet come first.
func Notices(tx *durable.Tx, most int) (list []Notice) {
	for _, row := range tx.SQL(`SELECT n, position, path, told FROM action_waiter WHERE action = 0 AND again <= ? ORDER BY again, n LIMIT ?`, tx.Now, most) {
		list = append(list, Notice{row.Int(0), row.Int(1), row.Text(2), int(row.Int(3))})
	}
	return list
}

// NotifyAgainAt counts an attempt to deliver a notice, and says when the next attempt is due.
func NotifyAgainAt(tx *durable.Tx, id, at int64) {
	tx.SQL(`UPDATE action_waiter SET told = told + 1, again = ? WHERE n = ? AND action = 0`, at, id)
}

// NextNotice returns when the next notice is due, or 0. It leaves out those that are due now.
func NextNotice(tx *durable.Tx) int64 {
	return tx.Number(`SELECT COALESCE(MIN(again), 0) FROM action_waiter WHERE action = 0 AND again > ?`, tx.Now)
}

// AskAgain is the reply that a notice carries.
func (w Notice) AskAgain() Reply { return claimed(w.N, Claimed{}) }

// Acknowledge ends a notice: the call has it, or is gone.
func Acknowledge(tx *durable.Tx, id int64) {
	for _, row := range tx.SQL(`DELETE FROM action_waiter WHERE n = ? AND action = 0 RETURNING routine, position`, id) {
		token, _, _ := strings.Cut(row.Text(0)[1:], "/")
		finish(tx, token, row.Int(1))
	}
}

// RunEnded releases what helpers work on below a run that has ended.
func RunEnded(tx *durable.Tx, run string) {
	release(tx, tx.SQL(`SELECT seq FROM action WHERE hop = ? AND hop <> '' AND SUBSTR(owner, 1, 1) = '^'`, run))
}
