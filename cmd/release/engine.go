package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tributary-agents/tributary/wasm/quickjs/meter"
)

// published is the SHA-256 of the engine in version 3.6.2 of the npm package quickjs-wasi.
const published = "d4c9375f2b1ca4dc95f72c8aa2982a7a9951ac8011490d79c6582df732b4bbd9"

// engineLimits hold the memory of the engine to 32 MiB, and its frames to what fits into the stack that V8
// has: 984 KiB, of which its callers need a part.
var engineLimits = meter.Limits{Pages: 32 << 20 >> 16, Stack: 736 << 10}

// engine returns the JavaScript engine with its countdowns. A new version of it needs a new hash in
// durable/script as well, which the tests of wasm/quickjs compare.
func engine(root string) ([]byte, error) {
	module, err := os.ReadFile(filepath.Join(root, "node_modules", "quickjs-wasi", "quickjs.wasm"))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(module); hex.EncodeToString(sum[:]) != published {
		return nil, fmt.Errorf("the engine in node_modules has the SHA-256 %x, want %s", sum, published)
	}
	return meter.Module(module, engineLimits)
}
