package mcp

import "slices"

// The versions of the protocol that are spoken.
const (
	// Version is the modern one: each request says everything about itself.
	Version = "2026-07-28"
	// LegacyVersion is the latest one that begins with a handshake.
	LegacyVersion = "2025-11-25"
)

// versions are all versions that are spoken, the best first. The older ones differ from LegacyVersion
// in what they leave out.
var versions = []string{Version, LegacyVersion, "2025-06-18", "2025-03-26"}

// Versions returns the versions that are spoken, the best first. The caller owns the list.
func Versions() []string { return slices.Clone(versions) }

// Modern says whether a version has no handshake. Versions are dates, so they are compared as text.
func Modern(version string) bool { return version >= Version }

// Choose returns the best version that is spoken here and offered there, or "".
func Choose(offered []string) string {
	for _, v := range versions {
		if slices.Contains(offered, v) {
			return v
		}
	}
	return ""
}

// AnswerHandshake returns the version in which a server answers an [Initialize] that asks for one: the
// same if it is spoken, and otherwise the latest that has a handshake.
func AnswerHandshake(asked string) string {
	if !Modern(asked) && slices.Contains(versions, asked) {
		return asked
	}
	return LegacyVersion
}
