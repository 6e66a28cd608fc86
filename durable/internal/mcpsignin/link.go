package mcpsignin

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/mcp/oauth"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about the link by which a person signs in, and the way back. A page of the agent presses it for
// the person by POST, with the person's token. Opened in a browser it shows what it is about, and a button
// presses it. Pressing sets a cookie and sends the person on. The callback needs the state that went to the
// authorization server and the cookie that did not leave the browser, so whoever has pressed the link is the
// one who comes back.

// Limits of a link.
const (
	// linkTime is how long a person has to sign in, in milliseconds, and maxLinks how many links of a server
	// can be on their way.
	linkTime, maxLinks = 600_000, 4
	// maxTarget bounds the URL of a request, in bytes.
	maxTarget = 16 << 10
)

// HeaderLink is the header in which the front door passes the value of the cookie of a link. It removes a
// client's own. The name of the cookie is CookieLink and the first part of the state.
const (
	HeaderLink = "tributary-link"
	CookieLink = "tributary-link-"
)

// link is a row of mcp_secret: a person who is on the way to the authorization server.
type link struct {
	Authorization oauth.Authorization
	// Cookie is the digest of the cookie's value.
	Cookie string
	// Until is how long it is good, in milliseconds since 1970.
	Until    int64
	Metadata string
}

// press is a request of a person's browser that waits for an answer. origin is that of the agent, and agent and
// name are its path. A script of the agent's page wants JSON.
type press struct {
	request, origin, agent, name string
	json                         bool
}

// AuthURL returns the link for a server that waits for a person, or "". It begins with a slash. who is the
// person who is told it; the link of another person is not told.
func (r *SignIns) AuthURL(tx *durable.Tx, s *mcpclient.Server, who string) string {
	if s.State != mcpclient.Authenticating {
		return ""
	}
	in, ok := r.signIn(tx, s)
	if !ok || in.Ticket == "" || in.For != "" && in.For != who {
		return ""
	}
	return r.config.Path() + authorizePath + r.queryOf(s, in)
}

// queryOf returns the query of a link.
func (r *SignIns) queryOf(s *mcpclient.Server, in signIn) string {
	query := "?server=" + url.QueryEscape(s.ID) + "&ticket=" + url.QueryEscape(in.Ticket)
	if r.signature != "" {
		query += "&sig=" + url.QueryEscape(r.signature)
	}
	return query
}

const authorizePath = "/mcp/authorize"

// Respond answers the requests of people who sign in. who is the sender, as in [mcpclient.PersonOf].
func (r *SignIns) Respond(tx *durable.Tx, e durable.RequestReceived, who string) {
	path, query, _ := strings.Cut(e.URL, "?")
	p := press{request: e.Request, origin: r.origin(e.Header["host"]), json: strings.Contains(e.Header["accept"], "application/json")}
	var presses bool
	p.agent, p.name, presses = protocol.SignInPath(path)
	switch {
	case len(e.URL) > maxTarget:
		r.show(tx, p, 414, "This address is too long.")
	case !presses:
		p.agent, p.name, _ = strings.Cut(strings.TrimPrefix(r.config.Path(), "/agents/"), "/")
		r.calledBack(tx, p, e.Header[HeaderLink], query)
	default:
		r.opened(tx, p, e.Method == "POST", query, who)
	}
}

// origin returns the origin that a browser sees. The own machine is spoken to without TLS.
func (r *SignIns) origin(host string) string {
	if address := "http://" + host; r.config.Development() && mcp.IsLoopback(address) {
		return address
	}
	return "https://" + host
}

// What a person is told whose link is not good, or is another's.
const (
	linkGone  = "This link is not good any more. Press the link in the conversation again."
	linkOther = "Somebody else has asked for this. Only the person who has asked can sign in. If you want to sign in yourself, have the agent ask the server again."
)

// opened shows a person what a link is about, or sends the person on who presses it. A link that belongs to a subject is
// for that subject's token, and without a token for a person who sees the page and its button: no script presses it
// without one.
func (r *SignIns) opened(tx *durable.Tx, p press, presses bool, query, who string) {
	q, err := url.ParseQuery(query)
	s := r.servers.Find(tx, q.Get("server"))
	if err != nil || s == nil {
		r.show(tx, p, 403, linkGone)
		return
	}
	in, ok := r.signIn(tx, s)
	switch {
	case !ok || !same(q.Get("ticket"), in.Ticket):
		r.show(tx, p, 403, linkGone)
	case in.For != "" && who != in.For && (who != "" || p.json):
		r.show(tx, p, 403, linkOther)
	case in.Step != toPerson || r.servers.IsAsked(s.ID):
		r.show(tx, p, 409, "The server is being asked right now. Press the link again in a moment.")
	case oauth.CheckRedirect(p.origin+protocol.CallbackPath) != nil:
		r.show(tx, p, 400, "Signing in needs an address that begins with https.")
	case !presses:
		r.explain(tx, p, s, in)
	default:
		r.pressed(tx, p, s, in)
	}
}

// pressed sends a person who has pressed a link on to the authorization server.
func (r *SignIns) pressed(tx *durable.Tx, p press, s *mcpclient.Server, in signIn) {
	known, err := r.client(tx, s, in.Server.Issuer)
	if err != nil {
		r.show(tx, p, 409, mcpclient.Words(err))
		return
	}
	if r.unfinished(tx, s) && r.given(tx, s).ID == "" { // the authorization server may not know it any more
		known = oauth.Client{}
	}
	switch document := r.document(p.origin); in.Server.Choose(known, document) {
	case oauth.WayKnown:
		r.sendOn(tx, s, in, known, p)
	case oauth.WayDocument:
		r.sendOn(tx, s, in, oauth.Client{ID: document}, p)
	case oauth.WayRegister:
		r.register(tx, s, in, p)
	default:
		r.show(tx, p, 409, mcpclient.Words(errNoWay))
	}
}

// unfinished says whether a person has been sent on and has not come back.
func (r *SignIns) unfinished(tx *durable.Tx, s *mcpclient.Server) bool {
	return mcpclient.CountLinks(tx, s) > 0
}

// sendOn sends a person to the authorization server.
func (r *SignIns) sendOn(tx *durable.Tx, s *mcpclient.Server, in signIn, c oauth.Client, p press) {
	if r.given(tx, s).ID == c.ID {
		mcpclient.KeepSecret(tx, s.ID, mcpclient.SecretClient, oauth.Client{Issuer: c.Issuer, ID: c.ID})
	}
	id, cookie := tx.NewID(), random(tx)
	l := link{Cookie: mcpclient.Digest(cookie), Until: tx.Now + linkTime, Metadata: in.Challenge.Metadata, Authorization: oauth.Authorization{
		Server: in.Server, Client: c, Resource: in.Resource.Resource, Redirect: p.origin + protocol.CallbackPath, Scopes: in.Scopes,
		State: protocol.SignInState{Link: id, Secret: random(tx), Agent: p.agent, Name: p.name, Signature: r.signature}.String(), Verifier: random(tx),
	}}
	mcpclient.PruneLinks(tx, s, maxLinks-1)
	mcpclient.KeepSecret(tx, s.ID, mcpclient.SecretLink+id, l)
	set := CookieLink + id + "=" + cookie + "; Path=" + protocol.CallbackPath + "; Max-Age=600; HttpOnly; SameSite=Lax"
	if strings.HasPrefix(p.origin, "https:") {
		set += "; Secure"
	}
	r.leave(tx, p, l.Authorization.URL(), set)
}

// findLink returns the link with a state.
func (r *SignIns) findLink(tx *durable.Tx, state string) (s *mcpclient.Server, name string, l link) {
	id, _, _ := strings.Cut(state, ".")
	name = mcpclient.SecretLink + id
	for server, value := range mcpclient.SecretsNamed(tx, name) {
		if json.Unmarshal([]byte(value), &l) == nil && same(l.Authorization.State, state) {
			return r.servers.Find(tx, server), name, l
		}
	}
	return nil, "", link{}
}

// calledBack takes what the authorization server says by a person's browser. What does not belong to a link
// changes nothing.
func (r *SignIns) calledBack(tx *durable.Tx, p press, cookie, query string) {
	c, err := oauth.ParseCallback(query)
	if err != nil {
		r.show(tx, p, 400, mcpclient.Words(err))
		return
	}
	s, name, l := r.findLink(tx, c.State)
	if s == nil || cookie == "" || mcpclient.Digest(cookie) != l.Cookie {
		r.show(tx, p, 403, "Nobody has begun to sign in by this browser, or the link was used before. Press the link in the conversation again.")
		return
	}
	mcpclient.ForgetSecret(tx, s.ID, name) // state and cookie are good once
	if tx.Now >= l.Until {
		r.show(tx, p, 403, linkGone)
		return
	}
	code, err := l.Authorization.Accept(c)
	if err != nil {
		why := mcpclient.Hide("signing in: "+err.Error(), l.Authorization.State, l.Authorization.Verifier, cookie)
		if s.State == mcpclient.Authenticating {
			s.Failure = why
			r.servers.NoteChange()
			s.Save(tx)
		}
		r.show(tx, p, 403, why+". Press the link in the conversation to try again.")
		return
	}
	r.begun(tx, s, l, code, p)
}

// begun makes the code of a callback a token. It ends whatever is under way with the server.
func (r *SignIns) begun(tx *durable.Tx, s *mcpclient.Server, l link, code string, p press) {
	in, _ := r.signIn(tx, s)
	in.Step, in.Code, in.Link, in.Tries = toCode, code, &l, 0
	in.Server, in.Challenge.Metadata = l.Authorization.Server, l.Metadata
	r.servers.Stop(tx, s)
	in.save(tx, s)
	tx.Schedule(mcpclient.DueSign, s.ID, tx.Now+signTime)
	e := &signin{begun: tx.Now, signIn: in, pressing: []press{p}}
	r.signins[s.ID] = e
	if s.State != mcpclient.Authenticating {
		s.State, s.Failure = mcpclient.Authenticating, ""
		r.servers.NoteChange()
		s.Save(tx)
	}
	r.redeem(tx, s, e)
}

// same compares two secrets in a time that tells nothing of them. Nothing is the same as an empty one.
func same(a, b string) bool { return b != "" && mcpclient.Digest(a) == mcpclient.Digest(b) }

// Askers returns the persons whose links are shown now, each once. Nobody else is told these links. There are
// none before the servers were needed: what browsers were told in an earlier life is still so.
func (r *SignIns) Askers(tx *durable.Tx) (list []string) {
	for _, s := range r.servers.Known() {
		if s.State != mcpclient.Authenticating {
			continue
		}
		if in, ok := r.signIn(tx, s); ok && in.For != "" && !slices.Contains(list, in.For) {
			list = append(list, in.For)
		}
	}
	return list
}

// TakeSignature takes the front door's signature of the object's address, which a link needs. A link that was
// told without one is told again.
func (r *SignIns) TakeSignature(signature string) {
	if signature == "" || signature == r.signature {
		return
	}
	r.signature = signature
	for _, s := range r.servers.Known() {
		if s.State == mcpclient.Authenticating {
			r.servers.NoteChange()
		}
	}
}
