package worker

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about other programs that use an agent by the Model Context Protocol: the short address of
// one object, and how a program learns where it gets a token.

const (
	// mcpPath is the short address of the object that MCPVar names, and the end of that of every object.
	mcpPath = "/mcp"
	// resourcePath begins the addresses of the documents about objects as protected resources, RFC 9728.
	resourcePath = "/.well-known/oauth-protected-resource"
)

// route returns the object that a URL is for. The short address is that of one object.
func (g *gateway) route(u *url.URL) (Address, error) {
	if u.Path == mcpPath && g.settings.MCP != "" {
		u = &url.URL{Path: "/" + Prefix + "/" + g.settings.MCP}
	}
	return g.table.Route(u)
}

// isMCP reports whether a path is that of an object for other programs.
func (g *gateway) isMCP(path string) bool {
	segments, ok := protocol.Segments(path)
	return path == mcpPath && g.settings.MCP != "" || ok && len(segments) == 4 && segments[0] == Prefix && "/"+segments[3] == mcpPath
}

// describeResource answers with which authorization servers have tokens for an object, and says whether
// the request asks that.
func (g *gateway) describeResource(w http.ResponseWriter, r *http.Request) bool {
	path, ours := strings.CutPrefix(rawPath(r.URL), resourcePath)
	if !ours || !g.isMCP(path) || len(g.settings.AuthorizationServers) == 0 || isUpgrade(r) {
		return false
	}
	if !onlyRead(w, r) {
		return true
	}
	writeJSON(w, map[string]any{
		"resource": g.origin(r) + path, "authorization_servers": g.settings.AuthorizationServers, "bearer_methods_supported": []string{"header"},
	})
	return true
}

// challenge returns what a request without a good token is told of how to get one.
func (g *gateway) challenge(r *http.Request) string {
	path := rawPath(r.URL)
	if !g.isMCP(path) || len(g.settings.AuthorizationServers) == 0 {
		return "Bearer"
	}
	return `Bearer resource_metadata="` + g.origin(r) + resourcePath + path + `"`
}

// origin returns the address of this server. Development has no certificate.
func (g *gateway) origin(r *http.Request) string {
	if g.settings.Development {
		return "http://" + r.Host
	}
	return "https://" + r.Host
}
