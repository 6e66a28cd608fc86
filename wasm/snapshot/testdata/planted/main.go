// Command planted is a module whose start does what a build tag names.
package main

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/guest"
)

// object is one that does nothing.
type object struct{}

// Step implements [durable.Object].
func (object) Step(tx *durable.Tx, event durable.Event) {
	if m, ok := event.(durable.SocketMessage); ok {
		tx.Do(durable.Send{To: []durable.ConnID{m.Conn}, Text: drawn()})
	}
}

// Load implements [durable.Object].
func (object) Load() durable.Load { return durable.Load{} }

// table is filled at the start, so its keys are hashed then.
var table = map[string]int{}

// drawn tells what the runtime has drawn: numbers, and the seeds of two hash tables.
func drawn() string {
	seed := maphash.MakeSeed()
	order := ""
	large := map[int]bool{}
	for i := range 100 {
		large[i] = true
	}
	for i := range large {
		order += fmt.Sprint(i, ",")
	}
	return fmt.Sprint(rand.Uint64(), " ", maphash.String(seed, "a"), " ", order, " ", table["key 77"])
}

func init() {
	for i := range 100 {
		table[fmt.Sprint("key ", i)] = i
	}
	guest.Serve(durable.Class{Name: "Planted", New: func() durable.Object { return object{} }})
}

func main() {}
