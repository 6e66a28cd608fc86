package mcpclient

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp/oauth"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about who the agent is for an authorization server.

// Client is the agent as an authorization server knows it that has registered it by hand.
type Client struct {
	ID string `json:"id"`
	// Secret is a value, and SecretName the name of a secret of the deployment. At most one of them is set.
	Secret     string `json:"secret,omitempty"`
	SecretName string `json:"-"`
	// Issuer is the authorization server, "" for the first that the server names. A SecretName is used at an Issuer alone.
	Issuer string `json:"issuer,omitempty"`
}

// ClientPath is the path of the document about the agent. It is the front door's, as [protocol.CallbackPath] is.
const ClientPath = "/.well-known/tributary-client"

const (
	errNoWay  failure = "signing in: the authorization server knows only clients that were registered by hand: give the server a client's id, or set the variable " + varClient + "{NAME}"
	errIssuer failure = "signing in: the server names another authorization server than the one that its client was registered at"
)

// given returns the client that was registered by hand: for a server that was added, by the person who has added it, and
// for a declared one by its author or the deployment.
func (r *Servers) given(tx *durable.Tx, s *Server) (c Client) {
	if s.Declared {
		return r.deployed(s)
	}
	if json.Unmarshal([]byte(secret(tx, s.ID, secretGiven)), &c) != nil || c.ID == "" {
		return Client{}
	}
	return c
}

// storedClient returns the client that was used last, or the zero Client.
func (r *Servers) storedClient(tx *durable.Tx, s *Server) (c oauth.Client) {
	if json.Unmarshal([]byte(secret(tx, s.ID, secretClient)), &c) != nil {
		return oauth.Client{}
	}
	return c
}

// client returns the client that is known at an issuer. One that was registered by hand belongs to the issuer
// where it was used first.
func (r *Servers) client(tx *durable.Tx, s *Server, issuer string) (oauth.Client, error) {
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
func (r *Servers) forgetClient(tx *durable.Tx, s *Server) bool {
	forget(tx, s.ID, secretClient)
	return r.given(tx, s).ID == ""
}

// document returns the address of the document about the agent.
func (r *Servers) document(origin string) string {
	if address := r.config.Var(varDocument); address != "" {
		return address
	}
	return origin + ClientPath
}

// checkWay says why a person's way to sign in would end nowhere.
func (r *Servers) checkWay(tx *durable.Tx, s *Server, in signIn) error {
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
func (r *Servers) register(tx *durable.Tx, s *Server, in signIn, p press) {
	if e := r.signins[s.ID]; e != nil && e.pressing[0].origin == p.origin && len(e.pressing) < maxLinks {
		e.pressing = append(e.pressing, p)
		return
	}
	r.cancel(tx, s)
	e := &signin{begun: tx.Now, signIn: in, registering: true, pressing: []press{p}}
	r.signins[s.ID] = e
	tx.Schedule(DueSign, s.ID+pressed, tx.Now+signTime/2)
	r.request(tx, s, e, in.Server.RegisterRequest(oauth.About{Name: clientName, Homepage: p.origin, Redirect: p.origin + protocol.CallbackPath}))
}

// clientName is the name that people are shown where they sign in.
const clientName = "Tributary"

// registered sends the people on who wait for it.
func (r *Servers) registered(tx *durable.Tx, s *Server, e *signin) {
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
	r.cancel(tx, s)
	keepJSON(tx, s.ID, secretClient, c)
	for _, p := range pressing {
		r.sendOn(tx, s, e.signIn, c, p)
	}
}
