package mcpcall

import (
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/internal/mcpsignin"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about helpers that use the servers of their root. The code of a call runs in the helper:
// its journal, its questions to people, its task. Its requests go up to the root, which has the tokens.

// NewOfRoot makes the servers of a helper: those of its root.
func NewOfRoot(o author.Object) *Servers {
	s := &Servers{object: o, revision: -1, ofRoot: true}
	s.Servers = mcpclient.New(mcpclient.Config{OfRoot: true, SignIn: s.signInWith(mcpsignin.Config{}), Resume: o.Resume, ResumeTurn: o.CallModel, Offers: s.isOffered})
	return s
}

// Services returns the ledger of an object, beside what it does for servers.
func Services(o author.Object, actions supervisor.Ledger) supervisor.Ledger {
	return supervisor.Services{actions, serverLedger{o}}
}

// Prepare implements [author.Servers].
func (s *Servers) Prepare(tx *durable.Tx) (wait bool) {
	if s.ofRoot {
		return s.PrepareFromRoot(tx, s.sendToRoot)
	}
	return s.Servers.Prepare(tx)
}

// sendToRoot has a request go up.
func (s *Servers) sendToRoot(tx *durable.Tx, up mcpclient.RootRequest) {
	s.object.Runs().AskLedger(tx, serverRequest(tx, up))
}

// serverRequest returns a request on its way: its number there is odd, see [supervisor.Services].
func serverRequest(tx *durable.Tx, up mcpclient.RootRequest) facet.HostRequest {
	token := task.Token(tx)
	return facet.HostRequest{Run: "mcp-" + token + "-" + strconv.FormatInt(up.N, 10), Request: up.N<<1 + 1, Token: token, Action: up.Body}
}

// askRoot asks the root, as an await of the code.
func (k *Call) askRoot(name string, r mcpclient.Request) (reply mcpclient.Reply, err error) {
	r.Server = k.server
	data, err := k.Await(flow.Op{
		Name: name + " " + k.server, FromParent: true,
		Begin: func(tx *durable.Tx, key flow.Key) { k.servers.sendToRoot(tx, mcpclient.AskRoot(tx, key, r)) },
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) {
			if up, ok := mcpclient.DropRequest(tx, key); ok {
				k.servers.sendToRoot(tx, up)
			}
		},
	}).Wait()
	if err != nil {
		return reply, err
	}
	if err := json.Unmarshal(data, &reply); err != nil {
		return reply, err
	}
	if err = reply.Err(); reply.Own {
		err = unnoted{err}
	}
	return reply, err
}

// connectAtRoot waits until the root has asked the server what it is and offers, or until a person has signed
// in there.
func (k *Call) connectAtRoot(refusal *mcpclient.Refusal, ended string) error {
	if _, err := k.askRoot("connect", mcpclient.Request{Offer: true, Refusal: refusal, Ended: ended}); err != nil {
		return k.wrap(err)
	}
	return nil
}

// rootDecides says whether the root of a helper says for which tool the call is made.
func (k *Call) rootDecides() bool { return k.servers.ofRoot && !k.unasked }

// forward has the root make a request.
func (k *Call) forward(t target, call mcp.Call) (flow.Response, error) {
	q := mcp.Endpoint{Version: t.Version}.Call(mcpclient.RequestID(t.ID), k.servers.Caller(t.Version), call, t.Params)
	f := &mcpclient.Forwarded{Version: t.Version, Message: t.ID, Header: q.Header, Body: q.Body, Repeatable: t.Repeatable}
	if c, isTool := call.(mcp.CallTool); isTool {
		f.Tool, f.Input, f.Unasked, f.Consent = k.tool, json.RawMessage(c.Arguments.JSON()), k.unasked, k.consent
	}
	for r := (mcpclient.Request{Call: f}); ; {
		reply, err := k.askRoot("request above", r)
		k.known = reply.LastFailure
		switch {
		case err != nil:
			return flow.Response{}, err
		case reply.Approve != nil:
			if err := k.approve(ruling{reply.Digest, reply.Approve}); err != nil {
				return flow.Response{}, err
			}
			f.Consent = k.consent
		case reply.Asked != nil:
			if r, err = k.answerForRoot(reply); err != nil {
				return flow.Response{}, err
			}
		case reply.Response == nil:
			return flow.Response{}, errors.New("the root has no response")
		default:
			k.sent, k.session = reply.Token, reply.Session
			if k.rootDecides() && reply.Digest != "" {
				k.consent.Digest = reply.Digest
			}
			return *reply.Response, nil
		}
	}
}

// answerForRoot has a person answer the question of a legacy server, and returns what the root is told.
func (k *Call) answerForRoot(reply mcpclient.Reply) (mcpclient.Request, error) {
	m, err := mcp.ParseMessage(reply.Asked)
	if err != nil {
		return mcpclient.Request{}, err
	}
	q := mcp.Endpoint{}.Refuse(m.ID, mcp.Refused("nobody answers"))
	k.asked = reply.N
	value, err := k.answerOf(m)
	k.asked = 0
	switch {
	case errors.Is(err, flow.ErrCancelled):
		return mcpclient.Request{}, err
	case err == nil:
		result, err := mcp.Parse(value)
		if err != nil {
			return mcpclient.Request{}, err
		}
		q = mcp.Endpoint{}.Reply(m.ID, result)
	}
	return mcpclient.Request{Of: reply.N, Answer: q.Body}, nil
}

// serverLedger is the part of an object that has or answers the requests of helpers. It implements
// [supervisor.Ledger].
type serverLedger struct{ object author.Object }

// numbered is what tells replies to requests of servers from those of actions.
type numbered struct {
	Server *mcpclient.Reply `json:"mcp,omitempty"`
}

// Pending implements [supervisor.Ledger].
func (serverLedger) Pending(tx *durable.Tx, after int64, most int) (list []facet.HostRequest) {
	if !tx.Made("mcp_up") {
		return nil
	}
	for _, up := range mcpclient.Pending(tx, (after-1)>>1, most) {
		list = append(list, serverRequest(tx, up))
	}
	return list
}

// TakeReply implements [supervisor.Ledger].
func (l serverLedger) TakeReply(tx *durable.Tx, reply []byte) {
	var n numbered
	if s := l.servers(); s != nil && json.Unmarshal(reply, &n) == nil && n.Server != nil {
		s.TakeReply(tx, *n.Server)
	}
}

func (l serverLedger) servers() *Servers {
	if s, ok := l.object.Servers().(interface{ Calls() *Servers }); ok {
		return s.Calls()
	}
	return nil
}

// Serve implements [supervisor.Ledger].
func (l serverLedger) Serve(tx *durable.Tx, req *facet.HostRequest, _ time.Duration) []byte {
	reply := mcpclient.Reply{N: req.Request >> 1, Own: true, Failure: "the agent at the root has no servers"}
	var q mcpclient.Request
	if s := l.servers(); s != nil && json.Unmarshal(req.Action, &q) == nil {
		if len(req.Path) > 0 { // it is asked for whom the run works for
			if r, ok := run.Find(tx, req.Path[0].Run); ok {
				defer l.object.ActFor(r.Claims)()
			}
		}
		reply = s.Serve(tx, mcpclient.From{Token: req.Token, Path: string(limit.MustMarshal(req.Path))}, req.Request>>1, q)
	}
	return limit.MustMarshal(numbered{&reply})
}

// shared returns a tool as helpers are told of it.
func (s *Servers) shared(r *mcpclient.Server, t mcpclient.Tool) (mcpclient.Tool, bool) {
	d := s.declared(r)
	t.Idempotent = t.Idempotent || matches(d.Repeat, t.Name)
	return t, d.Allow == nil || matches(d.Allow, t.Name)
}

// Notices implements [supervisor.Ledger].
func (serverLedger) Notices(tx *durable.Tx, most int) (list []supervisor.LedgerNotice) {
	for _, w := range mcpclient.Notices(tx, most) {
		var path []run.Hop
		var reply mcpclient.Reply
		if json.Unmarshal([]byte(w.Path), &path) != nil || json.Unmarshal(w.Reply, &reply) != nil {
			path = nil
		}
		list = append(list, supervisor.LedgerNotice{ID: w.ID<<1 + 1, Path: path, Attempts: w.Attempts, Reply: limit.MustMarshal(numbered{&reply})})
	}
	return list
}

// NotifyAgainAt implements [supervisor.Ledger].
func (serverLedger) NotifyAgainAt(tx *durable.Tx, id, at int64) {
	mcpclient.NotifyAgainAt(tx, id>>1, at)
}

// NextNotice implements [supervisor.Ledger].
func (serverLedger) NextNotice(tx *durable.Tx) int64 { return mcpclient.NextNotice(tx) }

// Acknowledge implements [supervisor.Ledger].
func (serverLedger) Acknowledge(tx *durable.Tx, id int64) { mcpclient.Acknowledge(tx, id>>1) }
