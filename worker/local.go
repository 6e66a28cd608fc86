package worker

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// The refusals of a developer's server. Both texts name the variables that let a host in.
var (
	ErrForeignHost = &Refusal{
		Status: http.StatusForbidden,
		Text:   "Forbidden: in development the Host must be localhost or listed in " + HostsVar,
	}
	ErrForeignOrigin = &Refusal{
		Status: http.StatusForbidden,
		Text:   "Forbidden: in development the Origin must be the Host, or listed in " + HostsVar + " or " + CORSVar,
	}
)

// loopback are the host names of a developer's own machine.
var loopback = []string{"localhost", "127.0.0.1", "[::1]"}

// checkLocal refuses requests that another web page sends to a developer's server, which requires
// no token. A foreign Origin is a page of another site. A foreign Host is a site whose name was
// pointed at this machine after its page was loaded (DNS rebinding); the browser then treats the
// server as that page's own origin. A program sends no Origin and is let in.
func (s Settings) checkLocal(r *http.Request) error {
	host := strings.ToLower(r.Host)
	if !slices.Contains(loopback, hostname(host)) && !s.lists(host) {
		return ErrForeignHost
	}
	if !s.isOwnPage(r) {
		return ErrForeignOrigin
	}
	return nil
}

// isOwnPage reports whether a request comes from a page of its own host, of the one origin that the
// setting of CORS names or, in development, of a host that the setting lists. A request without an Origin comes from a program, or only reads what the
// page that caused it is not shown.
func (s Settings) isOwnPage(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	from, err := url.Parse(strings.ToLower(origin))
	if err != nil || from.Host == "" {
		return false
	}
	return from.Host == strings.ToLower(r.Host) || s.CORS != "" && strings.ToLower(origin) == s.CORS || s.Development && s.lists(from.Host)
}

// lists reports whether the setting lists a host: with its port, or without one for all ports.
func (s Settings) lists(host string) bool {
	return slices.Contains(s.Hosts, host) || slices.Contains(s.Hosts, hostname(host))
}

// hostname returns a host without its port.
func hostname(host string) string {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		return host
	}
	if strings.Contains(name, ":") {
		return "[" + name + "]"
	}
	return name
}
