// Package mcpsignin signs in to the servers that an agent uses: it finds out where, has a person go there, and keeps
// the tokens that come of it. Package mcpclient knows the servers, and asks it by [mcpclient.SignIn].
package mcpsignin

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
)

// Config is what signing in needs of the object.
type Config struct {
	// Declared are the servers that the agent's author names.
	Declared []mcpclient.Declared
	// Development says that the object runs on a developer's machine.
	Development func() bool
	// Path returns the path of the object as browsers see it, or "" if they cannot reach it.
	Path func() string
	// Var returns a variable of the deployment, or "", and HasSecret says whether it has a secret of a name.
	Var       func(name string) string
	HasSecret func(name string) bool
}

// SignIns are the sign-ins of an object. They implement [mcpclient.SignIn].
type SignIns struct {
	config  Config
	servers *mcpclient.Servers
	signins map[string]*signin
	// signature is the front door's, of the object's address, or "".
	signature string
}

// New returns the sign-ins to some servers.
func New(servers *mcpclient.Servers, c Config) *SignIns {
	return &SignIns{config: c, servers: servers, signins: map[string]*signin{}}
}

// IsUnderWay implements [mcpclient.SignIn].
func (r *SignIns) IsUnderWay(id string) bool { return r.signins[id] != nil }

// Count implements [mcpclient.SignIn].
func (r *SignIns) Count() int { return len(r.signins) }

// HoldsTurn implements [mcpclient.SignIn].
func (r *SignIns) HoldsTurn(now int64) bool {
	for _, e := range r.signins {
		if e.first && now < e.begun+mcpclient.Patience {
			return true
		}
	}
	return false
}

// Fetched implements [mcpclient.SignIn].
func (r *SignIns) Fetched(tx *durable.Tx, s *mcpclient.Server, name string, event durable.Event) bool {
	e := r.signins[s.ID]
	if e == nil || e.fetch != name {
		return false
	}
	r.signEvent(tx, s, e, event)
	return true
}
