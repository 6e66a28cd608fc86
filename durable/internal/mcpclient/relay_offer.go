package mcpclient

import (
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file tells helpers what the servers offer.

// serveOffer says what the servers offer, at once or when they have said it.
func (r *Servers) serveOffer(tx *durable.Tx, from From, n int64, q Request) Reply {
	if q.Server != "" {
		return r.serveConnect(tx, from, n, q)
	}
	r.askStale(tx)
	if r.isAsked() {
		r.storeRelayed(tx, from, n, q)
		return Reply{N: n, Waits: true}
	}
	return Reply{N: n, Offer: r.sharedOffer(tx, q.Hash)}
}

// serveConnect answers when a server is ready or has failed. A person may have to sign in before.
func (r *Servers) serveConnect(tx *durable.Tx, from From, n int64, q Request) Reply {
	if r.Find(tx, q.Server) == nil {
		return Reply{N: n, Failure: unknown(q.Server).Error()}
	}
	id, _ := strconv.Atoi(r.storeRelayed(tx, from, n, q))
	r.Wait(tx, q.Server, flow.Key{Routine: relayWaiter, Position: id}, q.Refusal, q.Ended)
	for _, row := range tx.SQL(`SELECT reply FROM mcp_below WHERE id = ?`, id) {
		return replyIn(n, row.Text(0))
	}
	return Reply{N: n, Waits: true}
}

// relayConnected ends the wait of a helper's request for a server.
func (r *Servers) relayConnected(tx *durable.Tx, id int, result []byte, failure string) {
	for _, row := range tx.SQL(`SELECT body FROM mcp_below WHERE id = ? AND body <> ''`, id) {
		var q Request
		_ = json.Unmarshal([]byte(row.Text(0)), &q)
		if failure == "" && NeedsPerson(result) {
			r.WaitForPerson(tx, q.Server, flow.Key{Routine: relayWaiter, Position: id})
			return
		}
		r.replyToHelper(tx, strconv.Itoa(id), Reply{Offer: r.sharedOffer(tx, q.Hash), Failure: failure})
	}
}

// isAsked says whether a server is being asked whose first offer a turn would wait for.
func (r *Servers) isAsked() bool {
	for _, x := range r.exchanges {
		if x.first {
			return true
		}
	}
	return false
}

// ReplyOffers tells the helpers that wait for what the servers offer.
func (r *Servers) ReplyOffers(tx *durable.Tx) {
	if !tx.Made("mcp_below") {
		return
	}
	for _, row := range tx.SQL(`SELECT id, body FROM mcp_below WHERE body <> ''`) {
		var q Request
		if body := row.JSON(1); body != nil && json.Unmarshal(body, &q) == nil && q.Offer && q.Server == "" && !r.isAsked() {
			r.replyToHelper(tx, idOf(row), Reply{Offer: r.sharedOffer(tx, q.Hash)})
		}
	}
}

// maxShared bounds what a helper is told of the servers, in bytes.
const maxShared = 1 << 20

// sharedOffer returns what a helper is told, or nil if it knows that.
func (r *Servers) sharedOffer(tx *durable.Tx, known string) *Shared {
	o := &Shared{Servers: []SharedServer{}}
	room := maxShared
	for _, s := range r.List(tx) {
		one := SharedServer{
			ID: s.ID, Name: s.Name, URL: s.URL, State: s.State, Failure: s.Failure, Version: s.Version,
			Instructions: s.Instructions, ReadAt: s.ReadAt,
		}
		for _, t := range s.Offer.Tools {
			if t, ok := r.config.Shared(s, t); ok && room > 0 {
				room -= len(t.Description) + len(t.Input) + len(t.Output) + 512
				one.Offer.Tools = append(one.Offer.Tools, t)
			}
		}
		o.Servers = append(o.Servers, one)
	}
	sum := sha256.Sum(limit.MustMarshal(o))
	if o.Hash = hex.EncodeToString(sum[:8]); o.Hash == known {
		return nil
	}
	return o
}
