package oauth

import (
	"net/url"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/mcp"
)

// Authorization is one attempt to sign in. All of it is kept until the callback comes.
type Authorization struct {
	Server AuthorizationServer
	Client Client
	// Resource is the identifier of the server that the token is for.
	Resource string
	Redirect string
	Scopes   []string
	// State and Verifier are secrets of this attempt.
	State, Verifier string
}

// String keeps the secrets out of logs.
func (a Authorization) String() string { return "authorization at " + a.Server.Issuer }

// URL returns the address to which a person is sent.
func (a Authorization) URL() string {
	f := form{}.add("client_id", a.Client.ID).add("code_challenge", S256(a.Verifier)).add("code_challenge_method", "S256")
	if slices.Contains(a.Scopes, offlineAccess) {
		f = f.add("prompt", "consent") // OpenID Connect gives no refresh token without it
	}
	f = f.add("redirect_uri", a.Redirect).add("resource", a.Resource).add("response_type", "code")
	if len(a.Scopes) > 0 {
		f = f.add("scope", strings.Join(a.Scopes, " "))
	}
	separator := "?"
	if strings.Contains(a.Server.Authorize, "?") {
		separator = "&"
	}
	return a.Server.Authorize + separator + string(f.add("state", a.State))
}

// Callback is what the authorization server sends back by the person's browser.
type Callback struct {
	State, Code string
	// Issuer is nil if the callback does not name it.
	Issuer *string
	// Refusal is nil if there is a code.
	Refusal *Refused
}

// maxQuery bounds the query of a callback, in bytes.
const maxQuery = 8 << 10

// ParseCallback reads the query of a callback. A parameter that comes twice is refused.
func ParseCallback(query string) (Callback, error) {
	if len(query) > maxQuery {
		return Callback{}, ErrCallback
	}
	q, err := url.ParseQuery(query)
	if err != nil {
		return Callback{}, ErrCallback
	}
	for _, name := range []string{"state", "code", "iss", "error"} {
		if len(q[name]) > 1 {
			return Callback{}, ErrCallback
		}
	}
	c := Callback{State: q.Get("state"), Code: q.Get("code")}
	if q.Has("iss") {
		issuer := q.Get("iss")
		c.Issuer = &issuer
	}
	if q.Has("error") {
		c.Refusal = &Refused{Code: mcp.Quote(q.Get("error"), 64), Description: mcp.Quote(q.Get("error_description"), 300)}
	}
	if (c.Code == "") == (c.Refusal == nil) {
		return Callback{}, ErrCallback
	}
	return c, nil
}

// Accept checks a callback against the attempt that its state belongs to, and returns the code. An
// error of a callback that comes from somebody else must not be shown: it is [ErrCallbackFrom].
func (a Authorization) Accept(c Callback) (code string, err error) {
	named := c.Issuer != nil
	switch {
	case c.State != a.State || a.State == "":
		return "", ErrCallbackFrom
	case named && *c.Issuer != a.Server.Issuer, !named && a.Server.Names:
		return "", ErrCallbackFrom
	case c.Refusal != nil:
		return "", c.Refusal
	}
	return c.Code, nil
}
