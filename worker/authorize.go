package worker

import (
	"net/http"
	"time"
)

// The refusals of Authorize when a setting is missing. The text names the variable and never its
// value.
var (
	ErrNoSecret = &Refusal{
		Status: http.StatusServiceUnavailable,
		Text:   "Closed: the secret " + SecretVar + " is not set",
	}
	ErrWeakSecret = &Refusal{
		Status: http.StatusServiceUnavailable,
		Text:   "Closed: the secret " + SecretVar + " is shorter than 32 bytes",
	}
)

// Authorize decides whether a request may reach an object, until when, and with which scopes. Every
// error is a [*Refusal]. No other function decides this, unless [Options] name one for another kind
// of login. It must not wait for anything (see [Serve]), and it decides by the settings, the time
// and what the request is here: question.ts lists the headers and the parameters that Go is given,
// and an acceptance is remembered for ten seconds at most, by all of these. In development it lets
// in every request from this machine. All other requests need a token that opens the object, and
// have the scopes of the token.
func Authorize(s Settings, r *http.Request, to Address, now time.Time) (Access, error) {
	if s.Development {
		return Access{AllScopes: true}, s.checkLocal(r)
	}
	if s.Secret == "" {
		return Access{}, ErrNoSecret
	}
	if len(s.Secret) < MinSecret {
		return Access{}, ErrWeakSecret
	}
	claims, err := Verify(s.Secret, tokenOf(r), now)
	if err != nil {
		return Access{}, &Refusal{Status: http.StatusUnauthorized, Text: "Unauthorized: " + err.Error()}
	}
	if !claims.Opens(to) {
		return Access{}, &Refusal{Status: http.StatusForbidden, Text: "Forbidden: the token does not open this agent"}
	}
	return Access{Until: claims.ExpiresAt.Time, Subject: claims.Subject, Scopes: claims.Scopes}, nil
}
