package mcpsignin

import (
	"errors"
	"net/url"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/mcp/oauth"
)

// This file finds out where to sign in to a server: its own document names the authorization server, and
// that one's document has the addresses.

const (
	errNoDocument mcpclient.Failure = "signing in: the authorization server has no document about itself"
	errAway       mcpclient.Failure = "signing in: a document cannot be read, because its server does not work at the moment"
)

func (r *SignIns) findResource(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	in := &e.signIn
	addresses := oauth.ResourceURLs(s.URL, in.Challenge)
	if e.at < len(addresses) {
		r.get(tx, s, e, addresses[e.at])
		return
	}
	// A server of 2025-03-26 has no document, and is its own authorization server.
	in.Resource = oauth.Resource{Resource: resourceOfURL(s.URL)}
	r.findServer(tx, s, e)
}

// get fetches a document.
func (r *SignIns) get(tx *durable.Tx, s *mcpclient.Server, e *signin, address string) {
	if err := mcp.CheckURL(address, r.config.Development()); err != nil {
		r.giveUp(tx, s, e, err)
		return
	}
	r.request(tx, s, e, mcp.Request{Method: "GET", URL: address, Header: []durable.Header{{Name: "accept", Value: "application/json"}}})
}

func (r *SignIns) foundResource(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	next := r.readDocument(tx, s, e, func() (err error) {
		e.signIn.Resource, err = oauth.ParseResource(e.body, s.URL, r.config.Development())
		return err
	})
	switch next {
	case wasRead:
		r.findServer(tx, s, e)
	case elsewhere:
		r.findResource(tx, s, e)
	}
}

// found is what has become of a document.
type found int

const (
	notGood found = iota // signing in has failed
	wasRead
	elsewhere // it is looked for at the next address
)

// readDocument reads the document that has come. A page for people may stand where there is no document.
func (r *SignIns) readDocument(tx *durable.Tx, s *mcpclient.Server, e *signin, parse func() error) found {
	err := error(oauth.ErrDocument)
	switch {
	case away(e.status):
		err = errAway
	case e.status == 200:
		err = parse()
	}
	switch {
	case err == nil:
		return wasRead
	case errors.Is(err, oauth.ErrDocument):
		e.at++
		return elsewhere
	}
	r.servers.Fail(tx, s, mcpclient.Words(err))
	return notGood
}

// findServer begins to read the document of the authorization server.
func (r *SignIns) findServer(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	e.at, e.signIn.Step = 0, toServer
	e.signIn.save(tx, s)
	r.askServer(tx, s, e)
}

// issuer returns the authorization server to use, of those that the server names: the one at which the agent was registered
// by hand, or else the one whose token there is, or else the first.
func (r *SignIns) issuer(tx *durable.Tx, s *mcpclient.Server, in signIn) (issuer string, legacy bool) {
	if len(in.Resource.Servers) == 0 {
		return origin(s.URL), true
	}
	for _, wanted := range []string{r.given(tx, s).Issuer, r.token(tx, s).Issuer} {
		is := func(issuer string) bool { return oauth.SameIssuer(issuer, wanted) }
		if i := slices.IndexFunc(in.Resource.Servers, is); i >= 0 {
			return in.Resource.Servers[i], false
		}
	}
	return in.Resource.Servers[0], false
}

func (r *SignIns) askServer(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	issuer, legacy := r.issuer(tx, s, e.signIn)
	addresses := oauth.ServerURLs(issuer)
	switch {
	case e.at < len(addresses):
		r.get(tx, s, e, addresses[e.at])
	case legacy:
		e.signIn.Server = oauth.LegacyServer(issuer)
		r.chosen(tx, s, e)
	default:
		r.servers.Fail(tx, s, mcpclient.Words(errNoDocument))
	}
}

func (r *SignIns) foundServer(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	next := r.readDocument(tx, s, e, func() (err error) {
		issuer, _ := r.issuer(tx, s, e.signIn)
		e.signIn.Server, err = oauth.ParseAuthorizationServer(e.body, issuer, r.config.Development())
		return err
	})
	switch next {
	case wasRead:
		r.chosen(tx, s, e)
	case elsewhere:
		r.askServer(tx, s, e)
	}
}

// chosen goes on when all is known of the authorization server: a token is renewed, or a person is asked.
// What another authorization server has given is thrown away.
func (r *SignIns) chosen(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	in, t := &e.signIn, r.token(tx, s)
	if t.Issuer != "" && !oauth.SameIssuer(t.Issuer, in.Server.Issuer) {
		mcpclient.ForgetSecret(tx, s.ID, mcpclient.SecretToken)
		t, in.Scopes, in.StepUp = token{}, nil, false
	}
	in.Scopes = oauth.Wanted(in.Challenge.Scopes, in.Scopes, in.Resource, in.Server)
	justGiven := tx.Now < t.At+mcpclient.LeastFresh && !t.over(tx.Now)
	if in.StepUp || t.Refresh == "" || justGiven {
		r.askPerson(tx, s, *in, "")
		return
	}
	r.renew(tx, s, e)
}

func away(status int) bool { return status == 429 || status >= 500 }

// origin returns the origin of a URL.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// resourceOfURL returns the identifier of a server that has no document about itself.
func resourceOfURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}
