package oauth

import (
	"slices"
	"strings"
)

// maxScopes is the number of scopes that are read.
const maxScopes = 64

// Scopes reads a list of scopes that are separated by spaces, without repetitions. It is not nil.
func Scopes(text string) []string {
	return Union(strings.Fields(text), nil)
}

// Union returns the scopes of both lists, the first list's first, at most 64.
func Union(a, b []string) []string {
	union := []string{}
	for _, scope := range slices.Concat(a, b) {
		if isScope(scope) && !slices.Contains(union, scope) && len(union) < maxScopes {
			union = append(union, scope)
		}
	}
	return union
}

// isScope takes what RFC 6749 takes: visible characters of ASCII without " and \.
func isScope(scope string) bool {
	for _, c := range []byte(scope) {
		if c < 0x21 || c > 0x7e || c == '"' || c == '\\' {
			return false
		}
	}
	return scope != ""
}

// offlineAccess is the scope that asks for a refresh token.
const offlineAccess = "offline_access"

// Wanted returns the scopes to ask for. Those of the challenge come first. If it says nothing, and
// nothing was asked for before, they are all that the resource knows. What was asked for before is kept.
// offline_access is added if the authorization server offers it.
func Wanted(challenged, before []string, resource Resource, server AuthorizationServer) []string {
	scopes := Union(before, challenged)
	if challenged == nil && len(before) == 0 {
		scopes = Union(resource.Scopes, nil)
	}
	if slices.Contains(server.Scopes, offlineAccess) {
		scopes = Union(scopes, []string{offlineAccess})
	}
	return scopes
}
