//go:build !wasip1

package guest

import "github.com/tributary-agents/tributary/durable"

// Serve does nothing on this target, which has no host. [NewInstance] gives access to the classes.
func Serve(...durable.Class) {}
