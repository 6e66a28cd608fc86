package remote

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/mcp/oauth"
)

// This file is about the link that a person presses, and the way back. The link leads to the agent, which
// sets a cookie and sends the person on. The callback needs the state that went to the authorization server
// and the cookie that did not leave the browser, so whoever has pressed the link is the one who comes back.

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

// press is a request of a person's browser that waits for an answer. origin is that of the agent, and path
// the part of its path that names it.
type press struct{ request, origin, path string }

// AuthURL returns the link to press for a server that waits for a person, or "". It begins with a slash.
func (r *Servers) AuthURL(tx *durable.Tx, s *Server) string {
	if s.State != Authenticating {
		return ""
	}
	in, ok := r.signIn(tx, s)
	if !ok || in.Ticket == "" {
		return ""
	}
	return r.config.Path() + authorizePath + "?server=" + url.QueryEscape(s.ID) + "&ticket=" + url.QueryEscape(in.Ticket)
}

const (
	authorizePath = "/mcp/authorize"
	callbackPath  = "/mcp/callback"
)

// Respond answers the requests of people who sign in, and says whether a request was one.
func (r *Servers) Respond(tx *durable.Tx, e durable.RequestReceived) bool {
	path, query, _ := strings.Cut(e.URL, "?")
	before, authorizes := strings.CutSuffix(path, authorizePath)
	own := strings.Count(path, "/") == 5
	switch {
	case own && authorizes, own && strings.HasSuffix(path, callbackPath), path == CallbackPath:
	default:
		return false
	}
	switch {
	case e.Method != "GET":
		r.show(tx, e.Request, 405, "This page can only be read.")
	case len(e.URL) > maxTarget:
		r.show(tx, e.Request, 414, "This address is too long.")
	case authorizes:
		r.pressed(tx, press{request: e.Request, origin: r.origin(e.Header["host"]), path: strings.TrimPrefix(before, "/agents/")}, query)
	default:
		r.calledBack(tx, e.Request, e.Header[HeaderLink], query)
	}
	return true
}

// origin returns the origin that a browser sees. The own machine is spoken to without TLS.
func (r *Servers) origin(host string) string {
	if address := "http://" + host; r.config.Development() && mcp.IsLoopback(address) {
		return address
	}
	return "https://" + host
}

// linkGone is told a person whose link is not good.
const linkGone = "This link is not good any more. Press the link in the conversation again."

// pressed sends a person who has pressed a link on to the authorization server.
func (r *Servers) pressed(tx *durable.Tx, p press, query string) {
	q, err := url.ParseQuery(query)
	s := r.Find(tx, q.Get("server"))
	if err != nil || s == nil {
		r.show(tx, p.request, 403, linkGone)
		return
	}
	in, ok := r.signIn(tx, s)
	switch {
	case !ok || !same(q.Get("ticket"), in.Ticket):
		r.show(tx, p.request, 403, linkGone)
		return
	case in.Step != toPerson || r.exchanges[s.ID] != nil:
		r.show(tx, p.request, 409, "The server is being asked right now. Press the link again in a moment.")
		return
	case oauth.CheckRedirect(p.origin+CallbackPath) != nil:
		r.show(tx, p.request, 400, "Signing in needs an address that begins with https.")
		return
	}
	known, err := r.client(tx, s, in.Server.Issuer)
	if err != nil {
		r.show(tx, p.request, 409, words(err))
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
		r.show(tx, p.request, 409, words(errNoWay))
	}
}

// unfinished says whether a person has been sent on and has not come back.
func (r *Servers) unfinished(tx *durable.Tx, s *Server) bool {
	return tx.Number(`SELECT COUNT(*) FROM mcp_secret WHERE server = ? AND name LIKE ?`, s.ID, secretLink+"%") > 0
}

// sendOn sends a person to the authorization server.
func (r *Servers) sendOn(tx *durable.Tx, s *Server, in signIn, c oauth.Client, p press) {
	if r.given(tx, s).ID == c.ID {
		keepJSON(tx, s.ID, secretClient, oauth.Client{Issuer: c.Issuer, ID: c.ID})
	}
	id, cookie := tx.NewID(), random(tx)
	l := link{Cookie: digest(cookie), Until: tx.Now + linkTime, Metadata: in.Challenge.Metadata, Authorization: oauth.Authorization{
		Server: in.Server, Client: c, Resource: in.Resource.Resource, Redirect: p.origin + CallbackPath, Scopes: in.Scopes,
		State: id + "." + random(tx) + "." + base64.RawURLEncoding.EncodeToString([]byte(p.path)), Verifier: random(tx),
	}}
	r.pruneLinks(tx, s)
	keepJSON(tx, s.ID, secretLink+id, l)
	set := CookieLink + id + "=" + cookie + "; Path=" + CallbackPath + "; Max-Age=600; HttpOnly; SameSite=Lax"
	if strings.HasPrefix(p.origin, "https:") {
		set += "; Secure"
	}
	tx.Do(durable.Respond{Request: p.request, Status: 302, Header: map[string]string{
		"location": l.Authorization.URL(), "set-cookie": set, "cache-control": "no-store", "referrer-policy": "no-referrer",
	}})
}

// pruneLinks makes room for a link.
func (r *Servers) pruneLinks(tx *durable.Tx, s *Server) {
	tx.SQL(`DELETE FROM mcp_secret WHERE server = ? AND name LIKE ? AND name NOT IN (SELECT name FROM mcp_secret WHERE server = ? AND name LIKE ?
		AND json_extract(value, '$.Until') > ? ORDER BY json_extract(value, '$.Until') DESC, name LIMIT ?)`,
		s.ID, secretLink+"%", s.ID, secretLink+"%", tx.Now, maxLinks-1)
}

// findLink returns the link with a state.
func (r *Servers) findLink(tx *durable.Tx, state string) (s *Server, name string, l link) {
	id, _, _ := strings.Cut(state, ".")
	name = secretLink + id
	for _, row := range tx.SQL(`SELECT server, value FROM mcp_secret WHERE name = ?`, name) {
		if json.Unmarshal([]byte(row.Text(1)), &l) == nil && same(l.Authorization.State, state) {
			return r.Find(tx, row.Text(0)), name, l
		}
	}
	return nil, "", link{}
}

// calledBack takes what the authorization server says by a person's browser. What does not belong to a link
// changes nothing.
func (r *Servers) calledBack(tx *durable.Tx, request, cookie, query string) {
	c, err := oauth.ParseCallback(query)
	if err != nil {
		r.show(tx, request, 400, words(err))
		return
	}
	s, name, l := r.findLink(tx, c.State)
	if s == nil || cookie == "" || digest(cookie) != l.Cookie {
		r.show(tx, request, 403, "Nobody has begun to sign in by this browser, or the link was used before. Press the link in the conversation again.")
		return
	}
	forget(tx, s.ID, name) // state and cookie are good once
	if tx.Now >= l.Until {
		r.show(tx, request, 403, linkGone)
		return
	}
	code, err := l.Authorization.Accept(c)
	if err != nil {
		why := hide("signing in: "+err.Error(), l.Authorization.State, l.Authorization.Verifier, cookie)
		if s.State == Authenticating {
			s.Failure, r.changed = why, true
			s.save(tx)
		}
		r.show(tx, request, 403, why+". Press the link in the conversation to try again.")
		return
	}
	r.begun(tx, s, l, code, request)
}

// begun makes the code of a callback a token. It ends whatever is under way with the server.
func (r *Servers) begun(tx *durable.Tx, s *Server, l link, code, request string) {
	in, _ := r.signIn(tx, s)
	in.Step, in.Code, in.Link, in.Tries = toCode, code, &l, 0
	in.Server, in.Challenge.Metadata = l.Authorization.Server, l.Metadata
	r.stop(tx, s)
	in.save(tx, s)
	tx.Schedule(DueSign, s.ID, tx.Now+signTime)
	e := &errand{begun: tx.Now, signIn: in, pressing: []press{{request: request}}}
	r.errands[s.ID] = e
	if s.State != Authenticating {
		s.State, s.Failure, r.changed = Authenticating, "", true
		s.save(tx)
	}
	r.redeem(tx, s, e)
}

// answerPresses answers the requests that wait for an errand.
func (r *Servers) answerPresses(tx *durable.Tx, e *errand, status int, words string) {
	for _, p := range e.pressing {
		r.show(tx, p.request, status, words)
	}
	e.pressing = nil
}

// show answers with a page of one sentence.
func (r *Servers) show(tx *durable.Tx, request string, status int, words string) {
	title := "Not signed in"
	if status == 200 {
		title, words = "Signed in", words+" You can close this page."
	}
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;")
	page := "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><title>" + title +
		"</title><style>body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}</style><h1>" +
		title + "</h1><p>" + escaped.Replace(words) + "</p></html>\n"
	tx.Do(durable.Respond{Request: request, Status: status, Body: []byte(page), Header: map[string]string{
		"content-type": "text/html; charset=utf-8", "cache-control": "no-store", "referrer-policy": "no-referrer",
		"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
	}})
}

func digest(text string) string {
	sum := sha256.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// same compares two secrets in a time that tells nothing of them. Nothing is the same as an empty one.
func same(a, b string) bool { return b != "" && digest(a) == digest(b) }
