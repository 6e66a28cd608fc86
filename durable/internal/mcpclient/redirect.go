package mcpclient

import (
	"net/url"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about redirects of a server. One that has another path than its URL says, often by a slash at the end,
// redirects with the status 307 or 308, which keep method and body. That is followed once, and only within the origin of
// the URL: headers and tokens go nowhere else. Nothing of signing in is ever redirected.

func isRedirect(status int) bool { return 300 <= status && status < 400 }

// Redirected returns where a request to an address goes that was answered by a redirect, or "" if it is not followed.
func Redirected(address string, status int, location string) string {
	if status != 307 && status != 308 || location == "" || len(location) > mcp.MaxURL {
		return ""
	}
	from, err := url.Parse(address)
	if err != nil {
		return ""
	}
	to, err := from.Parse(location)
	if err != nil || to.Scheme != from.Scheme || to.Host != from.Host || to.User != nil {
		return ""
	}
	to.Fragment, to.RawFragment = "", ""
	if next := to.String(); next != address {
		return next
	}
	return ""
}

// target returns where a redirect leads, in a form that can be shown: without a query, which may have a secret.
func target(location string) string {
	to, err := url.Parse(location)
	if err != nil {
		return ""
	}
	to.User, to.RawQuery, to.Fragment = nil, "", ""
	return mcp.Quote(to.String(), maxFailure/2)
}

// At returns where requests of a server go: to its URL, or to where that redirects.
func (s *Server) At() string {
	if s.Offer.At != "" {
		return s.Offer.At
	}
	return s.URL
}

// follow makes the request of an exchange once more where the server redirects it, and says whether it does. All
// requests behind it go there at once.
func (r *Servers) follow(tx *durable.Tx, s *Server, x *exchange, e durable.FetchResponded) bool {
	next := Redirected(x.request.URL, e.Status, e.Header["location"])
	if next == "" || x.redirected {
		return false
	}
	tx.Do(durable.CancelFetch{Fetch: fetchName(s, x)})
	x.n++
	x.at, x.redirected = next, true
	r.send(tx, s, x, x.request)
	return true
}
