package worker

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// Handler returns the front door. It reads the clock once for each request to an agent.
func Handler(s Settings, now func() time.Time, o Options) http.Handler {
	if o.Authorize == nil {
		o.Authorize = Authorize
	}
	return &gateway{settings: s, table: NewTable(s.Bindings), now: now, options: o}
}

type gateway struct {
	settings Settings
	table    Table
	now      func() time.Time
	options  Options
}

// rehearsed is a token that is not signed: {"alg":"HS256","typ":"JWT"}, {"exp":1}, and 32 zeros.
const rehearsed = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjF9.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// Rehearse has a front door judge a request to its first agent, with a token that it refuses. V8
// compiles a function when it is first called, so that the first request would wait for it. A panic
// of the front door is left to the first request that meets it.
func Rehearse(s Settings, door http.Handler) {
	if len(s.Bindings) == 0 {
		return
	}
	defer func() { _ = recover() }() // a rehearsal does not decide whether the front door opens
	door.ServeHTTP(&responseRecorder{header: http.Header{}}, &http.Request{
		Method: http.MethodGet,
		URL:    &url.URL{Path: "/" + Prefix + "/" + protocol.Kebab(s.Bindings[0]) + "/x", RawQuery: "token=" + rehearsed},
		Host:   "localhost",
		Header: http.Header{"Upgrade": {"websocket"}},
		Body:   http.NoBody,
	})
}

// errOver refuses what was authorized until a time that has passed. The number 0 stands for no end on
// the way to the object, so a time of 1970 must not go there.
var errOver = &Refusal{Status: http.StatusUnauthorized, Text: "Unauthorized: the authorization is over"}

// ServeHTTP answers a request. The package comment lists the kinds of answers.
func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/health":
		health(w, r)
		return
	case "/tributary.json":
		g.introduce(w, r)
		return
	}
	if g.serveSignIn(w, r) { // an authorization server is another site, so this comes before cookies are removed
		return
	}
	if g.describeResource(w, r) {
		return
	}
	r = g.settings.withoutForeignCookies(r)
	to, err := g.route(r.URL)
	if errors.Is(err, ErrNotFound) && g.options.Admit != nil && !isUpgrade(r) && !isAgents(r.URL) {
		g.admit(w, r)
		return
	}
	if !errors.Is(err, ErrNotFound) && !isUpgrade(r) {
		allowed := g.settings.allowOrigin(w.Header(), r)
		if allowed && err == nil && r.Method == http.MethodOptions {
			return
		}
	}
	var access Access
	var claims string
	if err == nil {
		access, claims, err = g.authorize(r, to)
	}
	if err == nil {
		forward(w, to, access.Until, claims)
		return
	}
	refusal := refusalOf(err)
	if refusal.Status == http.StatusUnauthorized && !isUpgrade(r) {
		w.Header().Set("WWW-Authenticate", g.challenge(r))
	}
	refuse(w, r, refusal)
}

// authorize returns the access of a request to an object, and what the object is told of it.
func (g *gateway) authorize(r *http.Request, to Address) (access Access, claims string, err error) {
	now := g.now()
	if access, err = g.options.Authorize(g.settings, r, to, now); err != nil {
		return Access{}, "", err
	}
	if !access.Until.IsZero() && !access.Until.After(now) {
		return Access{}, "", errOver
	}
	if access.Subject == "" && access.Sender == "" {
		access.Sender = senderOf(r)
	}
	claims, err = access.claims(signatureOf(g.settings.Secret, to))
	return access, claims, err
}
