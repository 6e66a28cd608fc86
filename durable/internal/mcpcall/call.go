package mcpcall

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/run"
)

// Limits of a call.
const (
	// maxRounds is how often a server may ask before it answers, maxSent how often a request is made that was
	// refused because something has changed, and maxSignIns how often because somebody has to sign in.
	maxRounds, maxSent, maxSignIns = 10, 3, 3
	// answerTime is how long a server may take for one answer.
	answerTime = 30 * time.Minute
)

// Call is a call of a server.
type Call struct {
	*author.Context
	servers *Servers
	// server is the id, and name the name of the server. tool is the tool that is called, or "".
	server, name, tool string
	rounds             int
	// unasked says that no person is asked for an approval, because an author's code calls.
	unasked bool
	// sent is the number of the token that the root has sent for a helper, and asked that of the request whose server
	// asks a person now, or 0.
	sent, asked int64
	// session is the mark of the session that the root has sent for a helper.
	session string
	// failedBefore says that an earlier call of the server has failed. known is how, in a helper.
	failedBefore bool
	known        string
	// hasOutputSchema says that the server has said which schema the results of the tool fit.
	hasOutputSchema bool
	// consent says for which tool the call is made.
	consent mcpclient.Consent
}

func (s *Servers) newCall(c *author.Context, server, tool string) *Call {
	return &Call{Context: c, servers: s, server: server, name: server, tool: tool}
}

// target is what is fixed of a request when it begins. It is journaled, and so holds no secret.
type target struct {
	URL     string      `json:"url"`
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	ID      string      `json:"id"`
	Params  []mcp.Param `json:"params,omitempty"`
	// Repeatable says that the request can be made twice.
	Repeatable bool `json:"repeatable,omitempty"`
	// Token is the number of the token that is sent. Wait says that the request has to wait for another one.
	Token int64 `json:"token,omitempty"`
	Wait  bool  `json:"wait,omitempty"`
	// Session is the mark of the session that is sent.
	Session string `json:"session,omitempty"`
	// Listen says that the server keeps a session, and may ask on a stream that belongs to no request.
	Listen bool `json:"listen,omitempty"`
	// Promised says that there is a schema of the tool's results.
	Promised bool `json:"promised,omitempty"`
	// Troubled says that the last call of the server has failed.
	Troubled bool `json:"troubled,omitempty"`
	ruling
}

// aim fixes where a request goes, and whether a person has to be asked before it is made.
func (k *Call) aim(call mcp.Call) (target, error) {
	return flow.Step(k, "server "+k.server, func(tx *durable.Tx) (target, error) {
		s := k.servers.Find(tx, k.server)
		if s == nil {
			return target{}, fmt.Errorf("there is no server %.80q any more", k.server)
		}
		t := target{URL: s.At(), Name: s.Name, Version: s.Version, ID: mcpclient.NewRequest(tx), Session: s.SessionMark(), Repeatable: true, Troubled: !k.servers.ofRoot && s.State == mcpclient.Ready && s.Failure != ""}
		t.Token, t.Wait = k.servers.signIns.TokenNumber(tx, s)
		var err error
		if c, isTool := call.(mcp.CallTool); isTool {
			tool, _ := s.Tool(k.tool)
			t.Params, t.Promised = tool.Params, len(tool.Output) > 0
			t.Listen = s.Session != "" && !k.servers.ofRoot
			t.Repeatable = tool.ReadOnly || tool.Idempotent || matches(k.servers.declared(s).Repeat, k.tool)
			if t.Version != "" && !t.Wait { // else the server is asked first what it offers
				t.ruling, err = k.servers.rule(tx, s, k.tool, json.RawMessage(c.Arguments.JSON()), k.consent, k.unasked)
			}
		}
		return t, err
	})
}

// unnoted is an error that is not noted at the server: it is none of the server's, or its row says it already.
type unnoted struct{ error }

// Unwrap returns the error itself.
func (u unnoted) Unwrap() error { return u.error }

// Do makes a call, and notes at the server if it has failed. A result that says of itself that it is an error
// is none here.
func (k *Call) Do(call mcp.Call) (mcp.Result, error) {
	result, err := k.converse(call)
	if r, ok := result.(mcp.CallResult); ok && err == nil {
		err = k.fits(r)
	}
	k.servers.reported(flow.Event(k), k.Code.Call.ID)
	var u unnoted
	switch {
	case errors.Is(err, flow.ErrCancelled), errors.Is(err, author.ErrJobAsks), errors.As(err, &u):
	case err != nil:
		k.note(err.Error())
	case k.failedBefore || k.known != "":
		k.note("")
	}
	return result, err
}

// fits checks the structured content of a result against the schema that the server has said. What it finds is
// journaled, because the server may say another one later.
func (k *Call) fits(r mcp.CallResult) error {
	if !k.hasOutputSchema || r.Failed || !r.Structured.Exists() {
		return nil
	}
	content := json.RawMessage(r.Structured.JSON())
	why, err := flow.Step(k, "result of "+k.server, func(tx *durable.Tx) (string, error) {
		if s := k.servers.Find(tx, k.server); s != nil {
			if t, _ := s.Tool(k.tool); len(t.Output) > 0 {
				switch err := run.FitOffered(t.Output, content); {
				case errors.Is(err, run.ErrSchema): // it promises nothing
					tx.Log(durable.Warn, "a server has said a schema that cannot be used", "server", s.Name, "tool", t.Name, "reason", err.Error())
				case err != nil:
					return limitWords(err.Error(), limit.HookWords), nil
				}
			}
		}
		return "", nil
	})
	if why != "" {
		return k.failed("its result does not fit its schema: " + why)
	}
	return err
}

// note notes how the call has failed, or "". A helper tells its root, unless that knows it. It is journaled, so that
// a call of which all is known already does not note it again.
func (k *Call) note(failure string) {
	if k.servers.ofRoot && mcpclient.Shown(failure) == k.known {
		return
	}
	_, _ = flow.Step(k, "outcome of "+k.server, func(tx *durable.Tx) (struct{}, error) {
		if k.servers.ofRoot {
			k.servers.sendToRoot(tx, mcpclient.NotifyRoot(tx, mcpclient.Request{Server: k.server, Outcome: &mcpclient.Outcome{Failure: limitWords(failure, limit.HookWords)}}))
		} else {
			k.servers.NoteCall(tx, k.server, failure)
		}
		return struct{}{}, nil
	})
}

// converse makes a call, and answers the server's questions until it has a result.
func (k *Call) converse(call mcp.Call) (mcp.Result, error) {
	for {
		result, err := k.request(call)
		if err != nil {
			return nil, err
		}
		switch r := result.(type) {
		case mcp.InputRequired:
			responses, err := k.ask(r.Requests)
			if err != nil {
				return nil, err
			}
			call, _ = mcp.Repeat(call, mcp.Resume{Responses: responses, State: r.State})
		case visitsFirst:
			if err := k.visit(r.Requests); err != nil {
				return nil, err
			}
		case mcp.TaskCreated:
			return k.follow(r.Task)
		default:
			return result, nil
		}
	}
}

// request makes one request. If a server has to be asked anew what it is, the request is made again
// behind that: it was refused, so it has had no effect.
func (k *Call) request(call mcp.Call) (mcp.Result, error) {
	ended := "" // the session that was left
	for sent, signIns := 1, 0; ; {
		t, err := k.aim(call)
		switch {
		case err != nil:
			return nil, err
		case t.Ask != nil:
			k.name = t.Name
			if err := k.approve(t.ruling); err != nil {
				return nil, err
			}
			continue
		case t.Digest != "" && !k.rootDecides():
			k.consent.Digest = t.Digest
		}
		k.name, k.failedBefore, k.hasOutputSchema = t.Name, k.failedBefore || t.Troubled, k.hasOutputSchema || t.Promised
		var refusal *mcpclient.Refusal
		switch {
		case t.Version == "" && sent >= maxSent:
			return nil, k.failed("it cannot be reached")
		case t.Version == "" || t.Wait:
			sent++
		default:
			response, err := k.post(t, call)
			if err != nil {
				return nil, err
			}
			if k.servers.ofRoot {
				t.Token, t.Session = k.sent, k.session
			}
			if refusal = refusalOf(t, response); refusal == nil {
				result, again, err := k.read(t, call, response)
				if again == notAgain || sent >= maxSent || again == inNewSession && ended != "" {
					return result, err
				}
				if sent++; again == inNewSession {
					ended = cmp.Or(t.Session, "none")
				}
			} else if signIns++; signIns > maxSignIns {
				return nil, k.failed(fmt.Sprintf("it still refuses, behind %d times of signing in", maxSignIns))
			}
		}
		if err := k.connect(refusal, ended); err != nil {
			return nil, unnoted{err}
		}
	}
}

// refusalOf returns the refusal in a response that says that somebody has to sign in, or nil.
func refusalOf(t target, response flow.Response) *mcpclient.Refusal {
	header := response.Header["www-authenticate"]
	if !mcpclient.WantsSignIn(response.Status, header) {
		return nil
	}
	return &mcpclient.Refusal{Status: response.Status, Header: header, Token: t.Token}
}

// post makes a request and returns the response. A legacy server may ask before it answers.
func (k *Call) post(t target, call mcp.Call) (flow.Response, error) {
	response, err := flow.Within(k, answerTime, func() (flow.Response, error) {
		switch {
		case k.servers.ofRoot:
			return k.forward(t, call)
		case !mcp.Modern(t.Version):
			return k.exchange(t, call)
		}
		return k.send(t, call, k.noted).Wait()
	})
	if err != nil {
		return response, k.wrap(err)
	}
	return response, nil
}

// send sends a request. told is given each message that is no answer.
func (k *Call) send(t target, call mcp.Call, told func(*durable.Tx, mcp.Message)) *flow.PendingFetch {
	caller := k.servers.Caller(t.Version)
	if _, isTool := call.(mcp.CallTool); isTool {
		caller.Progress = mcpclient.RequestID(t.ID)
	}
	return k.fetch(t, k.endpoint(flow.Event(k), t).Call(mcpclient.RequestID(t.ID), caller, call, t.Params), told)
}

// resume asks for the rest of the stream on which a request is answered.
func (k *Call) resume(t target, event string, told func(*durable.Tx, mcp.Message)) *flow.PendingFetch {
	return k.fetch(t, k.endpoint(flow.Event(k), t).Resume(event), told)
}

func (k *Call) fetch(t target, q mcp.Request, told func(*durable.Tx, mcp.Message)) *flow.PendingFetch {
	return flow.StartFetch(k, flow.Request{
		Method: q.Method, URL: q.URL, Header: q.Header, Body: q.Body,
		Repeatable: t.Repeatable && k.servers.Same(flow.Event(k), k.server, k.tool, t.Digest),
		Read: func(head flow.Response) flow.BodyReader {
			r := mcpclient.NewReceiver(t.Version, mcpclient.RequestID(t.ID), head.Status, head.Header)
			r.Notify, r.Server = told, k.name
			return r
		},
	})
}

// endpoint returns where a request goes. Its headers are read from the rows each time, so that no secret
// is journaled.
func (k *Call) endpoint(tx *durable.Tx, t target) mcp.Endpoint {
	e := mcp.Endpoint{URL: t.URL}
	if s := k.servers.Find(tx, k.server); s != nil && (s.URL == t.URL || s.At() == t.URL) {
		e = k.servers.Endpoint(tx, s)
	}
	e.Version = t.Version
	return e
}

// wrap names the server and the tool in an error.
func (k *Call) wrap(err error) error {
	if k.tool == "" {
		return fmt.Errorf("the server %s: %w", k.name, err)
	}
	return fmt.Errorf("the tool %s of the server %s: %w", k.tool, k.name, err)
}

func (k *Call) failed(words string) error { return k.wrap(errors.New(words)) }

// again says whether a request that was refused is made again, once the server was asked anew.
type again int

const (
	notAgain again = iota
	// asBefore is for a server that has changed, or redirects.
	asBefore
	// inNewSession is for one that may not know the session any more.
	inNewSession
)

// read reads a response. A refused request has had no effect.
func (k *Call) read(t target, call mcp.Call, response flow.Response) (mcp.Result, again, error) {
	if response.Status == 403 {
		return nil, notAgain, k.failed("it refuses this client")
	}
	m, err := mcp.ParseMessage(response.Body)
	if err != nil {
		again, err := k.readNothing(t, response)
		return nil, again, err
	}
	switch e := m.Error; {
	case e == nil:
	case mcp.SessionEnded(t.Version, t.carries(), response.Status, e):
		return nil, inNewSession, k.wrap(e)
	case e.Code == mcp.CodeHeader || e.Code == mcp.CodeVersion:
		return nil, asBefore, k.wrap(e)
	case e.Code == mcp.CodeLegacyURL && !mcp.Modern(t.Version) && len(e.Visits()) > 0:
		return visitsFirstOf(e), notAgain, nil
	default:
		if e.Code == mcp.CodeInvalidParams || e.Code == mcp.CodeNoMethod {
			k.servers.MakeStale(flow.Event(k), k.server) // it may have other tools now
		}
		return nil, notAgain, k.wrap(e)
	}
	result, err := mcp.ParseOutcome(call, k.servers.Caller(t.Version).Capabilities, m.Result)
	if err != nil {
		return nil, notAgain, k.wrap(err)
	}
	return result, notAgain, nil
}

// readNothing reads a response that has no message of the protocol.
func (k *Call) readNothing(t target, response flow.Response) (again, error) {
	status, location := response.Status, response.Header["location"]
	switch {
	case mcp.SessionEnded(t.Version, t.carries(), status, nil):
		return inNewSession, k.failed("the session with it has ended")
	case mcpclient.Redirected(t.URL, status, location) != "": // asking the server finds out where it is
		return asBefore, k.failed(mcpclient.Refused(status, location))
	case status >= 300 && status < 400:
		return notAgain, k.failed(mcpclient.Refused(status, location))
	}
	return notAgain, k.failed("it answers without a message of the protocol, with the status " + strconv.Itoa(status))
}

// carries says whether the request has a session.
func (t target) carries() bool { return t.Session != "" || t.Listen }

// connect waits until the server was asked what it is and offers, or until there is a token that it has not
// refused. While a person has to sign in, nothing is held in memory.
func (k *Call) connect(refusal *mcpclient.Refusal, ended string) error {
	if k.servers.ofRoot {
		return k.connectAtRoot(refusal, ended)
	}
	leave := func(tx *durable.Tx, key flow.Key, _ flow.Reason) { k.servers.Leave(tx, k.server, key) }
	state, err := k.Await(flow.Op{
		Name: "connect " + k.server,
		Begin: func(tx *durable.Tx, key flow.Key) {
			defer k.Object.ActFor(k.Code.Claims)()
			k.servers.Wait(tx, k.server, key, refusal, ended)
		},
		Cancel: leave,
	}).Wait()
	switch {
	case err != nil:
		return k.wrap(err)
	case !mcpclient.NeedsPerson(state):
		return nil
	case k.InJob():
		return flow.Permanent(k.failed("it wants a person to sign in, which cannot be waited for here"))
	}
	_, err = k.Await(flow.Op{
		Name: "sign in to " + k.server, Person: true,
		Begin:  func(tx *durable.Tx, key flow.Key) { k.servers.WaitForPerson(tx, k.server, key) },
		Cancel: leave,
	}).Wait()
	if err != nil {
		return k.wrap(err)
	}
	return nil
}
