package mcpclient

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
)

// This file is about who asks: the person for whom a server is asked, and whose link it is if the server wants
// one to sign in. A person who is not known is "", and a link of nobody is everybody's who is let in.

// PersonOf returns the key of the person whose some claims are, or "" if the person is not known, as in
// development.
func PersonOf(text string) string {
	if text == "" {
		return ""
	}
	return claims.Person(text)
}

// NameOf returns what people are told of a person.
func NameOf(person string) string {
	if subject, ok := strings.CutPrefix(person, "sub "); ok {
		return subject
	}
	if person != "" {
		return "somebody whose token has no name"
	}
	return "somebody without a name, who may use this conversation"
}

// AskedBy returns the person for whom a request to a server begins in this event. A server that somebody has
// added, and that nobody asks for by name now, belongs to who has last added it, or had it asked by hand: another
// person's turn that is at work has not asked for it.
func (r *Servers) AskedBy(tx *durable.Tx, s *Server) string {
	if r.config.Asker != nil && (s.Declared || !r.unasked) {
		if person := r.config.Asker(tx); person != "" {
			return person
		}
	}
	return Secret(tx, s.ID, secretAsker)
}

// unaskedFor says that nobody asks for a server by name, until the returned function is called.
func (r *Servers) unaskedFor() (until func()) {
	before := r.unasked
	r.unasked = true
	return func() { r.unasked = before }
}

// noteAsker stores who asks a server by hand.
func (r *Servers) noteAsker(tx *durable.Tx, s *Server) {
	switch person, before := r.config.Asker(tx), Secret(tx, s.ID, secretAsker); {
	case person == before:
	case person == "":
		ForgetSecret(tx, s.ID, secretAsker)
	default:
		keep(tx, s.ID, secretAsker, person)
	}
}
