package oauth

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// Token is what an authorization server gives. It belongs to the issuer and the resource that it was
// asked for, and must be kept with them.
type Token struct {
	Access string
	// Refresh renews the token, or is "".
	Refresh string
	// Seconds is for how long the token is good, 0 if the server does not say it.
	Seconds int64
	// Scopes are those of the token.
	Scopes []string
}

// String keeps the token out of logs.
func (Token) String() string { return "a token" }

// maxToken bounds a token, in bytes.
const maxToken = 16 << 10

// CodeRequest returns the request that makes a code of [Authorization.Accept] a token.
func (a Authorization) CodeRequest(code string) mcp.Request {
	r := request(a.Server, a.Client)
	r.Body = form(r.Body).add("code", code).add("code_verifier", a.Verifier).add("grant_type", "authorization_code").
		add("redirect_uri", a.Redirect).add("resource", a.Resource)
	return r
}

// RefreshRequest returns the request that renews a token. A refresh token may be good only once, so no
// two requests may be made with it.
func RefreshRequest(s AuthorizationServer, c Client, resource string, t Token) mcp.Request {
	r := request(s, c)
	r.Body = form(r.Body).add("grant_type", "refresh_token").add("refresh_token", t.Refresh).add("resource", resource)
	return r
}

// request returns a request by which the client authenticates, and which asks for nothing yet.
func request(s AuthorizationServer, c Client) mcp.Request {
	r := mcp.Request{Method: "POST", URL: s.Token, Header: []durable.Header{
		{Name: "accept", Value: "application/json"}, {Name: "content-type", Value: "application/x-www-form-urlencoded"},
	}}
	switch c.method(s) {
	case methodBasic:
		basic := durable.Header{Name: "authorization", Value: "Basic " + url.QueryEscape(c.ID) + ":", Secret: c.SecretName}
		if c.SecretName == "" {
			pair := url.QueryEscape(c.ID) + ":" + url.QueryEscape(c.Secret)
			basic.Value = "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
		}
		r.Header = append(r.Header, basic)
	case methodPost:
		f := form{}.add("client_id", c.ID)
		if c.SecretName == "" {
			f = f.add("client_secret", c.Secret)
		} else {
			r.Header = append(r.Header, durable.Header{Value: "&client_secret=", Secret: c.SecretName})
		}
		r.Body = f
	default:
		r.Body = form{}.add("client_id", c.ID)
	}
	return r
}

// ParseToken reads the answer to a request for a token. asked are the scopes that were asked for, which
// the token has if the server names no others. A renewed token keeps its refresh token if no new one
// comes. The error may be a [*Refused].
func ParseToken(status int, body []byte, asked []string, before Token) (Token, error) {
	v, err := parse(body)
	if err != nil {
		return Token{}, answered(status, err)
	}
	if status != 200 {
		return Token{}, refused(v, answered(status, ErrToken))
	}
	t := Token{Access: v.Get("access_token").Text(), Refresh: v.Get("refresh_token").Text(), Scopes: asked}
	if t.Refresh == "" {
		t.Refresh = before.Refresh
	}
	if scope := v.Get("scope"); scope.IsText() {
		t.Scopes = Scopes(scope.Text())
	}
	seconds, _ := v.Get("expires_in").Integer()
	t.Seconds = max(seconds, 0)
	if !strings.EqualFold(v.Get("token_type").Text(), "bearer") || !isToken(t.Access) || len(t.Refresh) > maxToken {
		return Token{}, ErrToken
	}
	return t, nil
}

// isToken says whether a token can be sent in a header.
func isToken(token string) bool {
	for _, c := range []byte(token) {
		if c < 0x21 || c > 0x7e {
			return false
		}
	}
	return token != "" && len(token) <= maxToken
}

// Header returns the header that sends the token.
func (t Token) Header() durable.Header {
	return durable.Header{Name: "authorization", Value: "Bearer " + t.Access}
}
