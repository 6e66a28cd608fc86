package mcpclient

import (
	"encoding/binary"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// NewRequest returns the id of a new request, as text for a journal. It is a whole number: some servers take no others,
// and some none of more than 31 bits, or 0.
func NewRequest(tx *durable.Tx) string {
	sum := sha256.Sum([]byte(tx.NewID()))
	return strconv.FormatUint(uint64(max(binary.LittleEndian.Uint32(sum[:4])>>1, 1)), 10)
}

// RequestID returns an id as it is sent. Journals of earlier versions have texts.
func RequestID(text string) mcp.ID {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return mcp.NumberID(n)
	}
	return mcp.TextID(text)
}
