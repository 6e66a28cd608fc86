package action_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/internal/share/sharetest"
)

// kept is a ledger whose rows stay in one memory, as in an object.
type kept struct {
	t *testing.T
	*durable.Tx
	tables *durable.Tables
	n      int
	keep   action.Keep
}

func keptLedger(t *testing.T, keep action.Keep) *kept {
	t.Helper()
	k := &kept{t: t, Tx: durable.NewTx(1_700_000_000_000, durabletest.Memory(t), durabletest.Rand(1)), keep: keep}
	k.reopen()
	return k
}

// reopen takes the memory away.
func (k *kept) reopen() {
	k.tables = &durable.Tables{}
	k.tables.Open(k.Tx, durable.NewLayout(durable.ScheduleSchema, durable.DamageSchema, flow.Schema, action.Schema))
}

// pay has a call of a tool do something, and returns why that was refused.
func (k *kept) pay(tool, by string, to action.State) error {
	k.t.Helper()
	k.n++
	routine := fmt.Sprint("call-", k.n)
	await := flow.Key{Routine: routine}
	k.SQL(`INSERT INTO await (routine, position, branch, place, name) VALUES (?, 0, -1, 0, 'action')`, routine)
	who := claims.Read(by)
	action.Claim(k.Tx, await, action.Wish{Key: fmt.Sprint("k", k.n), Tool: tool, Digest: "d", By: who.Subject, Alone: who.All}, k.keep)
	row := k.SQL(`SELECT failure, result FROM await WHERE routine = ?`, routine)[0]
	flow.Forget(k.Tx, routine)
	if row.Text(0) != "" {
		return errors.New(row.Text(0))
	}
	var c action.Claimed
	if err := json.Unmarshal(row.Blob(1), &c); err != nil {
		k.t.Fatal(err)
	}
	if !action.Finish(k.Tx, c.Seq, routine, to, []byte(`1`), "") {
		k.t.Fatalf("the action %d is not owned", c.Seq)
	}
	return nil
}

func (k *kept) rows(where string) int {
	return int(k.Number(`SELECT COUNT(*) FROM action WHERE ` + where))
}

// TestLedgerIsShared has people pay as often as the ledger remembers. No key is forgotten for those of
// others, and another tool has its own room.
func TestLedgerIsShared(t *testing.T) {
	small := share.Share{Most: 80, Each: 20, Are: share.Actions.Are}
	k := keptLedger(t, action.Keep{Share: small, Age: action.Default.Age})
	sharetest.Check(t, small, func(by string) error { return k.pay("pay", by, action.Done) }, func() int { return k.rows(`tool = 'pay'`) })
	k.reopen()
	if err := k.pay("pay", sharetest.Of("z"), action.Done); err == nil || !strings.Contains(err.Error(), "the ledger has no room for another call of pay: 80 calls of it are remembered already; nothing was done") {
		t.Errorf("after a loss: %v", err)
	}
	if err := k.pay("refund", sharetest.Of("m"), action.Done); err != nil {
		t.Errorf("another tool: %v", err)
	}
	if a, ok := action.OfKey(k.Tx, "k1"); !ok || a.State != action.Done {
		t.Errorf("the first key is %+v", a)
	}
	k.Now += action.Default.Age.Milliseconds() + 1
	if err := k.pay("pay", sharetest.Of("m"), action.Done); err != nil {
		t.Errorf("after 90 days: %v", err)
	}
	if n := k.rows(`1`); n != 80+1+1-16 { // an event forgets sixteen
		t.Errorf("there are %d actions", n)
	}
}

// TestLedgerOfTenThousand fills a ledger of the default size, in which one person has a quarter.
func TestLedgerOfTenThousand(t *testing.T) {
	k := keptLedger(t, action.Default)
	k.SQL(`INSERT INTO action (key, tool, digest, state, owner, call, run, request, asked_by, approved_by, at, ended_at)
		WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 9998)
		SELECT 'key' || n, 'pay', 'd', 'done', '', '', '', '', IIF(n < 2500, 'm', 'p' || n), '', ?, ? FROM number`, k.Now, k.Now)
	k.reopen()
	for _, step := range []struct{ tool, by, want string }{
		{"pay", sharetest.Of("m"), ""},
		{"pay", sharetest.Of("m"), "2500 calls of it are remembered already for one person, who can have 2500 of 10000"},
		{"pay", sharetest.Of("a"), ""},
		{"pay", sharetest.Of("b"), "10000 calls of it are remembered already"},
		{"pay", "", "10000 calls of it are remembered already"},
		{"refund", sharetest.Of("m"), ""},
	} {
		if err := k.pay(step.tool, step.by, action.Done); (err == nil) != (step.want == "") || err != nil && !strings.Contains(err.Error(), step.want) {
			t.Errorf("%s by %s: %v, want %q", step.tool, step.by, err, step.want)
		}
	}
	if n := k.rows(`1`); n != 10_001 {
		t.Errorf("there are %d actions", n)
	}
}

// TestWhatMakesRoom checks which rows go when a tool has no room: what has failed, and what is too old. What
// was done stays, what was undone stays too, because its servers know the key, and what is unknown stays for
// ever.
func TestWhatMakesRoom(t *testing.T) {
	small := action.Keep{Share: share.Share{Most: 6, Each: 4, Are: share.Actions.Are}, Age: action.Default.Age}
	m, a := sharetest.Of("m"), sharetest.Of("a")
	for name, test := range map[string]struct {
		// m has four actions in these states, and a one more that has failed.
		states  []action.State
		later   bool
		refused bool
	}{
		"done":         {states: []action.State{action.Done, action.Done, action.Done, action.Done}, refused: true},
		"undone":       {states: []action.State{action.Undone, action.Undone, action.Undone, action.Undone}, refused: true},
		"unknown":      {states: []action.State{action.Unknown, action.Unknown, action.Unknown, action.Unknown}, refused: true},
		"unknown, old": {states: []action.State{action.Unknown, action.Unknown, action.Unknown, action.Unknown}, later: true, refused: true},
		"one failed":   {states: []action.State{action.Done, action.Done, action.Failed, action.Done}},
		"old":          {states: []action.State{action.Done, action.Unknown, action.Unknown, action.Unknown}, later: true},
	} {
		t.Run(name, func(t *testing.T) {
			k := keptLedger(t, small)
			pay := func(by string, s action.State) {
				t.Helper()
				to := s
				if s == action.Undone {
					to = action.Done
				}
				if err := k.pay("pay", by, to); err != nil {
					t.Fatal(err)
				}
				if s == action.Undone {
					seq := k.Number(`SELECT MAX(seq) FROM action`)
					if _, err := action.BeginUndo(k.Tx, seq, "u"); err != nil {
						t.Fatal(err)
					}
					action.EndUndo(k.Tx, seq, "u", "")
				}
			}
			pay(a, action.Failed)
			for _, s := range test.states {
				pay(m, s)
			}
			if test.later {
				k.Now += small.Age.Milliseconds() + 1
			}
			for range 3 {
				if err := k.pay("pay", m, action.Unknown); (err != nil) != test.refused {
					t.Fatalf("one more: %v", err)
				}
				if !test.refused {
					return
				}
			}
			if err := k.pay("pay", a, action.Done); err != nil {
				t.Errorf("another person: %v", err)
			}
		})
	}
}

// TestRoomIsFoundAgain checks that a tool whose room was looked for in vain has room as soon as a call of it
// turns out to have failed.
func TestRoomIsFoundAgain(t *testing.T) {
	k := keptLedger(t, action.Keep{Share: share.Share{Most: 2, Each: 2, Are: share.Actions.Are}, Age: action.Default.Age})
	m := sharetest.Of("m")
	for _, state := range []action.State{action.Unknown, action.Done} {
		if err := k.pay("pay", m, state); err != nil {
			t.Fatal(err)
		}
	}
	if k.pay("pay", m, action.Done) == nil {
		t.Fatal("there is room")
	}
	if !action.Resolve(k.Tx, 1, false, nil, "no") {
		t.Fatal("the action is not settled")
	}
	if err := k.pay("pay", m, action.Done); err != nil {
		t.Errorf("one has failed: %v", err)
	}
	if got := k.rows(`state IN ('unknown', 'done')`); got != 2 || k.rows(`1`) != 2 {
		t.Errorf("%d actions hold their keys, of %d", got, k.rows(`1`))
	}
}
