package protocol

import "strings"

// Kebab returns the URL form of a class or binding name, exactly as the client
// makes it: consecutive capitals are not grouped, so AIAssistant is
// a-i-assistant.
func Kebab(name string) string {
	if name == strings.ToUpper(name) && name != strings.ToLower(name) {
		return strings.ReplaceAll(strings.ToLower(name), "_", "-")
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
