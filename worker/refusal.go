package worker

import "net/http"

// Refusal is an error that is the answer to its request. Text goes to the client unchanged, so it
// never holds a secret or anything that the client must not know.
type Refusal struct {
	Status int    // HTTP status, 400 to 599
	Text   string // body of the answer, or reason of the close frame: at most 123 bytes
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
