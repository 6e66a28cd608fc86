package mcpsignin

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/mcp/oauth"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about who the agent is for an authorization server.

// ClientPath is the path of the document about the agent. It is the front door's, as [protocol.CallbackPath] is.
const ClientPath = "/.well-known/tributary-client"

const (
	errNoIssuer mcpclient.Failure = "signing in: its client has a secret, and nobody has said for which authorization server: name that in the field Issuer, or in the variable " + mcpclient.VarClient + "{NAME}" + mcpclient.VarIssuer
	errSecret   mcpclient.Failure = "signing in: the secret of the deployment is for another authorization server"
)

const (
	errNoWay  mcpclient.Failure = "signing in: the authorization server knows only clients that were registered by hand: give the server a client's id, or set the variable " + mcpclient.VarClient + "{NAME}"
	errIssuer mcpclient.Failure = "signing in: the server names another authorization server than the one that its client was registered at"
)

// given returns the client that was registered by hand: for a server that was added, by the person who has added it, and
// for a declared one by its author or the deployment.
func (r *SignIns) given(tx *durable.Tx, s *mcpclient.Server) (c mcpclient.Client) {
	if s.Declared {
		return r.deployed(s)
	}
	if json.Unmarshal([]byte(mcpclient.Secret(tx, s.ID, mcpclient.SecretGiven)), &c) != nil || c.ID == "" {
		return mcpclient.Client{}
	}
	return c
}

// storedClient returns the client that was used last, or the zero Client.
func (r *SignIns) storedClient(tx *durable.Tx, s *mcpclient.Server) (c oauth.Client) {
	if json.Unmarshal([]byte(mcpclient.Secret(tx, s.ID, mcpclient.SecretClient)), &c) != nil {
		return oauth.Client{}
	}
	return c
}

// client returns the client that is known at an issuer. One that was registered by hand belongs to the issuer
// where it was used first.
func (r *SignIns) client(tx *durable.Tx, s *mcpclient.Server, issuer string) (oauth.Client, error) {
	stored, given := r.storedClient(tx, s), r.given(tx, s)
	if given.ID == "" {
		return stored, nil
	}
	c := oauth.Client{Issuer: given.Issuer, ID: given.ID, Secret: given.Secret, SecretName: given.SecretName}
	if given.SecretName != "" && given.Issuer == "" {
		return c, errNoIssuer
	}
	if c.Issuer == "" {
		c.Issuer = issuer
		if stored.ID == c.ID {
			c.Issuer = stored.Issuer
		}
	}
	if !oauth.SameIssuer(c.Issuer, issuer) {
		return c, errIssuer
	}
	return c, nil
}

// forgetClient forgets the client that has registered itself. It is false if there is none.
func (r *SignIns) forgetClient(tx *durable.Tx, s *mcpclient.Server) bool {
	mcpclient.ForgetSecret(tx, s.ID, mcpclient.SecretClient)
	return r.given(tx, s).ID == ""
}

// document returns the address of the document about the agent.
func (r *SignIns) document(origin string) string {
	if address := r.config.Var(mcpclient.VarDocument); address != "" {
		return address
	}
	return origin + ClientPath
}

// checkWay says why a person's way to sign in would end nowhere.
func (r *SignIns) checkWay(tx *durable.Tx, s *mcpclient.Server, in signIn) error {
	known, err := r.client(tx, s, in.Server.Issuer)
	if err != nil {
		return err
	}
	switch in.Server.Choose(known, "https://anywhere.example/") {
	case oauth.WayAsk:
		return errNoWay
	case oauth.WayKnown:
		return in.Server.CheckMethod(known)
	}
	return in.Server.CheckMethod(oauth.Client{})
}

// register has the agent register, for a link that was pressed. Links that are pressed meanwhile wait for the
// same registration.
func (r *SignIns) register(tx *durable.Tx, s *mcpclient.Server, in signIn, p press) {
	if e := r.signins[s.ID]; e != nil && e.pressing[0].origin == p.origin && len(e.pressing) < maxLinks {
		e.pressing = append(e.pressing, p)
		return
	}
	r.Cancel(tx, s)
	e := &signin{begun: tx.Now, signIn: in, registering: true, pressing: []press{p}}
	r.signins[s.ID] = e
	tx.Schedule(mcpclient.DueSign, s.ID+pressed, tx.Now+signTime/2)
	r.request(tx, s, e, in.Server.RegisterRequest(oauth.About{Name: clientName, Homepage: p.origin, Redirect: p.origin + protocol.CallbackPath}))
}

// clientName is the name that people are shown where they sign in.
const clientName = "Tributary"

// registered sends the people on who wait for it.
func (r *SignIns) registered(tx *durable.Tx, s *mcpclient.Server, e *signin) {
	c, err := e.signIn.Server.ParseClient(e.status, e.body)
	if err == nil {
		err = e.signIn.Server.CheckMethod(c)
	}
	if err != nil {
		r.giveUp(tx, s, e, err)
		return
	}
	pressing := e.pressing
	e.pressing = nil
	r.Cancel(tx, s)
	mcpclient.KeepSecret(tx, s.ID, mcpclient.SecretClient, c)
	for _, p := range pressing {
		r.sendOn(tx, s, e.signIn, c, p)
	}
}

// deployed returns the client of a declared server that its author or the deployment has registered by hand.
func (r *SignIns) deployed(s *mcpclient.Server) mcpclient.Client {
	for _, d := range r.config.Declared {
		if d.Name == s.ID {
			return d.Deployed(r.config.Var, r.config.HasSecret)
		}
	}
	return mcpclient.Client{}
}

// askToken sends a request for a token. A secret of the deployment leaves here and nowhere else: with the client that it
// belongs to now, to the authorization server that is named for it now. Rows of an earlier version may have others. The
// request is not sent if the error is not nil.
func (r *SignIns) askToken(tx *durable.Tx, s *mcpclient.Server, e *signin, server oauth.AuthorizationServer, c oauth.Client, q mcp.Request) error {
	if c.SecretName != "" {
		now := r.given(tx, s)
		if now.SecretName != c.SecretName || now.ID != c.ID || now.Issuer == "" || !oauth.SameIssuer(now.Issuer, server.Issuer) {
			return errSecret
		}
	}
	r.request(tx, s, e, q)
	return nil
}
