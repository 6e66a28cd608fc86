package worker

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// This file lets people through who sign in to a server of an agent: by a link that the agent has shown them,
// and by the way back from an authorization server. Neither has a token. The link has a ticket, and the way
// back a cookie, and the object judges both. It is told that the sender has no scopes.

const (
	// callbackPath is the address to which authorization servers send people back, the same for all objects.
	// No agent can be named by it: the object stands in the state.
	callbackPath = "/agents/mcp/callback"
	// clientPath is the address of the document about the agents as a client.
	clientPath = "/.well-known/tributary-client"
	// cookieOfLink begins the name of the cookie that a link has set. The first part of the state ends it.
	cookieOfLink = "tributary-link-"
	// maxCookieOfLink bounds its value, in bytes.
	maxCookieOfLink = 128
)

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
	to, err := g.signInAt(path, r)
	if err == nil && to == (Address{}) {
		return false
	}
	if err == nil && g.settings.Development {
		err = g.settings.checkLocal(r)
	}
	var claims string
	if err == nil {
		claims, err = Access{AllScopes: g.settings.Development}.claims()
	}
	if err != nil {
		refuse(w, r, refusalOf(err))
		return true
	}
	if cookie := linkCookie(r); cookie != "" {
		w.Header().Set(HeaderLink, cookie)
	}
	forward(w, to, time.Time{}, claims)
	return true
}

// signInAt returns the object whose link a path is, or to which a callback leads. It is the zero Address if the
// path is neither.
func (g *gateway) signInAt(path string, r *http.Request) (Address, error) {
	if path == callbackPath {
		_, rest, _ := strings.Cut(r.URL.Query().Get("state"), ".")
		_, place, _ := strings.Cut(rest, ".")
		object, err := base64.RawURLEncoding.DecodeString(place)
		if err != nil || len(object) == 0 {
			return Address{}, ErrNotFound
		}
		path = "/" + Prefix + "/" + string(object) + "/mcp/callback"
	}
	segments := strings.Split(path, "/")
	if len(segments) != 6 || segments[1] != Prefix || segments[4] != "mcp" || segments[5] != "authorize" && segments[5] != "callback" {
		return Address{}, nil
	}
	u, err := url.Parse("/" + Prefix + "/" + segments[2] + "/" + segments[3])
	if err != nil {
		return Address{}, ErrUnknownAgent
	}
	return g.table.Route(u)
}

// linkCookie returns the value of the cookie that belongs to the state of a callback, or "". It is of use to
// nobody but the object that has set it.
func linkCookie(r *http.Request) string {
	link, _, _ := strings.Cut(r.URL.Query().Get("state"), ".")
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
		"redirect_uris": []string{origin + callbackPath}, "application_type": "web",
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
		"token_endpoint_auth_method": "none",
	})
}
