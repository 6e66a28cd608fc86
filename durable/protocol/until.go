package protocol

import (
	"strconv"
	"strings"
)

// Until names the query parameter by which the front door tells an object until when a request is authorized, in
// milliseconds since 1970. A client cannot say it: the door takes it out of what comes in.
const Until = "_until"

// AuthorizedUntil returns until when a request is authorized by its target, and whether it ends at all. A time that cannot be
// read has passed.
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
