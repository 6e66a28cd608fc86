package protocol

import (
	"encoding/base64"
	"strings"
)

// This file is about the addresses by which a person signs in to a server of an agent. The front door and the
// object both read them, so that neither lets through what the other one takes for something else.

// CallbackPath is the path to which authorization servers send people back, the same for all objects. The
// object stands in the state.
const CallbackPath = "/agents/mcp/callback"

// SignInPath returns the object whose link a path is, /agents/{agent}/{name}/mcp/authorize. Agent and name are
// raw, as in the path.
func SignInPath(path string) (agent, name string, ok bool) {
	s := strings.Split(path, "/")
	if len(s) != 6 || s[0] != "" || s[1] != "agents" || s[2] == "" || s[3] == "" || s[4] != "mcp" || s[5] != "authorize" {
		return "", "", false
	}
	return s[2], s[3], true
}

// SignInState is what an authorization server is given and sends back unchanged.
type SignInState struct {
	// Link names the link that was pressed, and the cookie of the browser that has pressed it. Secret cannot be
	// guessed.
	Link, Secret string
	// Agent and Name are the object that has sent the person on, raw.
	Agent, Name string
	// Signature is the front door's, of the object's address. It is "" in development.
	Signature string
}

// String returns the state as a text of URLs: its parts with dots between them, the object in base64.
func (s SignInState) String() string {
	return s.Link + "." + s.Secret + "." + base64.RawURLEncoding.EncodeToString([]byte(s.Agent+"/"+s.Name)) + "." + s.Signature
}

// ParseSignInState reads a state. Nothing in it was verified.
func ParseSignInState(text string) (s SignInState, ok bool) {
	parts := strings.Split(text, ".")
	if len(parts) != 4 || parts[0] == "" || parts[1] == "" {
		return s, false
	}
	object, err := base64.RawURLEncoding.DecodeString(parts[2])
	agent, name, found := strings.Cut(string(object), "/")
	if err != nil || !found || agent == "" || name == "" || strings.Contains(name, "/") {
		return s, false
	}
	return SignInState{Link: parts[0], Secret: parts[1], Agent: agent, Name: name, Signature: parts[3]}, true
}
