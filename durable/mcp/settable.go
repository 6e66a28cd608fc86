package mcp

import (
	"slices"
	"strings"
)

// This file is the rule about the headers of a server that a client of an agent has added. It is asked when the server
// is added, and for stored headers whenever they are sent.

// Settable says whether a client may set a header of a server that it adds. It may set authorization, and whatever a
// server has made up, such as x-api-key. It may not set
//
//   - what is [Reserved],
//   - what HTTP says of a connection, of a body or of a browser: connection, te, upgrade, expect, cookie, origin, accept-*,
//     content-*, sec-*, proxy-*,
//   - what a proxy says of who has sent a request, or of where it goes: forwarded, via, x-forwarded-*, x-real-ip, cf-*,
//     x-original-url, x-http-method-override. The request has the address of the agent's host, and servers believe such
//     a header of a host.
//
// An underscore counts as a hyphen, because many servers read it so.
func Settable(name string) bool {
	name = HeaderKey(name)
	return !Reserved(name) && !slices.Contains(unsettable, name) &&
		!slices.ContainsFunc(unsettableBeginnings, func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// HeaderKey returns a header's name in the form in which two names of one header are equal.
func HeaderKey(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// unsettable are headers that a client may not set, and unsettableBeginnings how others begin.
var (
	unsettable = []string{
		"age", "alt-svc", "alt-used", "client-ip", "cookie", "cookie2", "date", "dnt", "early-data", "expect", "forwarded", "host",
		"http2-settings", "keep-alive", "max-forwards", "origin", "range", "referer", "remote-addr", "remote-host", "remote-user",
		"set-cookie", "set-cookie2", "te", "trailer", "trailers", "true-client-ip", "upgrade", "upgrade-insecure-requests", "via", "warning",
		"x-client-ip", "x-host", "x-method-override", "x-real-host", "x-real-ip", "x-server-name",
	}
	unsettableBeginnings = []string{
		"accept-", "access-control-", "cdn-", "cf-", "content-", "fastly-", "fly-", "if-", "proxy-", "sec-", "tributary-", "x-accel-",
		"x-appengine-", "x-arr-", "x-azure-", "x-cluster-", "x-coming-from", "x-envoy-", "x-forward", "x-http-", "x-original-", "x-originating-",
		"x-proxy", "x-remote-", "x-rewrite-", "x-vercel-",
	}
)
