//go:build js && wasm

package worker

import (
	"net/http"

	"github.com/syumai/workers"
)

// Serve answers the requests that JavaScript passes in, for as long as the instance lives. It does
// not return.
//
// The instance outlives a request, so nothing may pass from one request to the next: a handler must
// not wait, sleep, fetch or start a goroutine that does. frontdoor.ts enforces it: a call that
// returns without an answer is an error, and the instance is discarded.
func Serve(handler http.Handler) error {
	workers.ServeNonBlock(Seal(handler))
	workers.Ready()
	select {}
}
