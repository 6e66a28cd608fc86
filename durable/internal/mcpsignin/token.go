package mcpsignin

import (
	"encoding/json"
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/mcp/oauth"
)

// This file is about tokens. A token stands in a row of mcp_secret and is read for each request. It is sent
// to its server, and a refresh token to its authorization server. It is nowhere else.

// token is a token with all that is needed to renew it.
type token struct {
	oauth.Token
	// Issuer has given it to Client, for Resource.
	Issuer, Resource string
	Client           oauth.Client
	// Metadata is where the document about the server was, if the server has said it.
	Metadata string
	// Asked are the scopes that were asked for.
	Asked []string
	// At is when it was given, and Until how long it is good, in milliseconds since 1970, or 0.
	At, Until int64
	// Number tells it from earlier ones. SignIns is how often a person has signed in since the server has
	// last let the agent in.
	Number  int64
	SignIns int
}

func (r *SignIns) token(tx *durable.Tx, s *mcpclient.Server) (t token) {
	if json.Unmarshal([]byte(mcpclient.Secret(tx, s.ID, mcpclient.SecretToken)), &t) != nil {
		return token{}
	}
	return t
}

func (t token) save(tx *durable.Tx, s *mcpclient.Server) {
	mcpclient.KeepSecret(tx, s.ID, mcpclient.SecretToken, t)
}

// early is how long before its end a token is renewed, in milliseconds.
const early = 30_000

// over says whether a token has to be renewed, and can be.
func (t token) over(now int64) bool {
	return t.Refresh != "" && t.Until > 0 && now >= t.Until-min(early, (t.Until-t.At)/2)
}

// TokenNumber implements [mcpclient.SignIn].
func (r *SignIns) TokenNumber(tx *durable.Tx, s *mcpclient.Server) (number int64, wait bool) {
	t := r.token(tx, s)
	if t.Number == 0 && s.State != mcpclient.Authenticating {
		return 0, false
	}
	in, _ := r.signIn(tx, s)
	return t.Number, t.over(tx.Now) || s.State == mcpclient.Authenticating && !in.StepUp
}

// take stores a token that has come.
func (r *SignIns) take(tx *durable.Tx, s *mcpclient.Server, in signIn, t oauth.Token, c oauth.Client, resource string, signIns int) {
	before := r.token(tx, s)
	next := token{
		Token: t, Issuer: in.Server.Issuer, Resource: resource, Client: c, Metadata: in.Challenge.Metadata,
		Asked: in.Scopes, At: tx.Now, Number: max(before.Number+1, tx.Now), SignIns: signIns,
	}
	if t.Seconds > 0 && t.Seconds < 1<<40 {
		next.Until = tx.Now + t.Seconds*1000
	}
	next.save(tx, s)
}

// renew asks for a new token with the refresh token.
func (r *SignIns) renew(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	e.signIn.Step = toRefresh
	e.signIn.save(tx, s)
	in, t := e.signIn, r.token(tx, s)
	if r.askToken(tx, s, e, in.Server, t.Client, oauth.RefreshRequest(in.Server, t.Client, t.Resource, t.Token)) != nil {
		r.forgetClient(tx, s)
		mcpclient.ForgetSecret(tx, s.ID, mcpclient.SecretToken)
		r.askPerson(tx, s, in, "")
	}
}

// refreshed takes the answer. A token that is not renewed is of no use any more, unless the authorization
// server does not work at the moment.
func (r *SignIns) refreshed(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	in, t := e.signIn, r.token(tx, s)
	next, err := oauth.ParseToken(e.status, e.body, t.Scopes, t.Token)
	var no *oauth.Refused
	switch {
	case err == nil:
		r.take(tx, s, in, next, t.Client, t.Resource, t.SignIns)
		r.askAgain(tx, s, e, false)
	case errors.As(err, &no):
		if no.Code == oauth.InvalidClient {
			r.forgetClient(tx, s)
		}
		mcpclient.ForgetSecret(tx, s.ID, mcpclient.SecretToken)
		r.askPerson(tx, s, in, "")
	default:
		r.giveUp(tx, s, e, err)
	}
}

// redeem makes the code of a link a token.
func (r *SignIns) redeem(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	a := e.signIn.Link.Authorization
	if err := r.askToken(tx, s, e, a.Server, a.Client, a.CodeRequest(e.signIn.Code)); err != nil {
		r.giveUp(tx, s, e, err)
	}
}

// redeemed takes the answer.
func (r *SignIns) redeemed(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	in := e.signIn
	a := in.Link.Authorization
	t, err := oauth.ParseToken(e.status, e.body, a.Scopes, oauth.Token{})
	if err != nil {
		r.notRedeemed(tx, s, e, a.Server.Explain(a.Client, err))
		return
	}
	in.Server, in.Scopes = a.Server, a.Scopes
	r.take(tx, s, in, t, a.Client, a.Resource, r.token(tx, s).SignIns+1)
	r.answerPresses(tx, e, 200, signedIn(s))
	r.askAgain(tx, s, e, true)
}

// notRedeemed has a person press the link again. A client that the authorization server does not know any
// more registers anew, once.
func (r *SignIns) notRedeemed(tx *durable.Tx, s *mcpclient.Server, e *signin, err error) {
	var no *oauth.Refused
	if errors.As(err, &no) && no.Code == oauth.InvalidClient {
		if e.signIn.Renewed || !r.forgetClient(tx, s) {
			why := mcpclient.Hide("signing in: "+err.Error(), r.secrets(tx, s, e)...)
			r.answerPresses(tx, e, 502, why)
			r.servers.Fail(tx, s, why)
			return
		}
		e.signIn.Renewed = true
	}
	r.giveUp(tx, s, e, err)
}

// askAgain goes on behind a new token: the server is asked what it offers, unless that is known.
func (r *SignIns) askAgain(tx *durable.Tx, s *mcpclient.Server, e *signin, byPerson bool) {
	r.servers.Stop(tx, s)
	r.forgetSignIn(tx, s)
	if !byPerson && s.State == mcpclient.Ready && tx.Now < s.StaleAt {
		r.servers.EndWaits(tx, s, "")
		r.servers.ReplyOffers(tx)
		return
	}
	r.servers.BeginSignedIn(tx, s, e.signIn.For, e.begun, e.first)
}

// secrets are what must not be repeated in words.
func (r *SignIns) secrets(tx *durable.Tx, s *mcpclient.Server, e *signin) []string {
	t, c := r.token(tx, s), r.storedClient(tx, s)
	list := []string{t.Access, t.Refresh, t.Client.Secret, c.Secret, e.signIn.Code, e.signIn.Ticket}
	if l := e.signIn.Link; l != nil {
		list = append(list, l.Authorization.Verifier, l.Authorization.State, l.Authorization.Client.Secret)
	}
	return list
}

// Token implements [mcpclient.SignIn].
func (r *SignIns) Token(tx *durable.Tx, s *mcpclient.Server) (durable.Header, bool) {
	t := r.token(tx, s)
	if t.Access == "" {
		return durable.Header{}, false
	}
	return t.Header(), true
}

// Secrets implements [mcpclient.SignIn].
func (r *SignIns) Secrets(tx *durable.Tx, s *mcpclient.Server) []string {
	t := r.token(tx, s)
	return []string{t.Access, t.Refresh}
}

// LetIn implements [mcpclient.SignIn].
func (r *SignIns) LetIn(tx *durable.Tx, s *mcpclient.Server) {
	if t := r.token(tx, s); t.SignIns > 0 {
		t.SignIns = 0
		t.save(tx, s)
	}
}

// Renew implements [mcpclient.SignIn]. It signs in again, without what the token was asked for besides.
func (r *SignIns) Renew(tx *durable.Tx, s *mcpclient.Server) bool {
	t := r.token(tx, s)
	if !t.over(tx.Now) {
		return false
	}
	r.sign(tx, s, signIn{Challenge: oauth.Challenge{Metadata: t.Metadata}, Scopes: t.Asked, For: r.servers.AskedBy(tx, s)}, false, tx.Now)
	return true
}
