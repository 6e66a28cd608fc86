// Package mcp is the Model Context Protocol as plain values: its messages in both directions, its HTTP
// requests and headers, and what an agent checks before it believes a server. It does no I/O. A client
// turns a [Call] into a [Request] and feeds the response to a [Reader]. A server gives a [Post] to
// [Receive], and encodes a [Result].
//
// Two eras are spoken. The modern one is [Version], in which each request stands alone. The legacy one
// is [LegacyVersion], which begins with a handshake and may have a session.
//
// Nothing that a server says is trusted. What is read is bounded by [MaxValues], [MaxDepth] and
// [MaxMessage], and a [Catalogue] leaves out the tools that it cannot take. A server's hints about its
// tools are only shown.
package mcp
