package worker

import (
	"net/http"
	"strings"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file lets people through who sign in to a server of an agent: by a link that the agent has shown them,
// and by the way back from an authorization server. A link may be opened by a browser that has no token, and an
// authorization server knows none. So a request needs either what any request needs, or the signature of the
// object's address, which the link and the state have. The object judges the ticket of the link, and state and
// cookie of the way back.

const (
	// clientPath is the address of the document about the agents as a client.
	clientPath = "/.well-known/tributary-client"
	// signatureParameter carries the signature in a link: a parameter of the query.
	signatureParameter = "sig"
	// cookieOfLink begins the name of the cookie that a link has set. The first part of the state ends it.
	cookieOfLink = "tributary-link-"
	// maxCookieOfLink bounds its value, in bytes.
	maxCookieOfLink = 128
)

// The refusals of people who sign in.
var (
	errLink        = &Refusal{Status: http.StatusForbidden, Text: "Forbidden: this link is not good any more. Load the conversation again, and press the link there"}
	errForeignPage = &Refusal{Status: http.StatusForbidden, Text: "Forbidden: a person goes on to sign in by a page of this host only"}
)

// visit is a request of a person who signs in.
type visit struct {
	// agent and name are the object, raw, and signature is what the request has for it.
	agent, name, signature string
	// link is the first part of the state of a callback, and "" for a link.
	link string
	// methods are those that the path takes.
	methods []string
}

// serveSignIn answers a request of a person who signs in, and says whether it is one.
func (g *gateway) serveSignIn(w http.ResponseWriter, r *http.Request) bool {
	path := rawPath(r.URL)
	switch {
	case path == clientPath:
		introduceClient(w, r)
		return true
	case isUpgrade(r):
		return false
	}
	v, ok := visitOf(path, r)
	if !ok {
		return false
	}
	to, err := g.table.route(v.agent, v.name)
	// An authorization server is another site, and no page reads the way back.
	if path != protocol.CallbackPath && g.settings.allowOrigin(w.Header(), r) && err == nil && r.Method == http.MethodOptions {
		return true
	}
	if !takes(w, r, v.methods...) {
		return true
	}
	var access Access
	var claims string
	if err == nil {
		access, claims, err = g.admitVisit(r, to, v.signature)
	}
	if err != nil {
		refuse(w, r, refusalOf(err))
		return true
	}
	if cookie := linkCookie(r, v.link); cookie != "" {
		w.Header().Set(HeaderLink, cookie)
	}
	forward(w, to, access.Until, claims)
	return true
}

// visitOf returns the visit that a request is. A callback whose state cannot be read names no object.
func visitOf(path string, r *http.Request) (v visit, ok bool) {
	if path == protocol.CallbackPath {
		state, _ := protocol.ParseSignInState(r.URL.Query().Get("state"))
		return visit{state.Agent, state.Name, state.Signature, state.Link, []string{http.MethodGet}}, true
	}
	if v.agent, v.name, ok = protocol.SignInPath(path); !ok {
		return visit{}, false
	}
	v.signature, v.methods = r.URL.Query().Get(signatureParameter), []string{http.MethodGet, http.MethodPost}
	return v, true
}

// admitVisit decides whether a visit may reach its object, and what the object is told of it. A person without
// a token has no scopes. A token has to be good, also beside a good signature.
func (g *gateway) admitVisit(r *http.Request, to Address, signature string) (access Access, claims string, err error) {
	if r.Method == http.MethodPost && g.settings.isForeign(r) {
		return Access{}, "", errForeignPage
	}
	access, claims, err = g.authorize(g.settings.withoutForeignCookies(r), to)
	switch {
	case err == nil || tokenOf(r) != "":
		return access, claims, err
	case isSigned(g.settings.Secret, to, signature):
		claims, err = Access{}.claims(signature)
		return Access{}, claims, err
	case refusalOf(err).Status == http.StatusUnauthorized:
		err = errLink
	}
	return Access{}, "", err
}

// linkCookie returns the value of the cookie that belongs to the state of a callback, or "". It is of use to
// nobody but the object that has set it.
func linkCookie(r *http.Request, link string) string {
	cookie, err := r.Cookie(cookieOfLink + link)
	if link == "" || err != nil || len(cookie.Value) > maxCookieOfLink || strings.ContainsFunc(cookie.Value, unprintable) {
		return ""
	}
	return cookie.Value
}

// introduceClient answers the document by which an authorization server knows the agents, as in the draft of
// OAuth about client id metadata documents. Its address is their client id.
func introduceClient(w http.ResponseWriter, r *http.Request) {
	if !onlyRead(w, r) {
		return
	}
	origin := "https://" + r.Host
	writeJSON(w, map[string]any{
		"client_id": origin + clientPath, "client_name": "Tributary", "client_uri": origin,
		"redirect_uris": []string{origin + protocol.CallbackPath}, "application_type": "web",
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
		"token_endpoint_auth_method": "none",
	})
}
