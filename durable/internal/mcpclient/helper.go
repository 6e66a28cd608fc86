package mcpclient

import (
	"encoding/json"
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is the helper's side of the servers of its root. A helper cannot call its parent, so each
// request is a row until the root has answered it, and is repeated until then. What the helper knows of
// the servers is a copy of what the root knows, without anything that nobody may see.

// Request is what a helper asks or tells its root: one of Offer, Call, Of, Drop and Outcome. Server is the server that
// it is about.
type Request struct {
	// Offer asks what the servers offer. Hash is that of what the helper knows. Server, if it is not "", is
	// asked anew before, or signed in to if there is a refusal of it.
	Offer   bool     `json:"offer,omitempty"`
	Hash    string   `json:"hash,omitempty"`
	Refusal *Refusal `json:"refusal,omitempty"`
	// Ended is the mark of a session that the server does not know any more.
	Ended string `json:"ended,omitempty"`
	// Call is a request of a server.
	Call *Forwarded `json:"call,omitempty"`
	// Of is the number of an earlier request whose server has asked something. Answer is the message with
	// the answer.
	Of     int64           `json:"of,omitempty"`
	Answer json.RawMessage `json:"answer,omitempty"`
	// Drop is the number of a request that is taken back.
	Drop int64 `json:"drop,omitempty"`
	// Outcome is what has become of a call.
	Outcome *Outcome `json:"outcome,omitempty"`
	Server  string   `json:"server,omitempty"`
}

// Outcome is what has become of a call of a helper, which alone can read the answer.
type Outcome struct {
	// Failure says in words how the call has failed, or is "".
	Failure string `json:"failure,omitempty"`
}

// Forwarded is a request of a server, without what only the root knows.
type Forwarded struct {
	Version string           `json:"version"`
	Message string           `json:"message"`
	Header  []durable.Header `json:"header"`
	Body    json.RawMessage  `json:"body"`
	// Repeatable says that the request can be made twice, and Unheard that nobody waits for the answer.
	Repeatable bool `json:"repeatable,omitempty"`
	Unanswered bool `json:"unheard,omitempty"`
	// Tool and Input are those of a call of a tool. Unasked says that nobody is asked for an approval of it.
	Tool    string          `json:"tool,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Unasked bool            `json:"unasked,omitempty"`
	Consent
}

// Reply is what the root answers to the request N of a helper.
type Reply struct {
	N int64 `json:"n"`
	// Waits says that the answer comes later, without another request.
	Waits bool `json:"waits,omitempty"`
	// Offer is what the servers offer, or nil if it is what the helper knows.
	Offer *Shared `json:"offer,omitempty"`
	// Response is that of a server, and Token the number of the token that was sent.
	Response *flow.Response `json:"response,omitempty"`
	Token    int64          `json:"token,omitempty"`
	// Session is the mark of the session that was sent.
	Session string `json:"session,omitempty"`
	// Asked is a message with a question of a server, whose answer is awaited.
	Asked json.RawMessage `json:"asked,omitempty"`
	// Approve is what a person has to approve before the call is made: a title and a text. Digest is that of the tool that
	// it shows, or for which the call was made.
	Approve []string `json:"approve,omitempty"`
	Digest  string   `json:"digest,omitempty"`
	// Failure says in words why there is no response, and Doubtful that the call may have happened. Own says that
	// the server has nothing to do with it.
	Failure  string `json:"failure,omitempty"`
	Doubtful bool   `json:"doubtful,omitempty"`
	Own      bool   `json:"own,omitempty"`
	// LastFailure is how the last call of the server has failed for all that the root knows, or "".
	LastFailure string `json:"trouble,omitempty"`
}

// doubtful is the error of a request that may have had its effect.
type doubtful string

// Error implements error.
func (d doubtful) Error() string { return string(d) + "; it may or may not have happened" }

// Is says that the error is a [flow.ErrDoubtful].
func (doubtful) Is(target error) bool { return target == flow.ErrDoubtful }

// Err returns why there is no response, or nil.
func (r Reply) Err() error {
	switch {
	case r.Doubtful:
		return doubtful(r.Failure)
	case r.Failure != "":
		return errors.New(r.Failure)
	}
	return nil
}

// Shared is what a helper knows of the servers of its root.
type Shared struct {
	Hash    string         `json:"hash"`
	Servers []SharedServer `json:"servers"`
}

// SharedServer is one of them.
type SharedServer struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	URL          string `json:"url"`
	State        State  `json:"state"`
	Failure      string `json:"failure,omitempty"`
	Version      string `json:"version,omitempty"`
	Instructions string `json:"instructions,omitempty"`
	ReadAt       int64  `json:"readAt,omitempty"`
	Offer        Offer  `json:"offer"`
}

// RootRequest is a request on its way up.
type RootRequest struct {
	N    int64
	Body []byte
}

// AskRoot keeps a request of a helper until the root has answered it. The key is that of the await that
// gets the answer, with a negative position if there is none.
func AskRoot(tx *durable.Tx, key flow.Key, r Request) RootRequest {
	body := limit.MustMarshal(r)
	row := tx.SQL(`INSERT INTO mcp_up (routine, position, body) VALUES (?, ?, ?) RETURNING n`, key.Routine, key.Position, string(body))[0]
	return RootRequest{row.Int(0), body}
}

// NotifyRoot keeps a request of a helper that no await waits for.
func NotifyRoot(tx *durable.Tx, r Request) RootRequest { return AskRoot(tx, nobody, r) }

// DropRequest takes the request of an await back.
func DropRequest(tx *durable.Tx, key flow.Key) (RootRequest, bool) {
	for _, row := range tx.SQL(`DELETE FROM mcp_up WHERE routine = ? AND position = ? RETURNING n`, key.Routine, key.Position) {
		return NotifyRoot(tx, Request{Drop: row.Int(0)}), true
	}
	return RootRequest{}, false
}

// nobody is the key of a request that no await waits for.
var nobody = flow.Key{Position: -1}

// Pending returns the requests behind the given one that the root is not known to have heard, oldest first.
func Pending(tx *durable.Tx, after int64, most int) (list []RootRequest) {
	for _, row := range tx.SQL(`SELECT n, body FROM mcp_up WHERE heard = 0 AND n > ? ORDER BY n LIMIT ?`, after, most) {
		list = append(list, RootRequest{row.Int(0), []byte(row.Text(1))})
	}
	return list
}

// TakeReply takes the root's answer to a request.
func (r *Servers) TakeReply(tx *durable.Tx, reply Reply) {
	if reply.Waits {
		tx.SQL(`UPDATE mcp_up SET heard = 1 WHERE n = ?`, reply.N)
		return
	}
	for _, row := range tx.SQL(`DELETE FROM mcp_up WHERE n = ? RETURNING routine, position, IIF(json_valid(body), body ->> 'offer', 0)`, reply.N) {
		if row.Bool(2) {
			r.share(tx, reply.Offer)
			reply.Offer = nil
		}
		if key := (flow.Key{Routine: row.Text(0), Position: int(row.Int(1))}); key.Position >= 0 {
			flow.Complete(tx, key, limit.MustMarshal(reply), "")
		}
	}
}

// share stores what the root knows, and has the turn go on that waits for it.
func (r *Servers) share(tx *durable.Tx, o *Shared) {
	r.load(tx)
	if r.sharedAt = tx.Now; o != nil {
		tx.SQL(`INSERT INTO mcp_shared (one, body) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET body = excluded.body`, string(limit.MustMarshal(o)))
		r.takeShared(o)
		r.revision++
		r.changed = true
	}
	if tx.Scheduled(Due, "") {
		tx.Unschedule(Due, "")
		r.config.ResumeTurn(tx)
	}
}

func (r *Servers) takeShared(o *Shared) {
	r.sharedHash, r.list = o.Hash, nil
	for _, s := range o.Servers {
		r.list = append(r.list, &Server{
			ID: s.ID, Name: s.Name, URL: s.URL, Declared: true, State: s.State, Failure: s.Failure, Version: s.Version,
			Instructions: s.Instructions, ReadAt: s.ReadAt, Offer: s.Offer, shared: true,
		})
	}
}

// loadShared reads what the helper knows.
func (r *Servers) loadShared(tx *durable.Tx) {
	for _, row := range tx.SQL(`SELECT body FROM mcp_shared`) {
		var o Shared
		if body := row.JSON(0); body != nil && json.Unmarshal(body, &o) == nil {
			r.takeShared(&o)
		}
	}
}

// PrepareFromRoot has the root asked what its servers offer if the helper does not know it, or has asked it a
// minute ago. It says whether a turn has to wait for that.
func (r *Servers) PrepareFromRoot(tx *durable.Tx, ask func(tx *durable.Tx, up RootRequest)) (wait bool) {
	r.load(tx)
	if r.sharedAt > 0 && tx.Now < r.sharedAt+LeastFresh {
		return false
	}
	if len(tx.SQL(`SELECT 1 FROM mcp_up WHERE position < 0 AND IIF(json_valid(body), body ->> 'offer', 0) LIMIT 1`)) == 0 {
		ask(tx, NotifyRoot(tx, Request{Offer: true, Hash: r.sharedHash}))
	}
	if wait = r.sharedHash == "" && !r.impatient; wait && !tx.Scheduled(Due, "") {
		tx.Schedule(Due, "", tx.Now+Patience)
	}
	return wait
}
