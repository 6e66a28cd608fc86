package oauth

type failure string

func (f failure) Error() string { return string(f) }

// The errors of documents and answers.
const (
	ErrDocument     failure = "oauth: not a document that can be read"
	ErrResource     failure = "oauth: the metadata are those of another resource"
	ErrNoServer     failure = "oauth: the resource names no authorization server"
	ErrIssuer       failure = "oauth: the metadata are those of another issuer"
	ErrEndpoint     failure = "oauth: the metadata lack an endpoint, or have one that must not be used"
	ErrPKCE         failure = "oauth: the authorization server does not support PKCE with S256"
	ErrRegistration failure = "oauth: the authorization server gives no client id"
	ErrRedirect     failure = "oauth: the redirect address must be https, or on the own machine"
	ErrCallback     failure = "oauth: the callback has neither a code nor an error"
	ErrCallbackFrom failure = "oauth: the callback does not come from the authorization server that was asked"
	ErrToken        failure = "oauth: the authorization server gives no bearer token"
)

// Refused is an error that an authorization server answers with.
type Refused struct {
	// Code is one of OAuth's, such as [InvalidGrant].
	Code string
	// Description is for people, at most 300 bytes.
	Description string
}

// The codes of [Refused] that a client acts on.
const (
	// InvalidGrant says that a code or a refresh token is not good any more: sign in again.
	InvalidGrant = "invalid_grant"
	// InvalidClient says that the client is not known any more: register again.
	InvalidClient = "invalid_client"
	// AccessDenied says that a person has refused.
	AccessDenied = "access_denied"
	// InsufficientScope is in a [Challenge]: sign in again with more scopes.
	InsufficientScope = "insufficient_scope"
)

// Error returns the code and the description.
func (e *Refused) Error() string {
	text := "oauth: the authorization server refuses: " + e.Code
	if e.Description != "" {
		text += ": " + e.Description
	}
	return text
}
