package agent

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/internal/claims"
)

// Claims say for whom a turn works, and what it may do: what the front door has verified of the
// person who began it. A turn keeps the claims of its beginning, also when they have expired since.
// Its helpers have them too, and so do the schedules and the turns that its code makes. Who has
// somebody else's work done again works for the scopes that both have.
type Claims struct {
	// Subject names the person, or is "". A name of more than 256 bytes counts as none.
	Subject string
	// Scopes are what is granted. All says that everything is, as in development, where nobody signs
	// in.
	Scopes []string
	All    bool
}

// Has says whether a scope is granted.
func (c Claims) Has(scope string) bool { return c.read().Has(scope) }

// Missing returns which of some scopes are not granted.
func (c Claims) Missing(scopes []string) []string { return c.read().Missing(scopes) }

func (c Claims) read() claims.Claims {
	return claims.Claims{Subject: c.Subject, Scopes: c.Scopes, All: c.All}
}

// claimsOf reads claims. The empty text grants everything, and what cannot be read grants nothing.
func claimsOf(text string) Claims {
	c := claims.Read(text)
	return Claims{Subject: c.Subject, Scopes: c.Scopes, All: c.All}
}

// Claims are those for which the code in this event works: of the client that has called the method,
// of the turn whose hook is called, of the code that has made the schedule, or of the turn that has
// begun the run. Work that nobody has begun has no scopes.
func (c *Conversation) Claims() Claims { return claimsOf(c.acting()) }

// Claims are those of the turn that has made the call, or works on the run. They never change, so
// they need no journal.
func (c *Context) Claims() Claims { return claimsOf(c.of.Code.Claims) }

// Require returns a method that only callers with some scopes can call, see [Claims]. Others are told
// which scope they lack. The methods of this package ask for no scope by themselves: each says for whose
// claims it works, and what it can begin.
//
//	Methods: map[string]agent.Method{"restartRun": agent.Require(agent.RestartRun, "runs:restart")}
//
// It is for the method alone. What can be done in another way as well has a rule of its own: [Tool.Requires],
// [Tool.Approver] and [Agent.SignalScopes].
func Require(m Method, scopes ...string) Method {
	return func(call *Call) (any, error) {
		if missing := call.Claims().Missing(scopes); len(missing) > 0 {
			return nil, fmt.Errorf("the method needs the scope %s", strings.Join(missing, ", "))
		}
		return m(call)
	}
}
