//go:build !wasip1

package guest

import "github.com/tributary-agents/tributary/durable"

// Serve does nothing on this target, which has no host; the classes can be used
// through [NewInstance].
func Serve(...durable.Class) {}
