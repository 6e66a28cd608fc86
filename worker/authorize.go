package worker

import (
	"net/http"
	"time"
)

// What Authorize refuses for want of a setting. The text names the variable and never its value.
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

// Authorize decides whether a request may reach an object: nil lets it through, and every error is a [*Refusal]. It is
// the only place where that is decided, so it is the function to change for another kind of login. It must not wait for
// anything (see [Serve]). Local development is open; everything else needs a token that opens the object.
func Authorize(s Settings, r *http.Request, to Address, now time.Time) error {
	if s.Development {
		return nil
	}
	if s.Secret == "" {
		return ErrNoSecret
	}
	if len(s.Secret) < MinSecret {
		return ErrWeakSecret
	}
	claims, err := verify(s.Secret, tokenOf(r), now)
	if err != nil {
		return &Refusal{Status: http.StatusUnauthorized, Text: "Unauthorized: " + err.Error()}
	}
	if !claims.Opens(to) {
		return &Refusal{Status: http.StatusForbidden, Text: "Forbidden: the token does not open this agent"}
	}
	return nil
}
