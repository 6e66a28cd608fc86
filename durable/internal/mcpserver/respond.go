package mcpserver

import (
	"net/url"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// from is a request, and who sent it.
type from struct {
	request string
	id      mcp.ID
	caller  mcp.Caller
	header  map[string]string
	claims  string
	// session is that of a legacy client, or nil.
	session *session
	// given are answers that came with the request and without a state.
	given mcp.InputResponses
	// until is when the authorization ends, in milliseconds since 1970, or 0.
	until int64
}

// over says whether the authorization is over.
func (f from) over(now int64) bool { return f.until > 0 && f.until <= now }

// Respond implements [author.MCPServer].
func (p *Server) Respond(tx *durable.Tx, e durable.RequestReceived, claims string) {
	defer p.config.Object.ActFor(claims)() // also for code of the author that decides what is offered
	if !p.allowed(e.Header) {
		respond(tx, e.Request, 403, nil)
		return
	}
	s, ok := p.sessionOf(tx, e.Header, claims)
	switch bare := e.Method == "GET" || e.Method == "DELETE"; {
	case bare && !ok:
		respond(tx, e.Request, 404, mcp.EncodeError(mcp.ID{}, errSession))
		return
	case bare && s != nil:
		p.respondToSession(tx, e, claims, s)
		return
	}
	got, refusal := mcp.Receive(mcp.Post{Method: e.Method, Header: e.Header, Body: e.Body})
	if refusal != nil {
		refuse(tx, e.Request, refusal)
		return
	}
	f := from{request: e.Request, id: got.Message.ID, caller: got.Caller, header: e.Header, claims: claims, until: untilOf(e.Claims)}
	if _, begins := got.Call.(mcp.Initialize); begins {
		p.initialize(tx, f)
		return
	}
	if !ok {
		respond(tx, e.Request, 404, mcp.EncodeError(f.id, errSession))
		return
	}
	if s != nil {
		f.session, f.caller = s, s.caller(f.caller)
	}
	if got.Message.IsResponse() {
		if err := p.answered(tx, f, got.Message); err != nil {
			respond(tx, e.Request, 400, mcp.EncodeError(mcp.ID{}, err))
			return
		}
	}
	if got.Call == nil {
		p.noted(tx, f, got.Message)
		respond(tx, e.Request, 202, nil)
		return
	}
	result, err := p.serve(tx, f, got.Call)
	switch {
	case err != nil:
		f.fail(tx, err)
	case result != nil:
		f.answer(tx, p.encode(f.id, f.caller.Version, result))
	}
}

// errQuestion is for an answer to a question that is not open: it was answered, or withdrawn.
var errQuestion = &mcp.Error{Code: mcp.CodeInvalidRequest, Message: "no such question is open"}

// respondToSession answers a request without a message.
func (p *Server) respondToSession(tx *durable.Tx, e durable.RequestReceived, claims string, s *session) {
	if e.Method == "DELETE" {
		p.endSession(tx, s.id)
		respond(tx, e.Request, 200, nil)
		return
	}
	p.get(tx, from{request: e.Request, header: e.Header, claims: claims, until: untilOf(e.Claims), session: s, caller: s.caller(mcp.Caller{})})
}

// serve answers a request, or returns neither a result nor an error if it is answered later.
func (p *Server) serve(tx *durable.Tx, f from, call mcp.Call) (mcp.Result, *mcp.Error) {
	switch c := call.(type) {
	case mcp.Discover:
		return mcp.Discovered{Versions: mcp.Versions(), Capabilities: p.offers(f.caller.Version), Instructions: p.config.Instructions, Cache: shortly}, nil
	case mcp.Ping:
		return mcp.Done{}, nil
	case mcp.List:
		return p.list(tx, f, c)
	case mcp.CallTool:
		return p.callTool(tx, f, c)
	case mcp.GetPrompt:
		return p.getPrompt(tx, f, c)
	case mcp.ReadResource:
		return p.read(tx, f, c)
	case mcp.Complete:
		return p.complete(c)
	case mcp.TaskCall:
		return p.task(tx, f, c)
	case mcp.Listen:
		return p.listen(tx, f, c)
	case mcp.SetLevel:
		return p.setLevel(tx, f, c.Level)
	case mcp.Subscribe:
		return p.subscribe(tx, f, c)
	}
	return nil, mcp.NoMethod(call.Method())
}

// encode returns the message that answers a request.
func (p *Server) encode(id mcp.ID, version string, result mcp.Result) []byte {
	return mcp.EncodeResult(id, version, p.config.Info, result)
}

func (f from) answer(tx *durable.Tx, body []byte) { respond(tx, f.request, 200, body) }

func (f from) fail(tx *durable.Tx, err *mcp.Error) {
	respond(tx, f.request, err.Status(f.caller.Version), mcp.EncodeError(f.id, err))
}

func refuse(tx *durable.Tx, request string, r *mcp.Refusal) {
	header := headerOf(r.Body)
	if r.Allow != "" {
		header["allow"] = r.Allow
	}
	tx.Do(durable.Respond{Request: request, Status: r.Status, Header: header, Body: r.Body})
}

func respond(tx *durable.Tx, request string, status int, body []byte) {
	tx.Do(durable.Respond{Request: request, Status: status, Header: headerOf(body), Body: body})
}

func headerOf(body []byte) map[string]string {
	header := map[string]string{"cache-control": "no-store"}
	if body != nil {
		header["content-type"] = "application/json"
	}
	return header
}

// allowed says whether a page may send the request. A program that is no page sends no origin. In
// development any page could send its requests to the own machine, under a name that leads there, so
// only pages of that machine may.
func (p *Server) allowed(header map[string]string) bool {
	origin := header["origin"]
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	if cors := p.config.CORS(); cors != "" && (cors == "*" || cors == origin) {
		return true
	}
	if p.config.Development() {
		return isOwnMachine(u.Host) && isOwnMachine(header["host"])
	}
	return strings.EqualFold(u.Host, header["host"])
}

func isOwnMachine(host string) bool { return host != "" && mcp.IsLoopback("http://"+host) }
