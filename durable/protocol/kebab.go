package protocol

import "strings"

// Kebab returns the URL form of a class or binding name, exactly as the client
// makes it: consecutive capitals are not grouped, so AIAssistant is
// a-i-assistant.
func Kebab(name string) string {
	upper, lower := strings.ToUpper(name), strings.ToLower(name)
	if name == upper && name != lower {
		return strings.ReplaceAll(lower, "_", "-")
	}
	var b strings.Builder
	for _, r := range name {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	s := strings.TrimPrefix(b.String(), "-")
	return strings.TrimSuffix(strings.ReplaceAll(s, "_", "-"), "-")
}
