package protocol

import (
	"strconv"
	"strings"
)

// Until names the query parameter by which the front door tells an object when a request's
// authorization ends, in milliseconds since 1970. A client cannot set it: the front door removes it
// from incoming requests.
const Until = "_until"

// AuthorizedUntil returns when the authorization of a request ends, by its target, and whether it
// ends at all. A time that cannot be read counts as past.
func AuthorizedUntil(target string) (at int64, ends bool) {
	_, query, _ := strings.Cut(target, "?")
	for query != "" {
		var part string
		part, query, _ = strings.Cut(query, "&")
		if value, ok := strings.CutPrefix(part, Until+"="); ok {
			at, _ := strconv.ParseInt(value, 10, 64)
			return at, true
		}
	}
	return 0, false
}
