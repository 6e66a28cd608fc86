package mcpclient

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp/oauth"
)

// SignIn is how somebody signs in to servers. Package mcpsignin has it.
type SignIn interface {
	// Token returns the header with the token of a server, if there is one, and Secrets what must not be repeated
	// of it. TokenNumber returns the number of the token that is sent, or 0. wait says that a request without another
	// token is of no use.
	Token(tx *durable.Tx, s *Server) (durable.Header, bool)
	Secrets(tx *durable.Tx, s *Server) []string
	TokenNumber(tx *durable.Tx, s *Server) (number int64, wait bool)
	// LetIn notes that the server has let the agent in.
	LetIn(tx *durable.Tx, s *Server)
	// Challenged begins to sign in, because a server has refused a request that asker has wanted: first and begun are
	// those of its exchange. The error says why nobody can sign in. It is [ErrForbidden] if that is not asked for.
	Challenged(tx *durable.Tx, s *Server, status int, header, asker string, first bool, begun int64) error
	// Refused begins to sign in behind the refusal of a call. It is true if the server has another token already.
	Refused(tx *durable.Tx, s *Server, why Refusal) (renewed bool)
	// Renew renews the token of a server if it is over, and says whether it is. Resume goes on with signing
	// in that was lost with the memory. It is false if there is nothing to go on with. Cancel ends it.
	Renew(tx *durable.Tx, s *Server) bool
	Resume(tx *durable.Tx, s *Server) bool
	Cancel(tx *durable.Tx, s *Server)
	// Fetched handles an event of a fetch, and says whether it belongs to signing in. HandleDue handles an entry of
	// [DueSign].
	Fetched(tx *durable.Tx, s *Server, name string, event durable.Event) bool
	HandleDue(tx *durable.Tx, id string)
	// IsUnderWay says whether a request of signing in to a server is under way, and Count how many are. HoldsTurn says
	// whether a turn waits for one.
	IsUnderWay(id string) bool
	Count() int
	HoldsTurn(now int64) bool
	// AuthURL returns the link for a server that waits for a person, as far as who is told it, or "".
	AuthURL(tx *durable.Tx, s *Server, who string) string
}

// ErrForbidden is the error of a server that refuses the client, and asks for no sign-in.
const ErrForbidden Failure = "the server refuses this client"

// WantsSignIn says whether a response means that somebody has to sign in.
func WantsSignIn(status int, header string) bool {
	if status != 403 {
		return status == 401
	}
	challenge, _ := oauth.ParseChallenge(header)
	return challenge.Error == oauth.InsufficientScope
}

// Refusal is the response with which a server has refused a request. Token is the number of the token that
// was sent, see [SignIn].
type Refusal struct {
	Status int
	Header string
	Token  int64
}

// Failure is an error that is a constant: the module of an application that does not use this package runs
// no code for it.
type Failure string

func (f Failure) Error() string { return string(f) }
