package limit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsID says whether a text can be an id: at least one byte and at most most, in UTF-8, without the
// character 0, at which SQLite would cut it.
func IsID(id string, most int) bool {
	return id != "" && len(id) <= most && utf8.ValidString(id) && !strings.ContainsRune(id, 0)
}

// IsName says whether a text is an id of at most most bytes that has no control character.
func IsName(name string, most int) bool {
	return IsID(name, most) && !strings.ContainsFunc(name, unicode.IsControl)
}
