package contract

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// The servers of the Model Context Protocol that a root and its envoys use, see [MethodCalls.Servers].
const (
	// Library is a server of the newest version.
	Library = "library"
	// Archive is one of an older version, with sessions.
	Archive = "archive"
	// Bazaar is of the newest version too. What it says of its tools changes.
	Bazaar = "bazaar"
	// Vault is of the newest version, and people have to sign in at [LoginServer] before they can use it. Envoys
	// do not use it.
	Vault = "vault"
)

// Servers are their names.
var Servers = []string{Library, Archive, Bazaar, Vault}

// LoginServer is the authorization server of [Vault], and VaultDocument is where the vault says so.
const (
	LoginServer   = "https://login.test"
	VaultDocument = "https://" + Vault + ".mcp.test/.well-known/oauth-protected-resource/mcp"
)

// ToLogin says whether a request goes to the authorization server, to the document that names it, or to where the
// authorization server would be if no document named it.
func ToLogin(f durable.Fetch) bool {
	return strings.HasPrefix(f.URL, LoginServer+"/") || strings.HasPrefix(f.URL, "https://"+Vault+".mcp.test/") && f.URL != ServerURL(Vault)
}

// The scopes of tokens for [Vault]. Its tool [NoteDown] needs both.
const (
	ReadScope  = "read"
	WriteScope = "write"
)

// VaultChallenge is the header www-authenticate with which the vault refuses a request.
func VaultChallenge(scope string) string {
	words := "Bearer resource_metadata=\"" + VaultDocument + "\", scope=\"" + scope + "\""
	if scope == WriteScope {
		words += ", error=\"insufficient_scope\""
	}
	return words
}

// serverDomain is behind the name of each server.
const serverDomain = ".mcp.test/mcp"

// ServerURL is the address of a server.
func ServerURL(name string) string { return "https://" + name + serverDomain }

// ServerOf returns the server that a request goes to, if it goes to one.
func ServerOf(f durable.Fetch) (name string, ok bool) {
	name, ok = strings.CutSuffix(strings.TrimPrefix(f.URL, "https://"), serverDomain)
	return name, ok && slices.Contains(Servers, name)
}

// TokenMark is in every token for a server, in every code and in every secret of a client, and nowhere else.
const TokenMark = "kept-secret-9f3b"

// ServerToken is what a server other than [Vault] wants in the header authorization.
func ServerToken(name string) string { return "Bearer " + TokenMark + "-of-" + name }

// The tools of servers. Each takes a text.
const (
	// Look only reads, and Keep says that a second call changes nothing.
	Look = "look"
	Keep = "keep"
	// NoteDown has an effect that must not happen twice.
	NoteDown = "note_down"
	// Reserve asks a person before it has its effect, and Slow answers with a task.
	Reserve = "reserve"
	Slow    = "slow"
)

// ServerTools are their names.
var ServerTools = []string{Look, Keep, NoteDown, Reserve, Slow}

// Repeatable says whether a server says that a tool can be called twice.
func Repeatable(tool string) bool { return tool == Look || tool == Keep }

// IsServed says whether a tool of the root is one of a server, or sends a helper to servers.
func IsServed(tool string) bool {
	server, _, _ := strings.Cut(tool, "_")
	return Sends(tool) || slices.Contains(Servers, server)
}

// Sends says whether a tool of the root sends a helper to servers.
func Sends(tool string) bool { return tool == SendEnvoy || tool == SendDelegate || tool == SendAttache }

// Served is what a tool of a server returns for a text.
func Served(tool, text string) string { return "the " + tool + " of " + text }

// SendEnvoy is the tool of the root whose helper, an [EnvoyClass], calls servers from a program.
const (
	SendEnvoy  = "send_envoy"
	EnvoyClass = "Envoy"
)

// The tools of the root whose helpers call the servers of the root, through the root. A [DelegateClass] runs
// a program, which may send an [AideClass] on to do the same. The model of an [AttacheClass] calls them.
const (
	SendDelegate  = "send_delegate"
	DelegateClass = "Delegate"
	AideClass     = "Aide"
	SendAttache   = "send_attache"
	AttacheClass  = "Attache"
)

// AsksAbove says whether the helpers of a class call servers through the root.
func AsksAbove(class string) bool {
	return class == DelegateClass || class == AideClass || class == AttacheClass
}

// ServerCall is a call of a server by a [DelegateClass] or an [AideClass], and what it was told: the text of
// a result, or an error.
type ServerCall struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
	Text   string `json:"text"`
	Said   string `json:"said,omitempty"`
	Failed string `json:"failed,omitempty"`
}

// The tools that programs call, and nobody else.
const (
	// Quick answers at once.
	Quick = "quick"
	// Etch takes some seconds, and stamps something.
	Etch = "etch"
	// Choose asks a person, and stamps something.
	Choose = "choose"
	// Grant stamps something if a person approves that.
	Grant = "grant"
)

// ProgramTools are their names, in order.
var ProgramTools = []string{Choose, Etch, Grant, Quick}

// ForPrograms says whether a tool is there for programs.
func ForPrograms(tool string) bool { return slices.Contains(ProgramTools, tool) }

// Hasted is the result of [Quick] for a query.
func Hasted(query string) string { return "quickly " + query }
