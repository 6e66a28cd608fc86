package mcpclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about what people do with servers: they add, remove and ask them.

// Added is a server that a person adds.
type Added struct {
	Name    string            `json:"name"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	// Client is who the agent is for the server's authorization server, if it was registered there by hand.
	Client Client `json:"client"`
	// By is the person who adds it, as package claims names people.
	By string `json:"-"`
}

// Add adds a server, and asks it what it offers. A server with the same name and URL is asked again, unless
// it waits for a person to sign in.
func (r *Servers) Add(tx *durable.Tx, a Added) (*Server, error) {
	if err := r.check(tx, a); err != nil {
		return nil, err
	}
	s := r.named(tx, a.Name)
	if s != nil && s.State == Authenticating && len(a.Headers) == 0 && a.Client == (Client{}) {
		return s, nil
	}
	if s == nil {
		s = &Server{ID: tx.NewID(), Name: a.Name, URL: a.URL, State: NotConnected}
		r.list = append(r.list, s)
		keep(tx, s.ID, secretAdded, a.By)
	}
	s.Save(tx)
	headers, _ := json.Marshal(a.Headers)
	if len(a.Headers) > 0 {
		keep(tx, s.ID, secretHeaders, string(headers))
	} else {
		ForgetSecret(tx, s.ID, secretHeaders)
	}
	if a.Client.ID != "" {
		KeepSecret(tx, s.ID, SecretGiven, a.Client)
	} else {
		ForgetSecret(tx, s.ID, SecretGiven)
	}
	r.noteAsker(tx, s)
	r.beginNow(tx, s)
	return s, nil
}

// check says why a server cannot be added.
func (r *Servers) check(tx *durable.Tx, a Added) error {
	if a.Name == "" || mcp.Quote(a.Name, MaxName) != a.Name {
		return fmt.Errorf("a server needs a name of at most %d bytes, in one line", MaxName)
	}
	if err := mcp.CheckURL(a.URL, r.config.Development()); err != nil {
		return err
	}
	if err := r.checkName(tx, a); err != nil {
		return err
	}
	if err := checkHeaders(a.Headers); err != nil {
		return err
	}
	if c := a.Client; mcp.Quote(c.ID, mcp.MaxURL) != c.ID || len(c.Secret) > maxHeaderBytes || c.ID == "" && c.Secret+c.Issuer != "" || len(c.Issuer) > mcp.MaxURL {
		return errors.New("a client has an id in one line, a secret and an issuer, and both only with an id")
	}
	return nil
}

// checkName says why a server cannot be added beside those that there are.
func (r *Servers) checkName(tx *durable.Tx, a Added) error {
	if s := r.named(tx, a.Name); s != nil && !s.Declared && s.URL == a.URL {
		return nil
	}
	for _, s := range r.List(tx) {
		if Clash(s.Name, a.Name) {
			return fmt.Errorf("there is a server named %s already", s.Name)
		}
	}
	return share.Servers.RefusalOf(a.By, r.added(tx))
}

// added returns whose the servers are: those who have added them. Those of the author count as everybody's.
func (r *Servers) added(tx *durable.Tx) (held share.Held) {
	by := map[string]string{}
	for _, row := range tx.SQL(`SELECT server, value FROM mcp_secret WHERE name = ?`, secretAdded) {
		by[row.Text(0)] = row.Text(1)
	}
	for _, s := range r.list {
		if person, ok := by[s.ID]; ok {
			held.AddOf(person, 1)
		} else {
			held.AddOf(share.Everybody, 1)
		}
	}
	return held
}

// checkHeaders says why headers cannot be set for a server that is added. Which ones can is said by [mcp.Settable].
func checkHeaders(headers map[string]string) error {
	bytes, names := 0, map[string]bool{}
	for name, value := range headers {
		key := mcp.HeaderKey(name)
		if bytes += len(name) + len(value); names[key] || !mcp.Settable(name) || mcp.Quote(value, maxHeaderBytes) != value {
			return fmt.Errorf("the header %.80q cannot be set", name)
		}
		names[key] = true
	}
	if len(headers) > maxHeaders || bytes > maxHeaderBytes {
		return fmt.Errorf("a server can have %d headers of %d bytes in all", maxHeaders, maxHeaderBytes)
	}
	return nil
}

// Remove removes a server that was added. Code that waits for it goes on with an error.
func (r *Servers) Remove(tx *durable.Tx, id string) error {
	s := r.Find(tx, id)
	switch {
	case s == nil:
		return unknown(id)
	case s.Declared:
		return errors.New("the server belongs to the agent, and cannot be removed")
	}
	r.Stop(tx, s)
	s.delete(tx)
	r.list = slices.DeleteFunc(r.list, func(have *Server) bool { return have == s })
	r.EndWaits(tx, s, "the server was removed")
	r.changed = true
	r.revision++
	return nil
}

// Reconnect asks a server again what it offers.
func (r *Servers) Reconnect(tx *durable.Tx, id string) error {
	s := r.Find(tx, id)
	if s == nil {
		return unknown(id)
	}
	r.noteAsker(tx, s)
	r.beginNow(tx, s)
	return nil
}
