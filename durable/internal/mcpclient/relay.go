package mcpclient

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is the root's side of requests that helpers make of its servers. Each is a row, from before it
// is sent until a day behind its end, so that one that comes once more is not sent once more.

const (
	// maxRelayed is how many requests can be under way, relayRetention how long one is known behind its end, and
	// mostRelayed how many are.
	maxRelayed     = 256
	relayRetention = 24 * time.Hour
	mostRelayed    = 1_000
)

// From is the helper that has asked: a name of its own, and the way to it.
type From struct{ Token, Path string }

// Serve does what a helper asks.
func (r *Servers) Serve(tx *durable.Tx, from From, n int64, q Request) Reply {
	for _, row := range tx.SQL(`SELECT reply FROM mcp_below WHERE token = ? AND n = ?`, from.Token, n) {
		return replyIn(n, row.Text(0))
	}
	switch {
	case q.Offer:
		return r.serveOffer(tx, from, n, q)
	case q.Drop > 0:
		r.dropRelayed(tx, from, q.Drop)
		return Reply{N: n}
	case q.Of > 0:
		return r.serveAnswer(tx, from, n, q)
	case q.Outcome != nil:
		r.NoteCall(tx, q.Server, q.Outcome.Failure)
		return Reply{N: n}
	case q.Call == nil:
		return Reply{N: n, Own: true, Failure: "the root cannot read the request"}
	}
	s := r.Find(tx, q.Server)
	switch {
	case s == nil:
		return Reply{N: n, Own: true, Failure: unknown(q.Server).Error()}
	case q.Call.Unanswered:
		r.sendRelayed(tx, UnansweredFetch(tx), s, q.Call)
		return Reply{N: n}
	case len(r.relayed) >= maxRelayed:
		return Reply{N: n, Own: true, Failure: "too many requests of helpers are under way"}
	}
	if reply, made := r.config.Consents(tx, s, q.Call); !made {
		reply.N = n
		return reply
	}
	id := r.storeRelayed(tx, from, n, q)
	r.startRelayed(tx, s, id, q.Call)
	return Reply{N: n, Waits: true}
}

// replyIn returns the stored reply to a request. One that is not stored comes later, or was heard.
func replyIn(n int64, body string) (reply Reply) {
	if body == "" || json.Unmarshal([]byte(body), &reply) != nil {
		reply = Reply{Waits: true}
	}
	reply.N = n
	return reply
}

// storeRelayed writes the row of a request.
func (r *Servers) storeRelayed(tx *durable.Tx, from From, n int64, q Request) (id string) {
	trimRelayed(tx)
	row := tx.SQL(`INSERT INTO mcp_below (token, n, path, body, at) VALUES (?, ?, ?, ?, ?) RETURNING id`, from.Token, n, from.Path, string(limit.MustMarshal(q)), tx.Now)[0]
	return idOf(row)
}

// trimRelayed forgets requests that are over, the oldest first. A reply that a helper has not heard is kept
// for its time.
func trimRelayed(tx *durable.Tx) {
	tx.SQL(`DELETE FROM mcp_below WHERE body = '' AND (at < ? OR reply = '' AND id <= (SELECT MAX(id) FROM mcp_below) - ?)`,
		tx.Now-relayRetention.Milliseconds(), mostRelayed-1)
}

func idOf(row durable.Row) string { return strconv.FormatInt(row.Int(0), 10) }

// dropRelayed ends a request that a helper takes back. It may not have come yet.
func (r *Servers) dropRelayed(tx *durable.Tx, from From, n int64) {
	rows := tx.SQL(`UPDATE mcp_below SET body = '', event = '', reply = '', at = ? WHERE token = ? AND n = ? RETURNING id`, tx.Now, from.Token, n)
	if len(rows) == 0 {
		trimRelayed(tx)
		tx.SQL(`INSERT INTO mcp_below (token, n, path, body, at) VALUES (?, ?, '', '', ?)`, from.Token, n, tx.Now)
		return
	}
	if id := idOf(rows[0]); r.relayed[id] != nil {
		delete(r.relayed, id)
		tx.Unschedule(dueRelay, id)
		tx.Unschedule(dueAsked, id)
		tx.Do(durable.CancelFetch{Fetch: relayFetch + id})
	}
}

// OpenRelayed goes on with what helpers wait for, when the memory was lost: a request that can be made twice
// is made again, and any other one is in doubt.
func (r *Servers) OpenRelayed(tx *durable.Tx) {
	if !tx.Made("mcp_below") {
		return
	}
	for _, row := range tx.SQL(`SELECT id, body, event FROM mcp_below WHERE body <> ''`) {
		var q Request
		_ = json.Unmarshal([]byte(row.Text(1)), &q)
		id, s := idOf(row), r.Find(tx, q.Server)
		switch {
		case q.Offer && s != nil && !r.waitsForPerson(tx, id):
			r.Begin(tx, s)
		case q.Offer:
			r.askStale(tx)
		case q.Call != nil && s != nil && row.Text(2) != "": // the stream goes on by the schedule
			r.noteRelayed(id, s, q.Call)
		case q.Call != nil && s != nil && q.Call.Repeatable && r.Same(tx, s.ID, q.Call.Tool, q.Call.Digest):
			r.startRelayed(tx, s, id, q.Call)
		default:
			r.replyToHelper(tx, id, Reply{Failure: "the root's instance was lost", Doubtful: true, Own: true})
		}
	}
}

// waitsForPerson says whether a request waits until a person has signed in.
func (r *Servers) waitsForPerson(tx *durable.Tx, id string) bool {
	n, _ := strconv.Atoi(id)
	return len(tx.SQL(`SELECT 1 FROM mcp_waiter WHERE routine = ? AND position = ? AND person = 1`, relayWaiter, n)) > 0
}
