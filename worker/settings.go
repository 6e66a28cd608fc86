package worker

import (
	"net/url"
	"strings"
)

// The variables that the front door reads. Two are not the Worker's own: serve.ts sets BindingsVar to
// the names of the environment's Durable Object namespaces, which are the only list of agents, and
// AboutVar to the about.json of the build.
const (
	EnvVar      = "TRIBUTARY_ENV"
	SecretVar   = "TRIBUTARY_TOKEN_SECRET"
	CORSVar     = "TRIBUTARY_CORS"
	HostsVar    = "TRIBUTARY_HOSTS"
	DevVar      = "TRIBUTARY_DEV"
	MCPVar      = "TRIBUTARY_MCP"
	AuthVar     = "TRIBUTARY_AUTHORIZATION_SERVERS"
	BindingsVar = "TRIBUTARY_BINDINGS"
	AboutVar    = "TRIBUTARY_ABOUT"
)

// Secret is a value that does not print.
type Secret string

// String returns a placeholder, so that no format verb and no log shows the value.
func (Secret) String() string { return "[secret]" }

// GoString returns the placeholder for %#v.
func (Secret) GoString() string { return "[secret]" }

// Settings are the settings of an operator.
type Settings struct {
	Development bool     // open to everybody: TRIBUTARY_ENV is exactly "development"
	Secret      Secret   // key of the tokens; without it nothing but development is let in
	CORS        string   // "" is off, "*" is any origin without credentials, else the one origin with credentials, trusted as the host's own
	Bindings    []string // names of the Durable Object bindings

	// Hosts may reach a server in development, besides localhost, 127.0.0.1 and [::1]: as its Host,
	// or as the Origin of a page. TRIBUTARY_HOSTS holds them, comma separated, such as "box.local,
	// localhost:5173". A host without a port stands for all ports.
	Hosts []string

	// MCP is the object that other programs reach at /mcp: an agent and a name, such as assistant/public, or
	// "". AuthorizationServers have tokens for programs, comma separated in the variable. They are told to a
	// program without a token; an Authorize of one's own judges what they have made.
	MCP                  string
	AuthorizationServers []string

	// About is the build's about.json, at most 64 KiB, or "": what GET /tributary.json answers. Dev is
	// the address of the event stream of the tool that watches the sources, or "". It has an effect in
	// development only.
	About, Dev string
}

// SettingsFrom reads the settings from variables, usually with os.Getenv.
func SettingsFrom(getenv func(string) string) Settings {
	return Settings{
		Development: getenv(EnvVar) == "development",
		Secret:      Secret(getenv(SecretVar)),
		CORS:        originOf(getenv(CORSVar)),
		Bindings:    list(getenv(BindingsVar)),
		Hosts:       list(strings.ToLower(getenv(HostsVar))),
		MCP:         strings.Trim(getenv(MCPVar), " /"),
		About:       aboutText(getenv),

		AuthorizationServers: list(getenv(AuthVar)),
		Dev:                  getenv(DevVar),
	}
}

// originOf reads the setting of CORS: a star, or one origin as a browser sends it. Anything else, such as a
// list, is off: no page would match it.
func originOf(value string) string {
	value = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(value)), "/")
	if value == "*" {
		return value
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.Scheme+"://"+u.Host != value || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(u.Host, ", ") {
		return ""
	}
	return value
}

// list splits a value at its commas and removes spaces.
func list(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
}
