package worker

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// The headers of an answer that serve.ts acts on. They never reach a client; other headers of the
// answer do.
const (
	HeaderBinding = "Tributary-Binding" // forward the request to the object of this binding
	HeaderName    = "Tributary-Name"    // and this raw name
	HeaderUntil   = "Tributary-Until"   // until when it is authorized: ms since 1970, none for no end
	HeaderClose   = "Tributary-Close"   // accept the upgrade and close it: a code, a space and a reason
	HeaderStatus  = "Tributary-Status"  // of a sealed answer, the status
	HeaderBody    = "Tributary-Body"    // of a sealed answer, the text, percent-encoded
)

// maxReason is the maximum size of a close frame's text, in bytes.
const maxReason = 123

// lastTime is the last time that JavaScript can represent, in milliseconds since 1970.
const lastTime = 8_640_000_000_000_000

// forward answers that the request goes to an object, and until when it is authorized.
func forward(w http.ResponseWriter, to Address, until time.Time) {
	w.Header().Set(HeaderBinding, to.Binding)
	w.Header().Set(HeaderName, to.Name)
	if !until.IsZero() {
		w.Header().Set(HeaderUntil, strconv.FormatInt(min(until.UnixMilli(), lastTime), 10))
	}
	w.WriteHeader(http.StatusNoContent)
}

// refuse answers with a refusal. An upgrade gets a socket that is accepted and closed, because
// clients retry a failed handshake without end. Any other request is answered over HTTP.
func refuse(w http.ResponseWriter, r *http.Request, refusal *Refusal) {
	if isUpgrade(r) && !refusal.Plain {
		w.Header().Set(HeaderClose, strconv.Itoa(refusal.CloseCode())+" "+refusal.Text)
		// A browser that offered subprotocols drops a handshake that picks none, and would not see the
		// close.
		if offered := r.Header.Get("Sec-WebSocket-Protocol"); offered != "" {
			first, _, _ := strings.Cut(offered, ",")
			w.Header().Set("Sec-WebSocket-Protocol", strings.TrimSpace(first))
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if refusal.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(refusal.Status)
	_, _ = w.Write([]byte(refusal.Text))
}

func isUpgrade(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// Seal moves the status and text of a handler's answer into headers, and leaves its body empty. A
// body would be a stream, which Go feeds after the call has returned, perhaps during another
// request. Headers are complete when the call returns. So Seal is for short texts only.
func Seal(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := &responseRecorder{header: w.Header(), status: http.StatusOK}
		h.ServeHTTP(kept, r)
		w.Header().Set(HeaderStatus, strconv.Itoa(kept.status))
		w.Header().Set(HeaderBody, url.PathEscape(kept.body.String()))
		w.WriteHeader(http.StatusNoContent)
	})
}

// responseRecorder is a ResponseWriter that records what is written.
type responseRecorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *responseRecorder) Header() http.Header         { return k.header }
func (k *responseRecorder) WriteHeader(status int)      { k.status = status }
func (k *responseRecorder) Write(p []byte) (int, error) { return k.body.Write(p) }
