package oauth

import (
	"encoding/base64"

	"github.com/tributary-agents/tributary/durable/internal/sha256"
)

// Verifier returns the secret of PKCE for random bytes, and is also good for a state.
func Verifier(random [32]byte) string { return base64.RawURLEncoding.EncodeToString(random[:]) }

// S256 returns what an authorization server is told of a verifier.
func S256(verifier string) string {
	sum := sha256.Sum([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
