package protocol

import "strings"

// Segments returns the segments of a path, as they stand in it. It says that a text is no path if it does not begin with a
// slash, or if a segment is empty, as a doubled slash makes it, or one at the end. The front door and the object agree on
// that.
func Segments(path string) (segments []string, ok bool) {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok || rest == "" || strings.HasSuffix(rest, "/") || strings.HasPrefix(rest, "/") || strings.Contains(rest, "//") {
		return nil, false
	}
	return strings.Split(rest, "/"), true
}
