package web

import "strings"

// Hosts is a list of hosts, separated by commas: a name, a name with all names below it such as
// *.wikipedia.org, or * for all. A page of any other host is read only if a person allows it.
type Hosts string

// Has says whether a host is on the list.
func (h Hosts) Has(host string) bool {
	for entry := range strings.SplitSeq(strings.ToLower(string(h)), ",") {
		entry = strings.TrimSpace(entry)
		if entry == "*" || entry == host {
			return true
		}
		if above, ok := strings.CutPrefix(entry, "*."); ok && (host == above || strings.HasSuffix(host, "."+above)) {
			return true
		}
	}
	return false
}
