package worker

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// lastTime is the last time that JavaScript can represent, in milliseconds since 1970.
const lastTime = 8_640_000_000_000_000

// stamp returns a query that tells the object until when its request is authorized, by
// [protocol.Until]. It removes a client's own value of that parameter. The rest of the query stays
// unchanged.
func stamp(query string, until time.Time) string {
	parts := slices.DeleteFunc(strings.Split(query, "&"), isStamp)
	if !until.IsZero() {
		parts = append(parts, protocol.Until+"="+strconv.FormatInt(min(until.UnixMilli(), lastTime), 10))
	}
	return strings.TrimPrefix(strings.Join(parts, "&"), "&")
}

// isStamp reports whether a part of a query has the name [protocol.Until], however it is escaped.
func isStamp(part string) bool {
	name, _, _ := strings.Cut(part, "=")
	decoded, err := url.QueryUnescape(name)
	return err == nil && decoded == protocol.Until
}
