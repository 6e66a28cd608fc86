package oauth

import (
	"net/url"
	"strings"

	"github.com/tributary-agents/tributary/durable/mcp"
)

// Resource is the document of RFC 9728 about a server.
type Resource struct {
	// Resource is the identifier of the server. It is sent along with every request for a token.
	Resource string
	// Servers are the issuers of its authorization servers.
	Servers []string
	// Scopes are those that it knows, nil if it does not say it.
	Scopes []string
}

// MaxDocument bounds a document and an answer, in bytes.
const MaxDocument = 64 << 10

// maxServers is the number of authorization servers that are read.
const maxServers = 16

// ResourceURLs returns the addresses at which the document about a server may be, in the order in which
// they are tried. If the challenge names one, it is the only one.
func ResourceURLs(server string, c Challenge) []string {
	if c.Metadata != "" {
		return []string{c.Metadata}
	}
	const place = "/.well-known/oauth-protected-resource"
	origin, path := split(server)
	if path == "" {
		return []string{origin + place}
	}
	return []string{origin + place + path, origin + place}
}

// split returns a URL's origin, and its path without a slash at the end.
func split(address string) (origin, path string) {
	u, err := url.Parse(address)
	if err != nil {
		return "", ""
	}
	return u.Scheme + "://" + u.Host, strings.TrimRight(u.EscapedPath(), "/")
}

// ParseResource reads the document. Its resource must be the server itself, or a path above it.
func ParseResource(body []byte, server string, development bool) (Resource, error) {
	v, err := parse(body)
	if err != nil {
		return Resource{}, err
	}
	r := Resource{Resource: v.Get("resource").Text(), Scopes: texts(v.Get("scopes_supported"), maxScopes)}
	if !covers(r.Resource, server) {
		return Resource{}, ErrResource
	}
	for _, issuer := range texts(v.Get("authorization_servers"), maxServers) {
		if mcp.CheckURL(issuer, development) == nil {
			r.Servers = append(r.Servers, issuer)
		}
	}
	if r.Servers == nil {
		return Resource{}, ErrNoServer
	}
	return r, nil
}

// covers says whether the server is the resource, or below it.
func covers(resource, server string) bool {
	r, err := url.Parse(resource)
	if err != nil || r.Host == "" || r.Fragment != "" {
		return false
	}
	s, err := url.Parse(server)
	if err != nil || !strings.EqualFold(r.Scheme, s.Scheme) || !strings.EqualFold(host(r), host(s)) {
		return false
	}
	above, below := strings.TrimRight(r.EscapedPath(), "/"), strings.TrimRight(s.EscapedPath(), "/")
	return below == above || strings.HasPrefix(below, above+"/")
}

// host returns the host with its port.
func host(u *url.URL) string {
	port := u.Port()
	if port == "" && strings.EqualFold(u.Scheme, "https") {
		port = "443"
	}
	return u.Hostname() + ":" + port
}

func parse(body []byte) (mcp.Value, error) {
	if len(body) > MaxDocument {
		return mcp.Value{}, ErrDocument
	}
	v, err := mcp.Parse(body)
	if err != nil || !v.IsObject() {
		return mcp.Value{}, ErrDocument
	}
	return v, nil
}

// texts returns the texts of a list, nil for what is no list.
func texts(v mcp.Value, most int) []string {
	if !v.IsList() {
		return nil
	}
	list := []string{}
	for _, item := range v.Items() {
		if s := item.Text(); s != "" && len(list) < most {
			list = append(list, s)
		}
	}
	return list
}
