//go:build !(js && wasm)

package worker

import "net/http"

// Serve shows the front door's answers, decisions included, on 127.0.0.1:8786, for a look with curl. Under GOOS=js it is
// the real one, and a handler must not wait there.
func Serve(handler http.Handler) error {
	return http.ListenAndServe("127.0.0.1:8786", Seal(handler))
}
