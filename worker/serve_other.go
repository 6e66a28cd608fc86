//go:build !(js && wasm)

package worker

import "net/http"

// Serve shows the front door's answers, including its decisions, on 127.0.0.1:8786, for tests with
// curl. The real Serve is the one under GOOS=js, where a handler must not wait.
func Serve(handler http.Handler) error {
	return http.ListenAndServe("127.0.0.1:8786", Seal(handler))
}
