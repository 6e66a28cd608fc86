package worker

import (
	"net/http"
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
	HeaderClaims  = "Tributary-Claims"  // what the object is told of the sender, as a header of the same name; none in development
	HeaderLink    = "Tributary-Link"    // what the object is told of the cookie of a link, as a header of the same name
	HeaderClose   = "Tributary-Close"   // accept the upgrade and close it: a code, a space and a reason; sealed, percent-encoded
	HeaderStatus  = "Tributary-Status"  // of a sealed answer, the status
	HeaderBody    = "Tributary-Body"    // of a sealed answer, the text, percent-encoded
)

// lastTime is the last time that JavaScript can represent, in milliseconds since 1970.
const lastTime = 8_640_000_000_000_000

// forward answers that the request goes to an object, until when it is authorized, and what the
// object is told of the sender.
func forward(w http.ResponseWriter, to Address, until time.Time, claims string) {
	w.Header().Set(HeaderBinding, to.Binding)
	w.Header().Set(HeaderName, to.Name)
	if !until.IsZero() {
		w.Header().Set(HeaderUntil, strconv.FormatInt(min(until.UnixMilli(), lastTime), 10))
	}
	if claims != "" {
		w.Header().Set(HeaderClaims, claims)
	}
	w.WriteHeader(http.StatusNoContent)
}

// refuse answers with a refusal. An upgrade gets a socket that is accepted and closed, because
// clients retry a failed handshake without end. Any other request is answered over HTTP.
func refuse(w http.ResponseWriter, r *http.Request, refusal *Refusal) {
	if isUpgrade(r) && !refusal.Plain {
		w.Header().Set(HeaderClose, strconv.Itoa(refusal.CloseCode())+" "+refusal.reason())
		// A browser that offered subprotocols drops a handshake that picks none, and would not see the
		// close.
		if offered := r.Header.Get("Sec-WebSocket-Protocol"); offered != "" {
			first, _, _ := strings.Cut(offered, ",")
			w.Header().Set("Sec-WebSocket-Protocol", strings.TrimSpace(first))
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if refusal.Status == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") == "" {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(refusal.Status)
	_, _ = w.Write([]byte(refusal.Text))
}

func isUpgrade(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}
