// Package wire is what objects say to each other: typed calls, and streams of
// frames. Everything is bytes (invariant I1); what the bytes are is written down
// in the README beside this file.
//
// A method is declared once, with its types, and used by both ends:
//
//	var Start = wire.NewMethod[StartRequest, StartResult]("run.start")
//
// The caller sends Start.Request(req) and reads the answer with Start.Result; the
// callee gives [Handle] a function and lets [Mux.Serve] turn bytes into bytes. A
// declaration whose types hold what cannot travel, a channel, a function, a
// reader, fails go vet with the analyser in durable/wire/travel, and panics when
// the program starts.
//
// RPC streams keep no edges and lose the reason why they ended. So a stream is a
// row of [Frame] values, each with its durable index, and says in its last frame
// how it ended. One that just stops was interrupted, see [Reader.Finished], and
// is opened again behind the last index seen.
package wire

// Version is the first thing in everything that crosses. Both ends refuse what
// another version has written.
const Version = 1
