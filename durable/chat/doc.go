// Package chat is a conversation and the browsers that watch it: it accepts
// requests, lets turns speak one after the other, streams a model's answer into
// the durable log and to every tab, and brings back tabs that were away.
//
// The algorithms are those that the published client relies on, including the
// order of frames; where a line looks as if it could be simpler, the client
// breaks if it is. Its traps are tested by scripts in testdata.
package chat
