package mcp

import (
	"strings"
	"testing"
)

// TestSettable is the table of the headers that a client can set of a server that it adds.
func TestSettable(t *testing.T) {
	const (
		can = `authorization Authorization x-api-key X-Api-Key x_api_key api-key apikey private-token x-goog-api-key x-auth-token
			notion-version anthropic-version dd-api-key x-workspace x-mcp-toolsets user-agent x-github-token x a`
		cannot = `accept accept-encoding accept_encoding Accept-Language age cookie Cookie COOKIE cookie2 set-cookie content-type content-length
			content-encoding content_length host Host connection keep-alive te trailer transfer-encoding upgrade expect Expect via forwarded
			Forwarded x-forwarded-for X-Forwarded-For x_forwarded_for X_FORWARDED-FOR x-forwarded-host x-forwarded-proto x-forwarded
			x-forwarded-client-cert x-forwarder-for x-real-ip x_real_ip x-client-ip client-ip true-client-ip cf-connecting-ip CF-Connecting-IP
			cf_connecting_ip cf-access-jwt-assertion cf-ipcountry cf-worker cdn-loop proxy-authorization Proxy-Authorization proxy-connection
			proxy_authorization sec-fetch-site Sec-WebSocket-Key origin referer range if-match if-none-match date access-control-request-method
			x-http-method-override x-http-method x-method-override x-original-url x-original-forwarded-for x-rewrite-url x-host x-envoy-internal
			x-accel-redirect remote-user x-remote-user fastly-client-ip fly-client-ip tributary-claims tributary-link mcp-session-id mcp_session_id
			mcp-name last-event-id last_event_id upgrade-insecure-requests`
	)
	for _, name := range strings.Fields(can) {
		if !Settable(name) {
			t.Errorf("%s cannot be set", name)
		}
	}
	for _, name := range append(strings.Fields(cannot), "", " ", "a b", "x-a:", "x-a\r\nx-b", "ümlaut", ":authority", "x-"+strings.Repeat("a", 1<<10)) {
		if Settable(name) {
			t.Errorf("%.80q can be set", name)
		}
	}
}

// TestEscaped checks that nothing of a text is hidden from a person.
func TestEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"plain äöü 日本 🙂":        "plain äöü 日本 🙂",
		"two\nlines\tof it":     "two\nlines\tof it",
		"a\u202eb":              `a\u202eb`,
		"a\u200b\u2066b":        `a\u200b\u2066b`,
		"a\x00\x1b[31mb\x7f":    `a\u0000\u001b[31mb\u007f`,
		"tags \U000e0041":       `tags \udb40\udc41`,
		"more \U000e0100\ufe0f": `more \udb40\udd00\ufe0f`,
		"line\u2028end\u00ad":   `line\u2028end\u00ad`,
	} {
		if got := Escaped(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
