// Package unbound declares what only the analyser can refuse: when it runs, the
// type is known. It also shows that all fields of a type are named at once.
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

// Declare calls nothing: it is there to be read.
func Declare() {
	declare[int]()
	wire.NewStream[Two]("s") // want "Two.First: a channel" "Two.Second: a function"
}
