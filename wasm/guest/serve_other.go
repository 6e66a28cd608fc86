//go:build !wasip1

package guest

import "github.com/tributary-agents/tributary/durable"

// Serve registers the classes of a module. A main package calls it from an init function. On this
// target, which has no host, it does nothing; a test uses [NewInstance].
func Serve(...durable.Class) {}
