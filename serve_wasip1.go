package tributary

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/guest"
)

// Serve registers the project's classes. A main package calls it once, from an init function,
// because no other Go code runs before the host calls the first export.
func Serve(classes ...durable.Class) { guest.Serve(classes...) }

// Main is the project's tool. In the module it does nothing.
func Main() {}
