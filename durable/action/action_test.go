package action_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/share"
)

// ledger is a ledger and routines that ask it for keys. The memory of the object is thrown away
// before each call.
type ledger struct {
	t  *testing.T
	tx *durable.Tx
	n  int
	// keep is how much it remembers.
	keep action.Keep
}

func open(t *testing.T) *ledger {
	t.Helper()
	l := &ledger{t: t, keep: action.Keep{Share: share.Share{Most: 3, Each: 3, Are: share.Actions.Are}, Age: time.Hour}, tx: durable.NewTx(1_700_000_000_000, durabletest.Memory(t), durabletest.Rand(1))}
	durable.Migrate(l.tx, durable.ScheduleSchema, durable.DamageSchema, flow.Schema, action.Schema)
	return l
}

// claim has a routine ask for a key. It returns the await.
func (l *ledger) claim(routine, key, input string) flow.Key {
	l.t.Helper()
	digest, err := action.Digest(json.RawMessage(input))
	if err != nil {
		l.t.Fatal(err)
	}
	await := flow.Key{Routine: routine, Position: l.n}
	l.n++
	l.tx.SQL(`INSERT INTO await (routine, position, branch, place, name) VALUES (?, ?, -1, ?, 'action')`, routine, await.Position, await.Position)
	action.Claim(l.tx, await, action.Wish{Key: key, Tool: "pay", Digest: digest}, l.keep)
	return await
}

// got returns what an await was answered: a state, a failure, or "waits".
func (l *ledger) got(await flow.Key) string {
	row := l.tx.SQL(`SELECT ended, failure, result FROM await WHERE routine = ? AND position = ?`, await.Routine, await.Position)[0]
	if row.Int(0) == 0 {
		return "waits"
	}
	if row.Text(1) != "" {
		return row.Text(1)
	}
	var c action.Claimed
	if err := json.Unmarshal(row.Blob(2), &c); err != nil {
		l.t.Fatal(err)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s%s", c.State, c.Result, c.Failure))
}

func (l *ledger) want(await flow.Key, want string) {
	l.t.Helper()
	if got := l.got(await); got != want {
		l.t.Errorf("got %q, want %q", got, want)
	}
}

// states are the keys and states of all rows, oldest first.
func (l *ledger) states() string {
	list, _ := action.List(l.tx, action.Filter{}, 10)
	var states []string
	for i := range list {
		a := list[len(list)-1-i]
		states = append(states, a.Key+" "+string(a.State))
	}
	return strings.Join(states, ", ")
}

// do begins and ends an action.
func (l *ledger) do(key string, to action.State) int64 {
	l.t.Helper()
	routine := fmt.Sprint("call-", l.n)
	l.claim(routine, key, `{}`)
	a, ok := action.OfKey(l.tx, key)
	if !ok {
		l.t.Fatalf("%s is not begun", key)
	}
	if !action.Finish(l.tx, a.Seq, routine, to, []byte(`1`), "") {
		l.t.Fatalf("%s is not owned", key)
	}
	flow.Forget(l.tx, routine)
	return a.Seq
}

// TestOneCallOwnsAKey has three calls ask for one key, of which the first fails and the second is
// done.
func TestOneCallOwnsAKey(t *testing.T) {
	l := open(t)
	first, second, third := l.claim("1", "k", `{"a":1}`), l.claim("2", "k", `{"a":1}`), l.claim("3", "k", `{"a":1}`)
	l.want(first, "begun")
	l.want(second, "waits")
	l.want(l.claim("4", "k", `{"a":2}`), `the key "k" belongs to another input: its digest begins with 015abd7f, and that of this call with 7e8059f4; nothing was done`)
	if action.Finish(l.tx, 1, "2", action.Done, nil, "") {
		t.Error("an action was ended by a call that does not own it")
	}
	action.Finish(l.tx, 1, "1", action.Failed, nil, "no")
	l.want(second, "")
	l.want(third, "")
	l.want(l.claim("2", "k", `{"a":1}`), "begun")
	l.want(l.claim("3", "k", `{"a":1}`), "waits")
	action.Finish(l.tx, 2, "2", action.Done, []byte(`{"r":1}`), "")
	l.want(l.claim("3", "k", `{"a":1}`), `done {"r":1}`)
}

// TestOwnerThatIsGone checks that an action is unknown whose call has left no journal, and that the
// next call settles it.
func TestOwnerThatIsGone(t *testing.T) {
	l := open(t)
	l.claim("1", "k", `{}`)
	flow.Forget(l.tx, "1")
	l.want(l.claim("2", "k", `{}`), "unknown the call that had begun it was given up")
	l.want(l.claim("3", "k", `{}`), "waits")
	action.Abandon(l.tx, 1, "2", false, "stopped")
	l.want(l.claim("4", "k", `{}`), "unknown the call that had begun it was given up")
}

// TestAbandonedCall checks what becomes of an action whose call was stopped.
func TestAbandonedCall(t *testing.T) {
	for _, c := range []struct {
		begun bool
		want  string
	}{{true, "k unknown"}, {false, "k failed"}} {
		l := open(t)
		l.claim("1", "k", `{}`)
		action.Abandon(l.tx, 1, "1", c.begun, "stopped")
		action.Abandon(l.tx, 1, "1", !c.begun, "stopped")
		if got := l.states(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestLedgerForgetsWithTime moves the clock.
func TestLedgerForgetsWithTime(t *testing.T) {
	l := open(t)
	l.do("a", action.Done)
	l.do("b", action.Unknown)
	l.tx.Now += time.Hour.Milliseconds() + 1
	l.do("c", action.Done)
	if got, want := l.states(), "b unknown, c done"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestUndoneKeyIsFree undoes an action, and takes its key again. Servers are sent another key then.
func TestUndoneKeyIsFree(t *testing.T) {
	l := open(t)
	seq := l.do("k", action.Done)
	l.claim("busy", "other", `{}`)
	if _, err := action.BeginUndo(l.tx, seq, "busy"); err != nil {
		t.Fatal(err)
	}
	if _, err := action.BeginUndo(l.tx, seq, "another"); err == nil {
		t.Error("an action is undone twice at once")
	}
	waits := l.claim("w", "k", `{}`)
	l.want(waits, "waits")
	action.EndUndo(l.tx, seq, "busy", "")
	l.want(waits, "")
	if _, err := action.BeginUndo(l.tx, seq, "busy"); err == nil {
		t.Error("an action is undone twice")
	}
	l.claim("w", "k", `{}`)
	if a, _ := action.OfKey(l.tx, "k"); a.Sent != "k:3" {
		t.Errorf("the key %q is sent", a.Sent)
	}
}

// TestDigest compares inputs that are the same, and inputs that are not.
func TestDigest(t *testing.T) {
	digest := func(input string) string {
		d, err := action.Digest(json.RawMessage(input))
		if err != nil {
			t.Errorf("%s: %v", input, err)
		}
		return d
	}
	same := digest(`{"a":1,"b":[1.5,"\u00e9"],"c":{"x":null,"y":true}}`)
	for _, input := range []string{"{ \"c\":{\"y\":true,\"x\":null},\n\"b\":[15e-1,\"é\"],\"a\":1.0}", `{"b":[1.50,"é"],"c":{"x":null,"y":true},"a":1}`} {
		if digest(input) != same {
			t.Errorf("%s has another digest", input)
		}
	}
	for _, input := range []string{`{"a":1}`, `{"a":"1","b":[1.5,"é"],"c":{"x":null,"y":true}}`} {
		if digest(input) == same {
			t.Errorf("%s has the same digest", input)
		}
	}
	if digest(`{"id":12345678901234567890123}`) == digest(`{"id":12345678901234567890124}`) {
		t.Error("two long ids have one digest")
	}
	for _, input := range []string{``, `[]`, `1`, `null`, `{`, `"{}"`} {
		if d, err := action.Digest(json.RawMessage(input)); err == nil {
			t.Errorf("%q has the digest %s", input, d)
		}
	}
}

// TestKeys checks which keys are refused.
func TestKeys(t *testing.T) {
	for key, ok := range map[string]bool{
		"k": true, strings.Repeat("k", action.MaxKey): true, "zahlung:ü": true,
		"": false, strings.Repeat("k", action.MaxKey+1): false, "a\nb": false,
	} {
		if err := action.CheckKey(key); (err == nil) != ok {
			t.Errorf("%.20q: %v", key, err)
		}
	}
}

// ask has a helper send a request to the ledger. It returns the state, or true or false, or "waits".
func (l *ledger) ask(token string, n int64, r action.Request) string {
	l.t.Helper()
	r.Routine = "call"
	body, err := json.Marshal(r)
	if err != nil {
		l.t.Fatal(err)
	}
	from := action.From{Token: token, Path: `[{}]`, Run: "run-" + token}
	reply := action.Serve(l.tx, from, n, body, action.Default)
	var c action.Claimed
	switch {
	case reply.N != n:
		l.t.Errorf("the request %d is answered as %d", n, reply.N)
	case reply.Waits:
		return "waits"
	case reply.Failure != "":
		return reply.Failure
	case json.Unmarshal(reply.Result, &c) == nil:
		return "state " + string(c.State)
	}
	return string(reply.Result)
}

// TestLateRequestsChangeNothing has requests of a helper come once more after their ends.
func TestLateRequestsChangeNothing(t *testing.T) {
	l := open(t)
	claim := action.ClaimAtRoot(action.Wish{Key: "k", Tool: "pay", Digest: "d"})
	drop := action.Request{Op: "drop", Claim: 7}
	want := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	want("the claim", l.ask("a", 1, claim), "state begun")
	want("the claim, whose answer was lost", l.ask("a", 1, claim), "state begun")
	want("a claim of another helper", l.ask("b", 1, claim), "waits")
	want("the same", l.ask("b", 1, claim), "waits")
	if got := l.tx.Number(`SELECT COUNT(*) FROM action_waiter`); got != 1 {
		t.Errorf("%d calls wait", got)
	}
	want("an end that is not the owner's", l.ask("b", 2, action.EndAtRoot(1, "", "", action.Failed, nil, "")), "false")
	want("the end", l.ask("a", 2, action.EndAtRoot(1, "", "", action.Failed, nil, "no")), "true")
	want("the end, whose answer was lost", l.ask("a", 2, action.EndAtRoot(1, "", "", action.Failed, nil, "no")), "true")
	want("the claim after its end", l.ask("a", 1, claim), "state ")
	want("states", l.states(), "k failed")

	want("the claim of a call that is to be told", l.ask("b", 1, claim), "state ")
	for _, w := range action.Notices(l.tx, 10) {
		action.Acknowledge(l.tx, w.ID)
	}
	want("the claim of a call that was told", l.ask("b", 1, claim), "state ")
	want("states", l.states(), "k failed")
	want("the claim of that call, asked again", l.ask("b", 3, claim), "state begun")
	want("a doubt", l.ask("b", 4, action.DoubtAtRoot(2, "lost")), "true")
	want("an end", l.ask("b", 5, action.EndAtRoot(2, "", "", action.Unknown, nil, "lost")), "true")
	want("a claim of what is unknown", l.ask("b", 6, claim), "state unknown")
	want("the end before, once more", l.ask("b", 5, action.EndAtRoot(2, "", "", action.Failed, nil, "")), "false")
	want("states", l.states(), "k failed, k unknown")
	want("its end", l.ask("b", 8, action.EndAtRoot(2, "", "", action.Failed, nil, "")), "true")

	want("a claim that was taken back", l.ask("c", 8, drop), "true")
	want("that claim, which comes later", l.ask("c", 7, claim), "state ")
	want("states", l.states(), "k failed, k failed")
	l.tx.Now += 25 * time.Hour.Milliseconds()
	want("a claim of a new helper", l.ask("d", 1, claim), "state begun")
	want("its end", l.ask("d", 2, action.EndAtRoot(3, "", "", action.Done, []byte(`1`), "")), "true")
	if got := l.tx.Number(`SELECT COUNT(*) FROM action_finished`); got != 1 {
		t.Errorf("%d helpers are remembered", got)
	}
}

// TestRunEndsBesideTheRootsCall has a helper leave an action unknown that a call of the root settles
// when the helper's run ends.
func TestRunEndsBesideTheRootsCall(t *testing.T) {
	l := open(t)
	digest, _ := action.Digest(json.RawMessage(`{}`))
	l.ask("a", 1, action.ClaimAtRoot(action.Wish{Key: "k", Tool: "pay", Digest: digest}))
	l.ask("a", 2, action.EndAtRoot(1, "", "", action.Unknown, nil, "lost"))
	l.want(l.claim("1", "k", `{}`), "unknown lost")
	action.RunEnded(l.tx, "run-a")
	if !action.Finish(l.tx, 1, "1", action.Done, []byte(`1`), "") {
		t.Error("the call has lost its action")
	}
}

// TestWordOfAStoppedHelper has a helper tell what has become of an action after the run above it has ended, which gives the
// action up.
func TestWordOfAStoppedHelper(t *testing.T) {
	digest, _ := action.Digest(json.RawMessage(`{}`))
	claim := func(call string) action.Request {
		return action.ClaimAtRoot(action.Wish{Key: "k", Tool: "pay", Digest: digest, Call: call})
	}
	ended := func(call string) action.Request { return action.EndAtRoot(1, "", call, action.Failed, nil, "no") }
	for name, test := range map[string]struct {
		between            func(l *ledger)
		word               action.Request
		token, said, state string
	}{
		"what it has learnt":        {word: ended("1"), token: "a", said: "true", state: "k failed"},
		"of a call that is not its": {word: ended("2"), token: "a", said: "false", state: "k unknown"},
		"of another helper":         {word: ended("1"), token: "b", said: "false", state: "k unknown"},
		"behind a call of the root": {word: ended("1"), token: "a", said: "false", state: "k unknown", between: func(l *ledger) {
			l.want(l.claim("1", "k", `{}`), "unknown lost")
			action.Gone(l.tx, "1")
		}},
		"behind another call of the helper": {word: ended("1"), token: "a", said: "false", state: "k unknown", between: func(l *ledger) {
			l.ask("a", 3, claim("2"))
			action.RunEnded(l.tx, "run-a")
		}},
		"behind what a person has said": {word: ended("1"), token: "a", said: "false", state: "k done", between: func(l *ledger) {
			action.Resolve(l.tx, 1, true, []byte(`1`), "")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			l := open(t)
			l.ask("a", 1, claim("1"))
			l.ask("a", 2, action.DoubtAtRoot(1, "lost"))
			action.RunEnded(l.tx, "run-a")
			if test.between != nil {
				test.between(l)
			}
			if got := l.ask(test.token, 9, test.word); got != test.said || l.states() != test.state {
				t.Errorf("got %s and %s, want %s and %s", got, l.states(), test.said, test.state)
			}
		})
	}
}

// TestUndoneByAStoppedHelper is the same for an action that the helper has undone.
func TestUndoneByAStoppedHelper(t *testing.T) {
	l := open(t)
	l.ask("a", 1, action.ClaimAtRoot(action.Wish{Key: "k", Tool: "pay", Digest: "d", Run: "w"}))
	l.ask("a", 2, action.EndAtRoot(1, "w", "", action.Done, []byte(`1`), ""))
	l.ask("a", 3, action.UndoAtRoot(1))
	action.RunEnded(l.tx, "run-a")
	l.ask("a", 4, action.UndoneAtRoot(1, "w", "", ""))
	if got := l.states(); got != "k undone" {
		t.Errorf("got %s, want k undone", got)
	}
}

// TestLateUndoRequestsChangeNothing has a helper's requests to undo an action come once more.
func TestLateUndoRequestsChangeNothing(t *testing.T) {
	l := open(t)
	for i, step := range []struct {
		from string
		n    int64
		r    action.Request
		want string
	}{
		{"a", 1, action.ClaimAtRoot(action.Wish{Key: "k", Tool: "pay", Digest: "d", Run: "w"}), "state begun"},
		{"a", 2, action.EndAtRoot(1, "", "", action.Done, []byte(`1`), ""), "true"},
		{"a", 3, action.DoneAtRoot("w", ""), `[{"seq":1,"position":0}]`},
		{"b", 1, action.DoneAtRoot("w", ""), `[]`},
		{"a", 4, action.UndoAtRoot(1), "state done"},
		{"a", 4, action.UndoAtRoot(1), "state done"},
		{"c", 9, action.UndoAtRoot(1), "the action 1 is being undone"},
		{"a", 5, action.UndoneAtRoot(1, "w", "", "no"), "true"},
		{"a", 4, action.UndoAtRoot(1), "state "}, // it comes late, and takes nothing
		{"a", 6, action.UndoAtRoot(1), "state done"},
		{"a", 5, action.UndoneAtRoot(1, "w", "", ""), "true"}, // the same
		{"a", 7, action.Request{Op: "drop", Claim: 6}, "true"},
		{"a", 6, action.UndoAtRoot(1), "state "},
		{"a", 8, action.UndoAtRoot(1), "state done"},
		{"a", 9, action.UndoneAtRoot(1, "w", "", ""), "true"},
		{"a", 9, action.UndoneAtRoot(1, "w", "", ""), "true"},
		{"a", 8, action.UndoAtRoot(1), "state "},
		{"a", 10, action.UndoAtRoot(1), "the action 1 is undone: only what is done can be undone"},
	} {
		if got := l.ask(step.from, step.n, step.r); got != step.want {
			t.Errorf("step %d, the request %d of %s: got %q, want %q", i, step.n, step.from, got, step.want)
		}
	}
	if got := l.states(); got != "k undone" {
		t.Errorf("got %s", got)
	}
}

// TestWhatWasHeardIsNotSaidAgain has a root hear a helper's request, and a helper hear what it has waited for.
func TestWhatWasHeardIsNotSaidAgain(t *testing.T) {
	for _, reply := range []action.Reply{{N: 1, Waits: true}, {N: 1, Result: json.RawMessage(`{}`)}, {N: 1, Failure: "no"}} {
		l := open(t)
		l.tx.SQL(`INSERT INTO action_up (n, routine, position, body) VALUES (1, 'code', 0, '{}')`)
		if got := action.Pending(l.tx, 0, 2); len(got) != 1 {
			t.Fatalf("%d requests are not heard", len(got))
		}
		action.TakeReply(l.tx, reply)
		if got := action.Pending(l.tx, 0, 2); len(got) != 0 {
			t.Errorf("behind %+v the request is asked again", reply)
		}
	}
	l := open(t)
	l.tx.SQL(`INSERT INTO action_waiter (n, action, routine, position, path) VALUES (1, 0, '^a/code', 1, '[]')`)
	action.NotifyAgainAt(l.tx, 1, l.tx.Now+1)
	if next := action.NextNotice(l.tx); next != l.tx.Now+1 {
		t.Errorf("the call is told again at %d", next)
	}
	action.Acknowledge(l.tx, 1)
	l.tx.Now++
	if left := action.Notices(l.tx, 2); len(left) != 0 {
		t.Errorf("the call is told again: %v", left)
	}
}
