package sim

import (
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/browser"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/mode"
)

// Subject is the deployment that is simulated.
type Subject struct {
	// Root is the class of the root. The engine knows the classes of its helpers.
	Root string
	// Engine makes an engine whose randomness comes from the seed.
	Engine func(seed uint32) durabletest.Inspector
	// Vars are variables of the deployment. They must not choose another model than the
	// simulator's.
	Vars map[string]string
	// Mounted is called with every page that a tab has loaded and its first messages. It may be nil.
	Mounted func(page *browser.Tab, messages []byte)
	// MethodCalls returns what the people of a seed call methods for, or nil if they call none. It
	// may be nil.
	MethodCalls func(seed uint32) *contract.MethodCalls
	// Own is nil for agents that are made for the simulator, see package contract. For all others it
	// is what is known of them.
	Own *mode.Own
	// Forgetful makes objects hibernate as soon as they may.
	Forgetful bool
}
