package mcpclient

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about the questions that legacy servers ask on the stream of a helper's request. The helper has a person
// answer them.

// maxAsking is how many questions of one request may wait.
const maxAsking = 16

// relayAsked handles a message that is no answer. A question goes to the helper.
func (r *Servers) relayAsked(tx *durable.Tx, id string, f *forwarded, m mcp.Message) {
	ask, err := mcp.ParseAsk(m.Method, m.Params)
	if !m.IsRequest() {
		return
	}
	s := r.Find(tx, f.server)
	if s == nil || err != nil || len(f.asking) >= maxAsking {
		if s != nil {
			r.sendUnanswered(tx, r.Endpoint(tx, s).Refuse(m.ID, mcp.NoMethod(m.Method)))
		}
		return
	}
	message := mcp.EncodeAsk(m.ID, ask)
	if len(tx.SQL(`UPDATE mcp_below SET asked = 1, reply = ?, told = 0, again = 0 WHERE id = ? AND asked = 0 RETURNING id`, string(limit.MustMarshal(Reply{Asked: message})), id)) == 0 {
		f.asking = append(f.asking, message)
		return
	}
	tx.Schedule(dueAsked, id, tx.Now+askedTime)
	r.config.NotifyHelpers(tx)
}

// askedTime is how long the stream of a question is kept open, in milliseconds: longer than a helper waits for a
// person. One that has ended does not answer.
const askedTime = 360_000

// unanswered ends a request whose question no helper has answered.
func (r *Servers) unanswered(tx *durable.Tx, id string) {
	if r.relayed[id] != nil {
		tx.Do(durable.CancelFetch{Fetch: relayFetch + id})
		r.replyToHelper(tx, id, Reply{Failure: "nobody has answered the server", Doubtful: true, Own: true})
	}
}

func (r *Servers) sendUnanswered(tx *durable.Tx, q mcp.Request) {
	tx.Do(durable.Fetch{Fetch: UnansweredFetch(tx), Method: q.Method, URL: q.URL, Header: q.Header, Body: q.Body})
}

// maxAnswers is how many questions of one request are answered. The number of the latest is a part of what
// a helper is told, so that it hears of the one before in vain.
const maxAnswers = 1_000

// serveAnswer sends the answer to a question. The request that has brought it waits for what comes next.
func (r *Servers) serveAnswer(tx *durable.Tx, from From, n int64, q Request) Reply {
	rows := tx.SQL(`UPDATE mcp_below SET n = ?, asked = 0, round = round + 1, told = 0, again = 0 WHERE token = ? AND n = ? AND asked = 1 AND round < ? RETURNING id, reply`,
		n, from.Token, q.Of, maxAnswers)
	if len(rows) == 0 {
		return Reply{N: n, Failure: "the stream of the server was lost", Doubtful: true}
	}
	tx.SQL(`INSERT INTO mcp_below (token, n, path, body, at) VALUES (?, ?, '', '', ?)`, from.Token, q.Of, tx.Now)
	id := idOf(rows[0])
	f := r.relayed[id]
	if f == nil { // the stream has ended before: the helper is told now, and when it asks again
		tx.SQL(`UPDATE mcp_below SET again = ? WHERE id = ?`, int64(never), id)
		return replyIn(n, rows[0].Text(1))
	}
	tx.SQL(`UPDATE mcp_below SET reply = '' WHERE id = ?`, id)
	tx.Unschedule(dueAsked, id)
	if s := r.Find(tx, f.server); s != nil {
		r.sendUnanswered(tx, r.Endpoint(tx, s).Forward(nil, q.Answer))
	}
	if len(f.asking) > 0 {
		next := f.asking[0]
		f.asking = f.asking[1:]
		tx.SQL(`UPDATE mcp_below SET asked = 1, reply = ? WHERE id = ?`, string(limit.MustMarshal(Reply{Asked: next})), id)
		tx.Schedule(dueAsked, id, tx.Now+askedTime)
		return Reply{N: n, Asked: next}
	}
	return Reply{N: n, Waits: true}
}
