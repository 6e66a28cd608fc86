package worker

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// MinSecret is the shortest secret for signing tokens, in bytes: the key size that RFC 7518
// requires for HS256.
const MinSecret = 32

// MaxToken is the longest token that is parsed, in bytes.
const MaxToken = 4096

// star is invalid as the name of an agent or an object in a token. Earlier tokens meant all names
// by it, and a person may choose it for a name.
const star = "*"

// Claims is the content of a token: a JSON Web Token signed with HMAC-SHA256 (HS256). A token that
// opens all agents, or all names, says so in a separate claim that no name can equal. A missing
// agent or name opens nothing.
type Claims struct {
	jwt.RegisteredClaims        // exp is required, nbf is honoured, sub says who it is for
	Agent                string `json:"agent,omitempty"` // the agent's path segment
	Name                 string `json:"name,omitempty"`  // the object's name exactly as in the path
	AnyAgent             bool   `json:"anyAgent,omitempty"`
	AnyName              bool   `json:"anyName,omitempty"`
	// Scopes are what the person may do beyond speaking with the agent. A token without them has none.
	Scopes []string `json:"scopes,omitempty"`
}

// Opens reports whether the token opens an object.
func (c *Claims) Opens(to Address) bool {
	return (c.AnyAgent || c.Agent != "" && c.Agent == to.Agent) && (c.AnyName || c.Name != "" && c.Name == to.Name)
}

// Validate refuses ambiguous claims. The parser calls it too.
func (c *Claims) Validate() error {
	switch {
	case c.Agent == star || c.Name == star:
		return errors.New("* is no name: AnyAgent and AnyName open all of them")
	case c.AnyAgent && c.Agent != "":
		return errors.New("a token has an agent or AnyAgent, not both")
	case c.AnyName && c.Name != "":
		return errors.New("a token has a name or AnyName, not both")
	}
	return nil
}

// Mint returns a signed token for the claims, which need an expiry.
func Mint(secret Secret, claims Claims) (string, error) {
	if len(secret) < MinSecret {
		return "", fmt.Errorf("worker: the secret is shorter than %d bytes", MinSecret)
	}
	if claims.ExpiresAt == nil {
		return "", errors.New("worker: a token needs an expiry")
	}
	if err := claims.Validate(); err != nil {
		return "", fmt.Errorf("worker: mint token: %w", err)
	}
	if _, err := (Access{Until: claims.ExpiresAt.Time, Subject: claims.Subject, Sender: strings.Repeat("x", senderSize), Scopes: claims.Scopes}).claims(""); err != nil {
		return "", fmt.Errorf("worker: mint token: %w", err)
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(secret))
	if err != nil {
		return "", fmt.Errorf("worker: sign token: %w", err)
	}
	return token, nil
}

// Verify returns the claims of a token that is signed with secret and valid at now. Its errors
// contain neither the secret nor the token. A secret that is too short verifies nothing.
func Verify(secret Secret, token string, now time.Time) (*Claims, error) {
	if len(secret) < MinSecret {
		return nil, errors.New("the secret is too short")
	}
	if token == "" {
		return nil, errors.New("a token is required")
	}
	if len(token) > MaxToken {
		return nil, errors.New("the token is too long")
	}
	claims := new(Claims)
	_, err := jwt.ParseWithClaims(token, claims,
		func(*jwt.Token) (any, error) { return []byte(secret), nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(func() time.Time { return now }))
	if errors.Is(err, jwt.ErrTokenExpired) {
		return nil, errors.New("the token has expired")
	}
	if err != nil {
		return nil, errors.New("the token is not valid")
	}
	return claims, nil
}

// tokenOf returns the token of a request. Browsers cannot set headers on a socket, so the query may
// carry it too.
func tokenOf(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	return r.URL.Query().Get("token")
}
