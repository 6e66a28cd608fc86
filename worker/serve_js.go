//go:build js && wasm

package worker

import (
	"net/http"

	"github.com/syumai/workers"
)

// Serve answers the requests that JavaScript hands in, for as long as the instance lives; it does not return.
//
// The instance outlives a request, so nothing may pass from one to the next: a handler must not wait, sleep, fetch or
// start a goroutine that does. frontdoor.ts enforces it: a call that has not answered when it returns is an error, and
// costs the instance.
func Serve(handler http.Handler) error {
	workers.ServeNonBlock(Seal(handler))
	workers.Ready()
	select {}
}
