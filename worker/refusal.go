package worker

import (
	"errors"
	"net/http"
	"unicode/utf8"
)

// maxReason is the maximum size of a close frame's text, in bytes.
const maxReason = 123

// Refusal is an error that is the answer to its request. Text goes to the client unchanged, so it
// never holds a secret or anything that the client must not know.
type Refusal struct {
	Status int    // HTTP status, 400 to 599
	Text   string // body of the answer, or reason of the close frame, which ends after 123 bytes
	Plain  bool   // answered over HTTP even when the request is an upgrade
}

// Error returns the text of the refusal with the package's prefix.
func (r *Refusal) Error() string { return "worker: " + r.Text }

// CloseCode returns the WebSocket close code for the refusal. The published client stops at 4000 to
// 4999 and reconnects after 1011, so only the client's own faults are final.
func (r *Refusal) CloseCode() int {
	if r.Status >= http.StatusInternalServerError {
		return 1011
	}
	return 4000 + r.Status
}

// reason returns what of the text a close frame can hold.
func (r *Refusal) reason() string {
	if len(r.Text) <= maxReason {
		return r.Text
	}
	end := maxReason
	for !utf8.RuneStart(r.Text[end]) {
		end--
	}
	return r.Text[:end]
}

// refusalOf returns the refusal that an error is. Every other error, and a refusal without a status of
// its kind, is a 403 that says nothing.
func refusalOf(err error) *Refusal {
	var refusal *Refusal
	if !errors.As(err, &refusal) || refusal.Status < http.StatusBadRequest || refusal.Status > maxStatus {
		return &Refusal{Status: http.StatusForbidden, Text: "Forbidden"}
	}
	return refusal
}

// maxStatus is the last status of HTTP.
const maxStatus = 599
