// Package refused declares what cannot travel. The analyser refuses each declaration with the text
// of its comment, and the declaration panics with the same text when it runs.
package refused

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/tributary-agents/tributary/durable/wire"
)

type (
	none struct{}

	Options struct {
		Retries int
		OnDone  func()
	}
	StartRequest struct{ Options Options }
	Channel      struct{ Done <-chan none }
	Deep         struct{ Rows map[string][]*Channel }
	Reader       struct{ Body io.ReadCloser }
	Anything     struct{ Value any }
	Failure      struct{ Err error }
	Raw          struct{ At unsafe.Pointer }
	Number       struct{ At uintptr }
	Wave         struct{ Amplitude complex128 }
	Guarded      struct {
		mu   sync.Mutex
		Rows []string
	}
	Counted struct{ N *atomic.Int64 }
	Hidden  struct{ rows []string }
	Node    struct {
		Value int
		Next  *Node
	}
	Tree  struct{ Children []Tree }
	Flags struct{ By map[bool]string }
	Times struct{ By map[time.Time]string }
	Maybe struct{ Rows *[]string }
	Twice struct {
		Name  string
		Title string `msgpack:"Name"`
	}
	Stamped struct {
		time.Time
		Note string
	}
	Half   struct{ state int }
	Page[T any] struct{ Items []T }
)

// MarshalText is one half of a codec. One half alone does not count.
func (h Half) MarshalText() ([]byte, error) { return nil, errors.ErrUnsupported }

// Declarations are the declarations that must be refused, in the order of the lines.
var Declarations = []func(){
	func() { wire.NewMethod[StartRequest, none]("m") },          // want "StartRequest.Options.OnDone: a function cannot travel between objects"
	func() { wire.NewMethod[none, StartRequest]("m") },          // want "StartRequest.Options.OnDone: a function"
	func() { wire.NewStream[Channel]("s") },                     // want "Channel.Done: a channel cannot travel between objects"
	func() { wire.NewMethod[Deep, none]("m") },                  // want `Deep.Rows\[\]\[\].Done: a channel`
	func() { wire.NewMethod[chan int, none]("m") },              // want "request: a channel"
	func() { wire.NewMethod[none, *Channel]("m") },              // want "result.Done: a channel"
	func() { wire.NewMethod[none, func()]("m") },                // want "result: a function"
	func() { wire.NewMethod[struct{ F func() }, none]("m") },    // want "request.F: a function"
	func() { wire.NewMethod[Reader, none]("m") },                // want "Reader.Body: a reader cannot travel between objects: declare a stream"
	func() { wire.NewMethod[io.Reader, none]("m") },             // want "Reader: a reader"
	func() { wire.NewMethod[Anything, none]("m") },              // want "Anything.Value: an interface cannot travel between objects"
	func() { wire.NewMethod[Failure, none]("m") },               // want "Failure.Err: an interface"
	func() { wire.NewMethod[Raw, none]("m") },                   // want "Raw.At: an address cannot travel between objects"
	func() { wire.NewMethod[unsafe.Pointer, none]("m") },        // want "Pointer: an address"
	func() { wire.NewMethod[Number, none]("m") },                // want "Number.At: an address"
	func() { wire.NewMethod[Wave, none]("m") },                  // want "Wave.Amplitude: a complex number cannot travel between objects"
	func() { wire.NewMethod[Guarded, none]("m") },               // want "Guarded.mu: a lock cannot travel between objects"
	func() { wire.NewMethod[Counted, none]("m") },               // want "Counted.N: a lock"
	func() { wire.NewMethod[Hidden, none]("m") },                // want "Hidden.rows: an unexported field would be lost"
	func() { wire.NewMethod[Node, none]("m") },                  // want "Node.Next: a type that holds itself cannot travel"
	func() { wire.NewMethod[Tree, none]("m") },                  // want `Tree.Children\[\]: a type that holds itself`
	func() { wire.NewMethod[Flags, none]("m") },                 // want "Flags.By: a map's key must be a text or a whole number"
	func() { wire.NewMethod[Times, none]("m") },                 // want "Times.By: a map's key"
	func() { wire.NewMethod[Maybe, none]("m") },                 // want "Maybe.Rows: a pointer to what can be nil itself"
	func() { wire.NewMethod[Twice, none]("m") },                 // want "Twice.Title: another field has this name on the wire"
	func() { wire.NewMethod[Stamped, none]("m") },               // want "Stamped.Time: an embedded type with a codec would speak for the whole struct"
	func() { wire.NewMethod[Half, none]("m") },                  // want "Half.state: an unexported field"
	func() { wire.NewMethod[Page[Channel], none]("m") },         // want `Page.Items\[\].Done: a channel`
	func() { wire.NewMethod[struct{ Uses sync.Once }, none]("m") }, // want "request.Uses: a lock"
}

var (
	_ = Guarded{}.mu
	_ = Hidden{}.rows
	_ = Half{}.state
)
