//go:build js && wasm

package worker

import "syscall/js"

// handedAbout is the text that frontdoor.ts hands over beside the environment, which holds 8 kB in
// all. It is there during initialisation only.
var handedAbout = js.Global().Get("context").Get("about")

// aboutText returns the build's about.json.
func aboutText(func(string) string) string {
	if handedAbout.Type() != js.TypeString {
		return ""
	}
	return handedAbout.String()
}
