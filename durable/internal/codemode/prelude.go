package codemode

import (
	_ "embed"
	"encoding/json"
)

//go:embed prelude.js
var prelude string

// Prelude returns the prelude of a script that may call the tools with these names, which are those
// that its code uses.
func Prelude(names []string) string {
	if names == nil {
		names = []string{}
	}
	list, err := json.Marshal(names)
	if err != nil {
		panic("codemode: " + err.Error())
	}
	return "(" + prelude + ")(" + string(list) + ")"
}
