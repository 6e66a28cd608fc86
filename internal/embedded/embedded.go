// Package embedded has what a project gets from this module besides Go code: the TypeScript of the
// host and the front door in one file, and the built page. The command release makes the files.
package embedded

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/internal/embedded/quickjs"
)

// Runtime is the JavaScript module that exports ModuleObject, prepare, provideEngine and serve.
//
//go:embed runtime.js
var Runtime []byte

// Page is a zip file with the files of the page.
//
//go:embed page.zip
var Page []byte

//go:embed noinline
var noinline string

//go:embed platform.json
var platform []byte

// Platform is what this release was tested with.
type Platform struct {
	CompatibilityDate string `json:"compatibility_date"`
	Wrangler          string `json:"wrangler"`
	Node              string `json:"node"`
}

// Tested returns the versions that this release was tested with.
func Tested() Platform {
	var p Platform
	if err := json.Unmarshal(platform, &p); err != nil {
		panic("embedded: platform.json: " + err.Error())
	}
	return p
}

// WithoutInlining returns the packages that are compiled without inlining. That makes the module
// smaller, and none of them measurably slower: a stream of a model's words is as fast as with it.
// With encoding/json and reflect among them the module would be 34 kB smaller, compressed, and such a
// stream 14 % slower. Patterns are those of the go command.
func WithoutInlining() []string { return strings.Fields(noinline) }

// Sum returns a short hash of everything that is embedded.
func Sum() string {
	h := sha256.New()
	for _, part := range [][]byte{Runtime, Page, quickjs.Engine, []byte(noinline), platform} {
		sum := sha256.Sum256(part)
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
