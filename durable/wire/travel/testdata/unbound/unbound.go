// Package unbound declares types that only the analyser can refuse, because they are known when the
// program runs. It also shows that all faults of a type are reported at once.
package unbound

import "github.com/tributary-agents/tributary/durable/wire"

// Two has two faults.
type Two struct {
	First  chan int
	Second func()
}

func declare[T any]() wire.Method[T, string] {
	return wire.NewMethod[T, string]("m") // want "request: a type parameter is not a type yet"
}

// Declare is never called.
func Declare() {
	declare[int]()
	wire.NewStream[Two]("s") // want "Two.First: a channel" "Two.Second: a function"
}
