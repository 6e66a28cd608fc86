package worker

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Access is what an acceptance of Authorize says of a request. The object is told the subject, the
// scopes and the end, with the request or with each message of the socket, as its claims.
type Access struct {
	// Until is when the authorization ends. The zero time means without end.
	Until time.Time
	// Subject says who has sent the request, or is "" if that is not known.
	Subject string
	// Sender tells apart those who have no subject: requests with the same text are the same sender's. It is
	// not looked at where there is a subject. "" is a digest of the request's own credentials: its token, or
	// else its cookies. A sender who has neither is nobody's equal: see the claims in durable/chat/README.md.
	Sender string
	// Scopes are what the sender may do beyond speaking with the agent. Tools name what they require.
	Scopes []string
	// AllScopes grants every scope, and the object is told neither subject nor scopes. It is for
	// development.
	AllScopes bool
}

// senderSize is how long a digest of a sender is, in bytes of text.
const senderSize = 22

// MaxClaims is the largest size of subject, scopes and end together, as JSON in ASCII. The platform keeps
// 2 KiB with a socket, of which the signature of the object's address takes 31 bytes.
const MaxClaims = 2000

// errClaims refuses what could not be kept with a socket.
var errClaims = &Refusal{Status: http.StatusForbidden, Text: "Forbidden: subject and scopes have more than 2000 bytes together"}

// claims returns what the object is told of the sender: a JSON object with sub, scopes, exp in
// seconds since 1970, or 0 for no end, sender if there is no sub, and the signature of the object's
// address as sig, unless that is "". It is in ASCII, because it travels in a header. It is "" if every
// scope is granted.
func (a Access) claims(signature string) (string, error) {
	if a.AllScopes {
		return "", nil
	}
	told := struct {
		Subject string   `json:"sub"`
		Scopes  []string `json:"scopes"`
		Expires int64    `json:"exp"`
		Sender  string   `json:"sender,omitempty"`
	}{Subject: a.Subject, Scopes: append([]string{}, a.Scopes...)}
	if a.Subject == "" {
		told.Sender = a.Sender
	}
	if !a.Until.IsZero() {
		told.Expires = a.Until.Unix()
	}
	encoded, err := json.Marshal(told)
	if err != nil {
		return "", err
	}
	claims := ascii(string(encoded))
	if len(claims) > MaxClaims {
		return "", errClaims
	}
	if signature != "" {
		claims = claims[:len(claims)-1] + `,"sig":"` + signature + `"}`
	}
	return claims, nil
}

// senderOf returns a digest of what a request says of its sender, or "" if it says nothing. Nobody can find
// the token by it.
func senderOf(r *http.Request) string {
	given := tokenOf(r)
	if given == "" {
		given = strings.Join(r.Header.Values("Cookie"), "; ")
	}
	if given == "" {
		return ""
	}
	digest := sha256.Sum256([]byte(given))
	return base64.RawURLEncoding.EncodeToString(digest[:senderSize*6/8])
}

// ascii escapes the characters of a JSON text that are not ASCII.
func ascii(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte("0123456789abcdef"[unit>>shift&0xf])
			}
		}
	}
	return b.String()
}
