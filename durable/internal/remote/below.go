package remote

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is the root's side of requests that helpers make of its servers. Each is a row, from before it
// is sent until a day behind its end, so that one that comes once more is not sent once more.

const (
	// belowOf begins the names of the fetches of such requests. The number of the row follows.
	belowOf = fetchOf + "/below/"
	// dueBelow is the kind of the entry with which a stream goes on.
	dueBelow = "mcp-below"
	// maxBelow is how many requests can be under way, and keptBelow how long one is known behind its end.
	maxBelow  = 256
	keptBelow = 24 * time.Hour
)

// From is the helper that has asked: a name of its own, and the way to it.
type From struct{ Token, Path string }

// forwarded is a request under way.
type forwarded struct {
	Forwarded
	server   string
	token    int64
	receiver *Receiver
	// asking are messages with questions that wait behind the one that a person is asked.
	asking []json.RawMessage
}

// Serve does what a helper asks.
func (r *Servers) Serve(tx *durable.Tx, from From, n int64, q Request) Reply {
	for _, row := range tx.SQL(`SELECT reply FROM mcp_below WHERE token = ? AND n = ?`, from.Token, n) {
		return replyIn(n, row.Text(0))
	}
	switch {
	case q.Offer:
		return r.serveOffer(tx, from, n, q)
	case q.Drop > 0:
		r.dropBelow(tx, from, q.Drop)
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
	case q.Call.Unheard:
		r.sendBelow(tx, UnheardFetch(tx), s, q.Call)
		return Reply{N: n}
	case len(r.below) >= maxBelow:
		return Reply{N: n, Own: true, Failure: "too many requests of helpers are under way"}
	}
	id := r.keepBelow(tx, from, n, q)
	r.startBelow(tx, s, id, q.Call)
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

// keepBelow writes the row of a request.
func (r *Servers) keepBelow(tx *durable.Tx, from From, n int64, q Request) (id string) {
	tx.SQL(`DELETE FROM mcp_below WHERE body = '' AND at < ?`, tx.Now-keptBelow.Milliseconds())
	row := tx.SQL(`INSERT INTO mcp_below (token, n, path, body, at) VALUES (?, ?, ?, ?, ?) RETURNING id`, from.Token, n, from.Path, string(limit.MustMarshal(q)), tx.Now)[0]
	return idOf(row)
}

func idOf(row durable.Row) string { return strconv.FormatInt(row.Int(0), 10) }

// startBelow sends a request whose row there is.
func (r *Servers) startBelow(tx *durable.Tx, s *Server, id string, q *Forwarded) {
	r.noteBelow(id, s, q)
	r.below[id].token, _ = r.TokenNumber(tx, s)
	r.sendBelow(tx, belowOf+id, s, q)
}

func (r *Servers) noteBelow(id string, s *Server, q *Forwarded) {
	if r.below == nil {
		r.below = map[string]*forwarded{}
	}
	r.below[id] = &forwarded{Forwarded: *q, server: s.ID}
}

// sendBelow sends a request with what only the root knows.
func (r *Servers) sendBelow(tx *durable.Tx, fetch string, s *Server, q *Forwarded) {
	e := r.Endpoint(tx, s)
	e.Version = q.Version
	sent := e.Forward(q.Header, q.Body)
	tx.Do(durable.Fetch{Fetch: fetch, Method: sent.Method, URL: sent.URL, Header: sent.Header, Body: sent.Body})
}

// fetchedBelow handles an event of the fetch of a request.
func (r *Servers) fetchedBelow(tx *durable.Tx, id string, event durable.Event) {
	f := r.below[id]
	if f == nil {
		return
	}
	switch e := event.(type) {
	case durable.FetchResponded:
		f.receiver = NewReceiver(f.Version, mcp.TextID(f.Message), e.Status, e.Header)
		f.receiver.Told = func(tx *durable.Tx, m mcp.Message) { r.askedBelow(tx, id, f, m) }
	case durable.FetchChunk:
		enough, err := f.receiver.Feed(tx, e.Data)
		if err != nil || enough {
			tx.Do(durable.CancelFetch{Fetch: belowOf + id})
			r.endBelow(tx, id, f, err)
		}
	case durable.FetchEnded:
		r.endBelow(tx, id, f, nil)
	case durable.FetchFailed:
		r.brokenBelow(tx, id, f, e)
	}
}

// brokenBelow handles a response that has failed. That of a legacy server may go on.
func (r *Servers) brokenBelow(tx *durable.Tx, id string, f *forwarded, e durable.FetchFailed) {
	if f.receiver != nil {
		if response, ok := f.receiver.Broken(); ok {
			r.restBelow(tx, id, response)
			return
		}
	}
	r.tellBelow(tx, id, Reply{Failure: e.Error, Doubtful: !e.Unsent})
}

// endBelow handles a response that is complete.
func (r *Servers) endBelow(tx *durable.Tx, id string, f *forwarded, err error) {
	var response flow.Response
	if err == nil {
		response, err = f.receiver.End()
	}
	if _, _, goesOn := GoesOn(response); err == nil && goesOn {
		r.restBelow(tx, id, response)
		return
	}
	if err != nil {
		r.tellBelow(tx, id, Reply{Failure: err.Error(), Doubtful: true})
		return
	}
	r.tellBelow(tx, id, Reply{Response: &response, Token: f.token})
}

// restBelow has a stream go on after a pause.
func (r *Servers) restBelow(tx *durable.Tx, id string, response flow.Response) {
	event, pause, _ := GoesOn(response)
	tx.SQL(`UPDATE mcp_below SET event = ? WHERE id = ?`, event, id)
	tx.Schedule(dueBelow, id, tx.Now+pause.Milliseconds())
}

// goOnBelow asks for the rest of a stream.
func (r *Servers) goOnBelow(tx *durable.Tx, id string) {
	f := r.below[id]
	for _, row := range tx.SQL(`SELECT event FROM mcp_below WHERE id = ? AND event <> ''`, id) {
		s := r.Find(tx, f.serverID())
		if s == nil {
			r.tellBelow(tx, id, Reply{Failure: "the stream of the server was lost", Doubtful: true})
			return
		}
		e := r.Endpoint(tx, s)
		e.Version = f.Version
		q := e.Resume(row.Text(0))
		tx.Do(durable.Fetch{Fetch: belowOf + id, Method: q.Method, URL: q.URL, Header: q.Header})
	}
}

func (f *forwarded) serverID() string {
	if f == nil {
		return ""
	}
	return f.server
}

// tellBelow ends a request. The helper is told, if it waits for that.
func (r *Servers) tellBelow(tx *durable.Tx, id string, reply Reply) {
	if s := r.Find(tx, r.below[id].serverID()); s != nil && s.State == Ready {
		reply.Trouble = s.Failure
	}
	delete(r.below, id)
	tx.Unschedule(dueBelow, id)
	tx.SQL(`UPDATE mcp_below SET body = '', event = '', reply = ?, told = 0, again = 0, at = ? WHERE id = ?`, string(limit.MustMarshal(reply)), tx.Now, id)
	r.config.TellHelpers(tx)
}

// never is the time of what is told only when the helper asks.
const never = 1 << 53

// dropBelow ends a request that a helper takes back. It may not have come yet.
func (r *Servers) dropBelow(tx *durable.Tx, from From, n int64) {
	rows := tx.SQL(`UPDATE mcp_below SET body = '', event = '', reply = '', at = ? WHERE token = ? AND n = ? RETURNING id`, tx.Now, from.Token, n)
	if len(rows) == 0 {
		tx.SQL(`INSERT INTO mcp_below (token, n, path, body, at) VALUES (?, ?, '', '', ?)`, from.Token, n, tx.Now)
		return
	}
	if id := idOf(rows[0]); r.below[id] != nil {
		delete(r.below, id)
		tx.Unschedule(dueBelow, id)
		tx.Do(durable.CancelFetch{Fetch: belowOf + id})
	}
}

// askedBelow handles a message that is no answer. A question goes to the helper.
func (r *Servers) askedBelow(tx *durable.Tx, id string, f *forwarded, m mcp.Message) {
	ask, err := mcp.ParseAsk(m.Method, m.Params)
	if !m.IsRequest() {
		return
	}
	s := r.Find(tx, f.server)
	if s == nil || err != nil || len(f.asking) >= maxAsking {
		if s != nil {
			r.unheard(tx, r.Endpoint(tx, s).Refuse(m.ID, mcp.NoMethod(m.Method)))
		}
		return
	}
	message := mcp.EncodeAsk(m.ID, ask)
	if len(tx.SQL(`UPDATE mcp_below SET asked = 1, reply = ?, told = 0, again = 0 WHERE id = ? AND asked = 0 RETURNING id`, string(limit.MustMarshal(Reply{Asked: message})), id)) == 0 {
		f.asking = append(f.asking, message)
		return
	}
	r.config.TellHelpers(tx)
}

// maxAsking is how many questions of one request may wait.
const maxAsking = 16

func (r *Servers) unheard(tx *durable.Tx, q mcp.Request) {
	tx.Do(durable.Fetch{Fetch: UnheardFetch(tx), Method: q.Method, URL: q.URL, Header: q.Header, Body: q.Body})
}

// serveAnswer sends the answer to a question. The request that has brought it waits for what comes next.
func (r *Servers) serveAnswer(tx *durable.Tx, from From, n int64, q Request) Reply {
	rows := tx.SQL(`UPDATE mcp_below SET n = ?, asked = 0, round = round + 1, told = 0, again = 0 WHERE token = ? AND n = ? AND asked = 1 AND round < ? RETURNING id, reply`,
		n, from.Token, q.Of, maxAnswers)
	if len(rows) == 0 {
		return Reply{N: n, Failure: "the stream of the server was lost", Doubtful: true}
	}
	tx.SQL(`INSERT INTO mcp_below (token, n, path, body, at) VALUES (?, ?, '', '', ?)`, from.Token, q.Of, tx.Now)
	id := idOf(rows[0])
	f := r.below[id]
	if f == nil {
		return replyIn(n, rows[0].Text(1)) // the stream has ended before
	}
	tx.SQL(`UPDATE mcp_below SET reply = '' WHERE id = ?`, id)
	if s := r.Find(tx, f.server); s != nil {
		r.unheard(tx, r.Endpoint(tx, s).Forward(nil, q.Answer))
	}
	if len(f.asking) > 0 {
		next := f.asking[0]
		f.asking = f.asking[1:]
		tx.SQL(`UPDATE mcp_below SET asked = 1, reply = ? WHERE id = ?`, string(limit.MustMarshal(Reply{Asked: next})), id)
		return Reply{N: n, Asked: next}
	}
	return Reply{N: n, Waits: true}
}

// maxAnswers is how many questions of one request are answered. The number of the latest is a part of what
// a helper is told, so that it hears of the one before in vain.
const maxAnswers = 1_000

// serveOffer says what the servers offer, at once or when they have said it.
func (r *Servers) serveOffer(tx *durable.Tx, from From, n int64, q Request) Reply {
	if q.Server != "" {
		return r.serveConnect(tx, from, n, q)
	}
	r.askStale(tx)
	if r.isAsked() {
		r.keepBelow(tx, from, n, q)
		return Reply{N: n, Waits: true}
	}
	return Reply{N: n, Offer: r.sharedOffer(tx, q.Hash)}
}

// waiterBelow stands for the routine of an await, in the row of a helper's request that waits for a server.
const waiterBelow = "^below"

// serveConnect answers when a server is ready or has failed. A person may have to sign in before.
func (r *Servers) serveConnect(tx *durable.Tx, from From, n int64, q Request) Reply {
	if r.Find(tx, q.Server) == nil {
		return Reply{N: n, Failure: unknown(q.Server).Error()}
	}
	id, _ := strconv.Atoi(r.keepBelow(tx, from, n, q))
	r.Wait(tx, q.Server, flow.Key{Routine: waiterBelow, Position: id}, q.Refusal)
	for _, row := range tx.SQL(`SELECT reply FROM mcp_below WHERE id = ?`, id) {
		return replyIn(n, row.Text(0))
	}
	return Reply{N: n, Waits: true}
}

// connectedBelow ends the wait of a helper's request for a server.
func (r *Servers) connectedBelow(tx *durable.Tx, id int, result []byte, failure string) {
	for _, row := range tx.SQL(`SELECT body FROM mcp_below WHERE id = ? AND body <> ''`, id) {
		var q Request
		_ = json.Unmarshal([]byte(row.Text(0)), &q)
		if failure == "" && NeedsPerson(result) {
			r.WaitForPerson(tx, q.Server, flow.Key{Routine: waiterBelow, Position: id})
			return
		}
		r.tellBelow(tx, strconv.Itoa(id), Reply{Offer: r.sharedOffer(tx, q.Hash), Failure: failure})
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

// tellOffers tells the helpers that wait for what the servers offer.
func (r *Servers) tellOffers(tx *durable.Tx) {
	if !tx.Made("mcp_below") {
		return
	}
	for _, row := range tx.SQL(`SELECT id, body FROM mcp_below WHERE body <> ''`) {
		var q Request
		if body := row.JSON(1); body != nil && json.Unmarshal(body, &q) == nil && q.Offer && q.Server == "" && !r.isAsked() {
			r.tellBelow(tx, idOf(row), Reply{Offer: r.sharedOffer(tx, q.Hash)})
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

// OpenBelow goes on with what helpers wait for, when the memory was lost: a request that can be made twice
// is made again, and any other one is in doubt.
func (r *Servers) OpenBelow(tx *durable.Tx) {
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
			r.noteBelow(id, s, q.Call)
		case q.Call != nil && s != nil && q.Call.Repeatable:
			r.startBelow(tx, s, id, q.Call)
		default:
			r.tellBelow(tx, id, Reply{Failure: "the root's instance was lost", Doubtful: true, Own: true})
		}
	}
}

// waitsForPerson says whether a request waits until a person has signed in.
func (r *Servers) waitsForPerson(tx *durable.Tx, id string) bool {
	n, _ := strconv.Atoi(id)
	return len(tx.SQL(`SELECT 1 FROM mcp_waiter WHERE routine = ? AND position = ? AND person = 1`, waiterBelow, n)) > 0
}

// Woken is a reply that a helper is to be told.
type Woken struct {
	ID    int64
	Path  string
	Reply []byte
	Told  int
}

// WokenBelow returns the replies that helpers are to be told now.
func WokenBelow(tx *durable.Tx, most int) (list []Woken) {
	if !tx.Made("mcp_below") {
		return nil
	}
	for _, row := range tx.SQL(`SELECT id * ? + round, n, path, reply, told FROM mcp_below WHERE reply <> '' AND again <= ? ORDER BY again, id LIMIT ?`, 1+maxAnswers, tx.Now, most) {
		list = append(list, Woken{row.Int(0), row.Text(2), limit.MustMarshal(replyIn(row.Int(1), row.Text(3))), int(row.Int(4))})
	}
	return list
}

// TellAgainAt notes that a reply is being told, and when it is told again.
func TellAgainAt(tx *durable.Tx, id, at int64) {
	tx.SQL(`UPDATE mcp_below SET told = told + 1, again = ? WHERE id = ? AND round = ? AND reply <> ''`, at, id/(1+maxAnswers), id%(1+maxAnswers))
}

// NextTell returns when the next reply is told again, or 0.
func NextTell(tx *durable.Tx) int64 {
	if !tx.Made("mcp_below") {
		return 0
	}
	return tx.Number(`SELECT COALESCE(MIN(again), 0) FROM mcp_below WHERE reply <> '' AND again > ? AND again < ?`, tx.Now, int64(never))
}

// Heard notes that a reply was told, or that nobody can be told. An answer that has come behind a question
// is kept, because the helper may still answer that question.
func Heard(tx *durable.Tx, id int64) {
	tx.SQL(`UPDATE mcp_below SET reply = IIF(asked = 1 AND body = '', reply, ''), again = ?, at = ? WHERE id = ? AND round = ?`,
		int64(never), tx.Now, id/(1+maxAnswers), id%(1+maxAnswers))
}

// isBelow says whether a fetch is that of a request of a helper, and returns its id.
func isBelow(name string) (id string, ok bool) { return strings.CutPrefix(name, belowOf) }
