package worker

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
)

// This file is about the signature of an object's address. The object is told it with the claims of everyone
// who is let in, and puts it into the link by which a person signs in to a server, and into the state with
// which an authorization server sends the person back. Neither request has a token, so the signature says that
// the object was used before by somebody who was let in. It opens these two addresses of one object, and does
// not end: ticket and state, which the object judges, do. It ends with the secret.

// signatureOf returns the signature of an address: 128 bits as a text of URLs. It is "" without a good secret.
func signatureOf(secret Secret, to Address) string {
	if len(secret) < MinSecret {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(secret))
	// No token has a NUL, so this is the signature of no token, whose key is the same.
	_, _ = io.WriteString(mac, "address of an object\x00"+to.Agent+"\x00"+to.Name)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// isSigned reports whether a signature is that of an address.
func isSigned(secret Secret, to Address, signature string) bool {
	want := signatureOf(secret, to)
	return want != "" && hmac.Equal([]byte(signature), []byte(want))
}
