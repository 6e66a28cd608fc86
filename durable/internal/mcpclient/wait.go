package mcpclient

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// The results of [Servers.Wait].
var (
	connected = []byte(`{}`)
	forPerson = []byte(`{"person":true}`)
)

// NeedsPerson says whether the result of [Servers.Wait] means that a person has to sign in first.
func NeedsPerson(result []byte) bool { return string(result) == string(forPerson) }

// Wait has an await of code wait until a server is ready, or has failed, or waits for a person. It asks the
// server, or signs in if there is a refusal of it. ended is the [Server.SessionMark] of a session that the server does
// not know, or "".
func (r *Servers) Wait(tx *durable.Tx, id string, key flow.Key, why *Refusal, ended string) {
	s := r.Find(tx, id)
	if s == nil {
		flow.Complete(tx, key, nil, unknown(id).Error())
		return
	}
	r.addWaiter(tx, s, key, false)
	s.ended = s.ended || ended != "" && ended == s.SessionMark()
	switch {
	case why != nil && r.signIn.Refused(tx, s, *why):
		r.EndWaits(tx, s, "")
	case r.exchanges[s.ID] != nil || r.signIn.IsUnderWay(s.ID) || why != nil:
	case s.State == Authenticating:
		if !r.signIn.Resume(tx, s) {
			r.EndWaitsOfCode(tx, s)
		}
	case r.signIn.Renew(tx, s):
	default:
		r.Begin(tx, s)
	}
}

// WaitForPerson has an await wait until a server is ready, or has failed, however long a person takes.
func (r *Servers) WaitForPerson(tx *durable.Tx, id string, key flow.Key) {
	s := r.Find(tx, id)
	switch {
	case s == nil:
		flow.Complete(tx, key, nil, unknown(id).Error())
	case s.State != Authenticating && key.Routine == relayWaiter:
		r.relayConnected(tx, key.Position, connected, "")
	case s.State != Authenticating:
		flow.Complete(tx, key, connected, "")
	default:
		r.addWaiter(tx, s, key, true)
	}
}

func (r *Servers) addWaiter(tx *durable.Tx, s *Server, key flow.Key, person bool) {
	tx.SQL(`INSERT INTO mcp_waiter (server, routine, position, person) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, s.ID, key.Routine, key.Position, person)
}

// Leave ends a wait.
func (r *Servers) Leave(tx *durable.Tx, id string, key flow.Key) {
	tx.SQL(`DELETE FROM mcp_waiter WHERE server = ? AND routine = ? AND position = ?`, id, key.Routine, key.Position)
}

// Withdraw ends the waits of a routine that never goes on.
func (r *Servers) Withdraw(tx *durable.Tx, routine string) {
	if tx.Made("mcp_waiter") {
		tx.SQL(`DELETE FROM mcp_waiter WHERE routine = ?`, routine)
	}
}

// EndWaits ends all waits for a server. failure is "" if it is ready.
func (r *Servers) EndWaits(tx *durable.Tx, s *Server, failure string) {
	r.complete(tx, tx.SQL(`DELETE FROM mcp_waiter WHERE server = ? RETURNING routine, position`, s.ID), connected, failure)
}

// EndWaitsOfCode ends the waits of code that does not wait for a person yet.
func (r *Servers) EndWaitsOfCode(tx *durable.Tx, s *Server) {
	r.complete(tx, tx.SQL(`DELETE FROM mcp_waiter WHERE server = ? AND person = 0 RETURNING routine, position`, s.ID), forPerson, "")
}

func (r *Servers) complete(tx *durable.Tx, rows []durable.Row, result []byte, failure string) {
	for _, row := range rows {
		key := flow.Key{Routine: row.Text(0), Position: int(row.Int(1))}
		if key.Routine == relayWaiter {
			r.relayConnected(tx, key.Position, result, failure)
			continue
		}
		if flow.Complete(tx, key, result, failure) {
			r.config.Resume(tx, key.Routine)
		}
	}
}
