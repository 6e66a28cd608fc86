//go:build !wasip1

package quickjs

import "github.com/tributary-agents/tributary/durable/script"

// A process runs many simulated worlds at a time, and each of them has a clock of its own.
func init() {
	host := New()
	host.clocks = true
	script.Host = host.Call
}
