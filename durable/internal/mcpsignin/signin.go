package mcpsignin

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/mcp/oauth"
)

// This file is about how far an agent is with signing in to a server. Each step but the one of a person is
// one request. All that the steps know is one row of mcp_secret. A request that is lost with the memory is
// made again when an entry of the schedule is due, or when somebody needs the server.

// Times, in milliseconds, and numbers.
const (
	// signTime is how long all requests of signing in may take together.
	signTime = 60_000
	// personTime is how long code waits for a person to sign in: a week, as for the answer to a question.
	personTime = 7 * 86_400_000
	// maxSignIns is how often a person signs in without the server letting the agent in. errTooOften says it too.
	maxSignIns = 3
)

// pressed ends the id of an entry of [mcpclient.DueSign], if a person has pressed a link that waits for a registration.
const pressed = "/link"

// signStep is what is to be done next.
type signStep string

const (
	toResource signStep = "resource"
	toServer   signStep = "server"
	toRefresh  signStep = "refresh"
	toPerson   signStep = "person"
	toCode     signStep = "code"
)

// signIn is a row of mcp_secret: what is known of signing in to a server.
type signIn struct {
	Step      signStep
	Challenge oauth.Challenge
	// StepUp says that the token is good, and that something needs more scopes.
	StepUp   bool
	Resource oauth.Resource
	Server   oauth.AuthorizationServer
	// Scopes are those that are asked for. While there is no Server, they are those that were asked for
	// before.
	Scopes []string
	// Ticket is part of the link that a person presses. For is the person who has asked for what needs the
	// server, and whose link it is, or "" if the person is not known.
	Ticket, For string
	// Code is what came back by the link Link.
	Code string
	Link *link
	// Tries counts how often the steps were begun. Renewed says that the authorization server has not known
	// a client that had registered.
	Tries   int
	Renewed bool
}

// signin is a request of signing in that is under way.
type signin struct {
	fetch  string
	begun  int64
	first  bool
	at     int // which of several addresses is asked
	status int
	body   []byte
	signIn signIn
	// registering says that the request registers the client for the links that were pressed by the
	// requests of pressing. For a code, these are the requests that brought it.
	registering bool
	pressing    []press
}

func (r *SignIns) signIn(tx *durable.Tx, s *mcpclient.Server) (in signIn, ok bool) {
	return in, json.Unmarshal([]byte(mcpclient.Secret(tx, s.ID, mcpclient.SecretSignIn)), &in) == nil
}

func (in signIn) save(tx *durable.Tx, s *mcpclient.Server) {
	mcpclient.KeepSecret(tx, s.ID, mcpclient.SecretSignIn, in)
}

// The reasons why nobody can sign in.
const (
	errHeader   mcpclient.Failure = "the server does not accept the header Authorization that is set for it"
	errHelper   mcpclient.Failure = "the server wants a person to sign in, which is not possible for a server of a helper"
	errTooOften mcpclient.Failure = "a person has signed in three times, and the server still refuses"
	errLost     mcpclient.Failure = "signing in was interrupted several times"
	errSlow     mcpclient.Failure = "signing in has taken more than a minute"
)

// Challenged begins to sign in, because a server has refused a request that asker has wanted.
func (r *SignIns) Challenged(tx *durable.Tx, s *mcpclient.Server, status int, header, asker string, first bool, begun int64) error {
	challenge, _ := oauth.ParseChallenge(header)
	t := r.token(tx, s)
	switch {
	case !mcpclient.WantsSignIn(status, header):
		return mcpclient.ErrForbidden
	case r.setsAuthorization(tx, s):
		return errHeader
	case r.config.Path() == "":
		return errHelper
	case t.SignIns >= maxSignIns:
		t.SignIns = 0
		t.save(tx, s)
		return errTooOften
	}
	in := signIn{Challenge: challenge, StepUp: status == 403, Scopes: t.Asked, For: asker}
	if before, ok := r.signIn(tx, s); ok {
		in.Renewed, in.Scopes = before.Renewed, oauth.Union(t.Asked, before.Scopes)
		if before.For == asker {
			in.Ticket = before.Ticket
		}
	}
	r.sign(tx, s, in, first, begun)
	return nil
}

// Refused begins to sign in behind the refusal of a call. It is true if the server has another token
// already.
func (r *SignIns) Refused(tx *durable.Tx, s *mcpclient.Server, why mcpclient.Refusal) (renewed bool) {
	if r.token(tx, s).Number != why.Token {
		return true
	}
	if r.signins[s.ID] != nil || r.servers.IsAsked(s.ID) {
		return false
	}
	if err := r.Challenged(tx, s, why.Status, why.Header, r.servers.AskedBy(tx, s), false, tx.Now); err != nil {
		r.servers.Fail(tx, s, mcpclient.Words(err))
	}
	return false
}

// sign begins the first step.
func (r *SignIns) sign(tx *durable.Tx, s *mcpclient.Server, in signIn, first bool, begun int64) {
	r.servers.Stop(tx, s)
	in.Step = toResource
	in.save(tx, s)
	tx.Schedule(mcpclient.DueSign, s.ID, tx.Now+signTime)
	r.signins[s.ID] = &signin{begun: begun, first: first, signIn: in}
	r.findResource(tx, s, r.signins[s.ID])
}

// Resume begins the steps again, if they were lost with the memory. It is false if there is nothing to go on
// with.
func (r *SignIns) Resume(tx *durable.Tx, s *mcpclient.Server) bool {
	in, ok := r.signIn(tx, s)
	if !ok || in.Step == toPerson {
		return false
	}
	if in.Tries++; in.Tries >= mcpclient.MaxTries {
		r.servers.Fail(tx, s, mcpclient.Words(errLost))
		return true
	}
	if in.Step != toCode {
		r.sign(tx, s, in, false, tx.Now)
		return true
	}
	in.save(tx, s)
	tx.Schedule(mcpclient.DueSign, s.ID, tx.Now+signTime)
	e := &signin{begun: tx.Now, signIn: in}
	r.signins[s.ID] = e
	r.redeem(tx, s, e)
	return true
}

// HandleDue handles an entry of the schedule.
func (r *SignIns) HandleDue(tx *durable.Tx, id string) {
	id, byPress := strings.CutSuffix(id, pressed)
	s, e := r.servers.Find(tx, id), r.signins[id]
	switch {
	case s == nil:
	case byPress && e != nil && e.registering:
		r.answerPresses(tx, e, 504, "The authorization server does not answer. Press the link again.")
		r.Cancel(tx, s)
	case byPress:
	case e != nil && e.signIn.Step == toCode:
		r.giveUp(tx, s, e, errSlow)
	case e != nil:
		r.servers.Fail(tx, s, mcpclient.Words(errSlow))
	case r.Resume(tx, s):
	case s.State == mcpclient.Authenticating:
		r.servers.EndWaits(tx, s, "nobody has signed in to the server within a week")
	}
}

// request sends a request of a sign-in.
func (r *SignIns) request(tx *durable.Tx, s *mcpclient.Server, e *signin, q mcp.Request) {
	e.fetch = mcpclient.FetchName(s, "sign-"+tx.NewID())
	e.status, e.body = 0, nil
	tx.Do(durable.Fetch{Fetch: e.fetch, Method: q.Method, URL: q.URL, Header: q.Header, Body: q.Body})
}

// signEvent handles an event of the request of a sign-in.
func (r *SignIns) signEvent(tx *durable.Tx, s *mcpclient.Server, e *signin, event durable.Event) {
	switch f := event.(type) {
	case durable.FetchResponded:
		e.status = f.Status
	case durable.FetchChunk:
		if e.body = append(e.body, f.Data...); len(e.body) > oauth.MaxDocument {
			e.body = nil // no document is empty
			tx.Do(durable.CancelFetch{Fetch: e.fetch})
			r.signed(tx, s, e)
		}
	case durable.FetchFailed:
		r.giveUp(tx, s, e, errors.New("it cannot be reached: "+f.Error))
	case durable.FetchEnded:
		r.signed(tx, s, e)
	}
}

// signed goes on with a sign-in whose response is complete.
func (r *SignIns) signed(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	e.fetch = ""
	switch {
	case e.registering:
		r.registered(tx, s, e)
	case e.signIn.Step == toResource:
		r.foundResource(tx, s, e)
	case e.signIn.Step == toServer:
		r.foundServer(tx, s, e)
	case e.signIn.Step == toRefresh:
		r.refreshed(tx, s, e)
	default:
		r.redeemed(tx, s, e)
	}
}

// giveUp ends a sign-in that has failed. A person may try again what a person has begun.
func (r *SignIns) giveUp(tx *durable.Tx, s *mcpclient.Server, e *signin, err error) {
	why := mcpclient.Hide("signing in: "+err.Error(), r.secrets(tx, s, e)...)
	switch {
	case e.registering:
		r.answerPresses(tx, e, 502, why)
		r.Cancel(tx, s)
	case e.signIn.Step == toCode:
		r.answerPresses(tx, e, 502, why+". Press the link in the conversation again.")
		r.askPerson(tx, s, e.signIn, why)
	default:
		r.servers.Fail(tx, s, why)
	}
}

// Cancel ends the sign-in of a server.
func (r *SignIns) Cancel(tx *durable.Tx, s *mcpclient.Server) {
	e := r.signins[s.ID]
	if e == nil {
		return
	}
	if e.fetch != "" {
		tx.Do(durable.CancelFetch{Fetch: e.fetch})
	}
	delete(r.signins, s.ID)
	r.answerPresses(tx, e, 409, "Signing in was interrupted. Press the link in the conversation again.")
	if id := s.ID + pressed; tx.Scheduled(mcpclient.DueSign, id) {
		tx.Unschedule(mcpclient.DueSign, id)
	}
}

// askPerson waits for a person to sign in. why is what has failed before, or "".
func (r *SignIns) askPerson(tx *durable.Tx, s *mcpclient.Server, in signIn, why string) {
	if err := r.checkWay(tx, s, in); err != nil {
		r.servers.Fail(tx, s, mcpclient.Words(err))
		return
	}
	r.servers.Stop(tx, s)
	in.Step, in.Tries, in.Code, in.Link = toPerson, 0, "", nil
	if in.Ticket == "" {
		in.Ticket = random(tx)
	}
	in.save(tx, s)
	tx.Schedule(mcpclient.DueSign, s.ID, tx.Now+personTime)
	r.servers.WaitForSignIn(tx, s, why)
}

// forgetSignIn forgets how far an agent is with signing in, and the links that were pressed.
func (r *SignIns) forgetSignIn(tx *durable.Tx, s *mcpclient.Server) {
	mcpclient.ForgetSignIn(tx, s)
	if tx.Scheduled(mcpclient.DueSign, s.ID) {
		tx.Unschedule(mcpclient.DueSign, s.ID)
	}
}

// setsAuthorization says whether an author or a person has set the header that a token would be sent in.
func (r *SignIns) setsAuthorization(tx *durable.Tx, s *mcpclient.Server) bool {
	return slices.ContainsFunc(r.servers.SetHeaders(tx, s), func(h durable.Header) bool { return strings.EqualFold(h.Name, "authorization") })
}

// random returns a secret of 256 bits.
func random(tx *durable.Tx) string {
	var b [32]byte
	tx.Random(b[:])
	return oauth.Verifier(b)
}
