package oauth

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/mcp"
)

// The methods by which a client authenticates: by nothing but its id, or by a secret, in a header or in the form.
const (
	methodNone  = "none"
	methodBasic = "client_secret_basic"
	methodPost  = "client_secret_post"
)

// method returns how a client authenticates: as it was registered, or else as the server likes it. Without a secret
// there is one way alone, also where the server does not name it: many that take such clients do not say so. It is ""
// if the client can do nothing that the server takes.
func (c Client) method(s AuthorizationServer) string {
	switch {
	case c.Method != "" && c.Method != methodBasic && c.Method != methodPost && c.Method != methodNone:
		return ""
	case c.Secret == "" && c.SecretName == "":
		return methodNone
	case c.Method != "":
		return c.Method
	case len(s.Methods) == 0: // RFC 8414, section 2
		return methodBasic
	}
	return s.first(methodBasic, methodPost, methodNone)
}

// first returns the first of some methods that the server names, or "".
func (s AuthorizationServer) first(methods ...string) string {
	for _, m := range methods {
		if slices.Contains(s.Methods, m) {
			return m
		}
	}
	return ""
}

// CheckMethod says in words what the server wants of a client that cannot authenticate as it does. The zero Client is
// one that has still to register, or has a document.
func (s AuthorizationServer) CheckMethod(c Client) error {
	nothing := len(s.Methods) > 0 && s.first(methodNone, methodBasic, methodPost) == ""
	if c.method(s) == "" || nothing && c.Method == "" {
		return failure("oauth: the authorization server wants the client to authenticate by " + s.wants(c) +
			", and only client_secret_basic, client_secret_post and none are possible here")
	}
	return nil
}

// wants names the methods that the server wants of a client.
func (s AuthorizationServer) wants(c Client) string {
	if c.Method != "" {
		return mcp.Quote(c.Method, 64)
	}
	return mcp.Quote(strings.Join(s.Methods, " or "), 128)
}

// Explain adds to the error of a request for a token what the server may want: a client without a secret is not known
// where clients have one.
func (s AuthorizationServer) Explain(c Client, err error) error {
	var no *Refused
	if !errors.As(err, &no) || no.Code != InvalidClient || c.method(s) != methodNone || len(s.Methods) == 0 || s.first(methodNone) != "" {
		return err
	}
	return fmt.Errorf("%w: it wants clients to authenticate by %s, and this client has no secret", err, s.wants(c))
}
