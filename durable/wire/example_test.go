package wire_test

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable/wire"
)

// A method's request, its result, and its declaration: caller and callee share only these.
type (
	CancelRequest struct{ Run, Reason string }
	CancelResult  struct{ Status string }
)

var Cancel = wire.NewMethod[CancelRequest, CancelResult]("run.cancel")

// helper stands for the callee's object.
type helper struct{ running map[string]bool }

func Example() {
	var mux wire.Mux[*helper]
	wire.Handle(&mux, Cancel, func(h *helper, req CancelRequest) (CancelResult, error) {
		if !h.running[req.Run] {
			return CancelResult{}, &wire.Error{Code: wire.CodeRefused, Message: "no such run"}
		}
		delete(h.running, req.Run)
		return CancelResult{Status: "aborted: " + req.Reason}, nil
	})

	callee := &helper{running: map[string]bool{"run-1": true}}
	for range 2 {
		request := Cancel.Request(CancelRequest{Run: "run-1", Reason: "the user said stop"})
		answer := mux.Serve(callee, request) // the bytes that the caller gets
		result, err := Cancel.Result(answer)
		fmt.Printf("%+v, refused: %t\n", result, errors.Is(err, wire.CodeRefused))
	}
	// Output:
	// {Status:aborted: the user said stop}, refused: false
	// {Status:}, refused: true
}

func ExampleReader() {
	stream := wire.AppendStart(nil)
	stream = wire.AppendFrame(stream, wire.Frame{Kind: wire.KindChunk, Index: 41, Body: []byte("a piece")})
	stream = wire.AppendFrame(stream, wire.Frame{Kind: wire.KindEnd, Index: 42, Body: []byte("the outcome")})

	var r wire.Reader
	for _, part := range [][]byte{stream[:9], stream[9:20], stream[20:]} {
		frames, err := r.Feed(part)
		for _, f := range frames {
			fmt.Printf("%s %d %s\n", f.Kind, f.Index, f.Body)
		}
		fmt.Println(r.Finished(), err)
	}
	// Output:
	// false <nil>
	// chunk 41 a piece
	// false <nil>
	// end 42 the outcome
	// true <nil>
}
