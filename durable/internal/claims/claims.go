// Package claims keeps the rule for whom work acts: what is done for a caller is done with the caller's
// claims, and never with more than what all have who have a part in it. It is the only place that reads
// claims, compares them, and combines them.
//
// Claims are JSON of the front door, with sub, scopes and sender. The empty text grants everything.
package claims

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable/limit"
)

// Nobody are the claims of work that nobody has begun. They equal no claims, not even themselves.
const Nobody = `{"scopes":[]}`

// Claims say who has sent something, and what may be done for the sender.
type Claims struct {
	// Subject names the person, or is "". A name of more than 256 bytes counts as none.
	Subject string
	// Sender tells apart those who have no subject. The front door makes it of the token. If it is "", the
	// sender is not known.
	Sender string
	// Scopes are what is granted. All grants everything.
	Scopes []string
	All    bool
}

// stored is the JSON of claims.
type stored struct {
	Subject string   `json:"sub,omitempty"`
	Scopes  []string `json:"scopes"`
	Sender  string   `json:"sender,omitempty"`
}

// Read reads claims. The empty text grants everything, and what cannot be read grants nothing.
func Read(text string) Claims {
	if text == "" {
		return Claims{All: true}
	}
	var s stored
	if json.Unmarshal([]byte(text), &s) != nil {
		return Claims{}
	}
	if !limit.IsName(s.Subject, limit.Subject) {
		s.Subject = ""
	}
	c := Claims{Subject: s.Subject, Scopes: s.Scopes}
	if c.Subject == "" && limit.IsName(s.Sender, limit.Subject) {
		c.Sender = s.Sender
	}
	return c
}

// Text returns claims as they are stored: the scopes in order, each once. The end of a token is not stored.
func (c Claims) Text() string {
	if c.All {
		return ""
	}
	scopes := slices.Compact(slices.Sorted(slices.Values(c.Scopes)))
	return string(limit.MustMarshal(stored{c.Subject, append([]string{}, scopes...), c.Sender}))
}

// Has says whether a scope is granted.
func (c Claims) Has(scope string) bool { return c.All || slices.Contains(c.Scopes, scope) }

// Missing returns which of some scopes are not granted.
func (c Claims) Missing(scopes []string) []string {
	var missing []string
	for _, s := range scopes {
		if !c.Has(s) {
			missing = append(missing, s)
		}
	}
	return missing
}

// Covers says whether all that other claims grant is granted.
func (c Claims) Covers(other Claims) bool {
	return c.All || !other.All && len(c.Missing(other.Scopes)) == 0
}

// isSame says whether two claims are known to be of the same person, or of the same token without a
// subject. All who are granted everything are the same.
func (c Claims) isSame(other Claims) bool {
	switch {
	case c.All || other.All:
		return c.All && other.All
	case c.Subject != "" || other.Subject != "":
		return c.Subject == other.Subject
	}
	return c.Sender != "" && c.Sender == other.Sender
}

// SamePerson says whether two texts are claims of the same subject. Claims without a subject are the same
// if they come from the same token. Those whose sender is not known are not even the same as themselves.
func SamePerson(a, b string) bool { return Read(a).isSame(Read(b)) }

// Equal says whether two texts are claims of the same person, as in [SamePerson], with the same scopes.
func Equal(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	c, other := Read(a), Read(b)
	return c.isSame(other) && c.Covers(other) && other.Covers(c)
}

// Meet returns the claims of what a caller has done that others have a part in: the caller's, with the
// scopes that the others have as well.
func Meet(caller, others string) string {
	c, o := Read(caller), Read(others)
	switch {
	case c.All:
		return others
	case o.All:
		return caller
	}
	c.Scopes = slices.DeleteFunc(slices.Clone(c.Scopes), func(scope string) bool { return !o.Has(scope) })
	return c.Text()
}

// Person is the key of the person whose claims a text is, for what is kept for each person. It is "" if
// the person is not known.
func Person(text string) string {
	switch c := Read(text); {
	case c.All:
		return "everybody"
	case c.Subject != "":
		return "sub " + c.Subject
	case c.Sender != "":
		return "sender " + c.Sender
	}
	return ""
}
