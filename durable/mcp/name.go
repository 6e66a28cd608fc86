package mcp

import (
	"encoding/hex"

	"github.com/tributary-agents/tributary/durable/internal/sha256"
)

// MaxIdentifier bounds the name under which a model calls a tool, in bytes.
const MaxIdentifier = 64

// shortest is the number of digits behind a name that had to be changed.
const shortest = 6

// Identifiers returns the names under which a model calls the tools of a server: the server's name and
// the tool's, of letters, digits, _ and -. Names that are too long, or that collide with each other or
// with a taken one, end in digits of a hash. Which do so does not depend on the order of the tools. The
// names of tools must differ.
func Identifiers(server string, tools []string, taken func(name string) bool) []string {
	names := make([]string, len(tools))
	count := map[string]int{}
	for i, tool := range tools {
		names[i] = letters(server + "_" + tool)
		count[names[i]]++
	}
	for i, name := range names {
		if len(name) > MaxIdentifier || count[name] > 1 || taken(name) {
			names[i] = hashed(server, tools[i], func(name string) bool { return count[name] > 0 || taken(name) })
			count[names[i]]++
		}
	}
	return names
}

// hashed takes more digits while a name is in use, because a server can choose names whose first digits
// are equal.
func hashed(server, tool string, inUse func(string) bool) string {
	sum := sha256.Sum([]byte(server + "\x00" + tool))
	digits := hex.EncodeToString(sum[:])
	plain, name := letters(server+"_"+tool), ""
	for n := shortest; n < MaxIdentifier; n += 2 {
		name = plain[:min(len(plain), MaxIdentifier-n-1)] + "_" + digits[:n]
		if !inUse(name) {
			break
		}
	}
	return name
}

// letters replaces what cannot be in an identifier.
func letters(name string) string {
	b := make([]byte, 0, len(name))
	for _, r := range name {
		if r < 0x80 && (isWord(byte(r)) || r == '-') {
			b = append(b, byte(r))
		} else {
			b = append(b, '_')
		}
	}
	return string(b)
}

func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_'
}
