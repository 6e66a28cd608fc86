//go:build !(js && wasm)

package worker

// aboutText returns the build's about.json.
func aboutText(getenv func(string) string) string { return getenv(AboutVar) }
