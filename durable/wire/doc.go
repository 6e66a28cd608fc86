// Package wire is how objects talk to each other: typed calls, and streams of frames. Everything
// crosses as bytes (invariant I1). The README beside this file defines the bytes.
//
// A method is declared once, with its types, and used by both ends:
//
//	var Cancel = wire.NewMethod[CancelRequest, CancelResult]("run.cancel")
//
// The caller sends Cancel.Request(req) and reads the answer with Cancel.Result. The callee registers
// a function with [Handle], and [Mux.Serve] turns bytes into bytes. Some types cannot cross: a
// channel, a function, a reader. The analyser in durable/wire/travel reports a declaration with
// such a type as part of go vet, and the program panics when it starts.
//
// RPC streams do not preserve message boundaries, nor the reason of their end. So a stream is a
// sequence of [Frame] values, each with its durable index, and its last frame says how it ended. A
// stream that stops without that frame was interrupted, see [Reader.Finished], and is opened again
// behind the last index seen.
package wire

// Version is the first thing in everything that crosses. Both ends refuse what
// another version has written.
const Version = 1
