package mcpclient_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/internal/mcpsignin"
)

// signIn makes sign-ins that need nothing of an object.
func signIn(r *mcpclient.Servers) mcpclient.SignIn { return mcpsignin.New(r, mcpsignin.Config{}) }

// TestTablesOfHelpersEnd has helpers ask their root far too often, and take back what they have asked.
func TestTablesOfHelpersEnd(t *testing.T) {
	tx := durable.NewTx(1_700_000_000_000, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, durable.ScheduleSchema, durable.DamageSchema, flow.Schema, mcpclient.Schema)
	count := func(table string) int { return int(tx.Number(`SELECT COUNT(*) FROM ` + table)) }
	r := mcpclient.New(mcpclient.Config{SignIn: signIn, Declared: []mcpclient.Declared{{Name: "docs", URL: "https://docs.example/mcp"}}})
	for i := range int64(1_300) {
		tx.Now++
		r.Serve(tx, mcpclient.From{Token: "h", Path: "[]"}, i+1, mcpclient.Request{Drop: 1_000_000 + i})
	}
	if n := count("mcp_below"); n != 1_000 {
		t.Errorf("%d requests are remembered", n)
	}
	tx.Now += 25 * 3_600_000
	r.Serve(tx, mcpclient.From{Token: "h", Path: "[]"}, 5_000, mcpclient.Request{Drop: 2_000_000})
	if n := count("mcp_below"); n != 1 {
		t.Errorf("a day later %d requests are remembered", n)
	}

	for i := range 300 {
		key := flow.Key{Routine: fmt.Sprint("code", i%10), Position: i}
		r.WaitForPerson(tx, "docs", key)
		r.WaitForPerson(tx, "docs", key)
		if i%2 == 0 {
			r.Leave(tx, "docs", key)
		}
	}
	if n := count("mcp_waiter"); n > 150 {
		t.Errorf("%d awaits wait for a server", n)
	}
	for i := range 10 {
		r.Withdraw(tx, fmt.Sprint("code", i))
	}
	if n := count("mcp_waiter"); n != 0 {
		t.Errorf("%d awaits are left that are over", n)
	}

	above := mcpclient.New(mcpclient.Config{SignIn: signIn, OfRoot: true})
	for i := range 300 {
		up := mcpclient.AskRoot(tx, flow.Key{Routine: "code", Position: -1}, mcpclient.Request{Offer: true})
		above.TakeReply(tx, mcpclient.Reply{N: up.N, Offer: &mcpclient.Shared{Hash: fmt.Sprint(i)}})
	}
	if count("mcp_up") != 0 || count("mcp_shared") != 1 {
		t.Errorf("%d requests are left that were answered, and %d copies of what the root knows", count("mcp_up"), count("mcp_shared"))
	}
}

// TestWhatWasHeardIsNotSaidAgain has a root hear a helper's request, and a helper hear the reply of a server.
func TestWhatWasHeardIsNotSaidAgain(t *testing.T) {
	tx := durable.NewTx(1_700_000_000_000, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, durable.ScheduleSchema, durable.DamageSchema, flow.Schema, mcpclient.Schema)
	r := mcpclient.New(mcpclient.Config{SignIn: signIn})
	for n, reply := range []mcpclient.Reply{{Waits: true}, {Failure: "no"}} {
		tx.SQL(`INSERT INTO mcp_up (n, routine, position, body) VALUES (?, 'code', 0, '{}')`, n+1)
		if got := mcpclient.Pending(tx, 0, 2); len(got) != 1 {
			t.Fatalf("%d requests are not heard", len(got))
		}
		reply.N = int64(n + 1)
		r.TakeReply(tx, reply)
		if got := mcpclient.Pending(tx, 0, 2); len(got) != 0 {
			t.Errorf("behind %+v the request is asked again", reply)
		}
	}
	tx.SQL(`INSERT INTO mcp_below (id, token, n, path, body, reply, at) VALUES (1, 'h', 1, '[]', '', '{"failure":"no"}', 0)`)
	told := mcpclient.Notices(tx, 2)
	if len(told) != 1 {
		t.Fatalf("%d replies are to be told", len(told))
	}
	mcpclient.NotifyAgainAt(tx, told[0].ID, tx.Now+1)
	mcpclient.Acknowledge(tx, told[0].ID)
	tx.Now++
	if left := mcpclient.Notices(tx, 2); len(left) != 0 || mcpclient.NextNotice(tx) != 0 {
		t.Errorf("the reply is told again: %v", left)
	}
}

// TestOfferIsToldWhileAPersonSignsIn checks that a helper which waits for what the servers offer does not wait for a person,
// who may take a week.
func TestOfferIsToldWhileAPersonSignsIn(t *testing.T) {
	tx := durable.NewTx(1_700_000_000_000, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, durable.ScheduleSchema, durable.DamageSchema, flow.Schema, mcpclient.Schema)
	told := 0
	r := mcpclient.New(mcpclient.Config{
		SignIn: signIn, Declared: []mcpclient.Declared{{Name: "docs", URL: "https://docs.example/mcp"}},
		Development:   func() bool { return false },
		NotifyHelpers: func(*durable.Tx) { told++ },
		Shared:        func(_ *mcpclient.Server, t mcpclient.Tool) (mcpclient.Tool, bool) { return t, true },
	})
	if reply := r.Serve(tx, mcpclient.From{Token: "h", Path: "[]"}, 1, mcpclient.Request{Offer: true}); !reply.Waits {
		t.Fatalf("it is answered %+v", reply)
	}
	docs := r.Find(tx, "docs")
	r.Stop(tx, docs)
	r.WaitForSignIn(tx, docs, "")
	var reply mcpclient.Reply
	notices := mcpclient.Notices(tx, 10)
	if len(notices) != 1 || told != 1 || json.Unmarshal(notices[0].Reply, &reply) != nil || reply.Offer == nil {
		t.Errorf("after %d notices it is told %+v", told, notices)
	}
}
