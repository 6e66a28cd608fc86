// Package chat is a conversation and the browsers that watch it. It accepts requests, runs turns
// one after the other, and streams a model's answer into the durable log and to every tab. It
// brings tabs that were away up to date. An application uses [Class] alone.
//
// The algorithms, and the order of frames, are those that the published client relies on. Some
// lines look as if they could be simpler: the client breaks if they are. Scripts in testdata test
// these cases.
//
// README.md beside this file explains how a question is answered and how a tab joins. It also holds
// the decisions.
package chat
