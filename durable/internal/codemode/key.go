package codemode

import (
	"encoding/hex"
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/internal/sha256"
)

// keyBytes is how much of the input's digest a key has.
const keyBytes = 8

// Key returns the name of the await of a call: code/{tool}#{digest of the input}. A replay in which
// the code asks for something else does not find the name in the journal.
func Key(tool string, input json.RawMessage) string {
	sum := sha256.Sum(input)
	return "code/" + tool + "#" + hex.EncodeToString(sum[:keyBytes])
}
