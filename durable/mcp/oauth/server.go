package oauth

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/mcp"
)

// AuthorizationServer is the document of RFC 8414, or of OpenID Connect, about an authorization server.
type AuthorizationServer struct {
	// Issuer is its identifier, compared by [SameIssuer]. What it gives is kept under this name.
	Issuer string
	// Authorize and Token are addresses. Register is "" if nobody can register by himself.
	Authorize, Token, Register string
	// Scopes are those that it offers.
	Scopes []string
	// Methods are how clients may authenticate at Token, nil if it does not say it.
	Methods []string
	// Documents says that a client id may be the address of a document about the client.
	Documents bool
	// Names says that every callback names the issuer.
	Names bool
}

// SameIssuer says whether two identifiers are those of one authorization server. They are compared byte by byte, but for
// the slash of an issuer without a path: RFC 3986 has https://host and https://host/ mean the same, and many servers write
// one in their document and the other elsewhere.
func SameIssuer(a, b string) bool { return bare(a) == bare(b) }

// bare returns an issuer without the slash that is its whole path.
func bare(issuer string) string {
	host, ok := strings.CutSuffix(issuer, "/")
	if _, rest, absolute := strings.Cut(host, "://"); ok && absolute && rest != "" && !strings.ContainsAny(rest, "/?#") {
		return host
	}
	return issuer
}

// LegacyServer returns what the revision of 2025-03-26 lets a client suppose of a server that has no
// document and is its own authorization server. It promises nothing, so PKCE is used without a promise too.
func LegacyServer(origin string) AuthorizationServer {
	return AuthorizationServer{Issuer: origin, Authorize: origin + "/authorize", Token: origin + "/token", Register: origin + "/register"}
}

// ServerURLs returns the addresses at which the document of an issuer may be, in the order in which they
// are tried.
func ServerURLs(issuer string) []string {
	const place, openID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	origin, path := split(issuer)
	if path == "" {
		return []string{origin + place, origin + openID}
	}
	return []string{origin + place + path, origin + openID + path, origin + path + openID}
}

// ParseAuthorizationServer reads the document that was fetched for an issuer.
func ParseAuthorizationServer(body []byte, issuer string, development bool) (AuthorizationServer, error) {
	v, err := parse(body)
	if err != nil {
		return AuthorizationServer{}, err
	}
	s := AuthorizationServer{
		Issuer: v.Get("issuer").Text(), Authorize: v.Get("authorization_endpoint").Text(), Token: v.Get("token_endpoint").Text(),
		Register: v.Get("registration_endpoint").Text(), Scopes: texts(v.Get("scopes_supported"), 1<<10),
		Methods:   texts(v.Get("token_endpoint_auth_methods_supported"), maxScopes),
		Documents: v.Get("client_id_metadata_document_supported").Bool(),
		Names:     v.Get("authorization_response_iss_parameter_supported").Bool(),
	}
	switch {
	case !SameIssuer(s.Issuer, issuer) || issuer == "":
		return AuthorizationServer{}, ErrIssuer
	case !slices.Contains(texts(v.Get("code_challenge_methods_supported"), maxScopes), "S256"):
		return AuthorizationServer{}, ErrPKCE
	case mcp.CheckURL(s.Authorize, development) != nil, mcp.CheckURL(s.Token, development) != nil,
		s.Register != "" && mcp.CheckURL(s.Register, development) != nil:
		return AuthorizationServer{}, ErrEndpoint
	}
	return s, nil
}
