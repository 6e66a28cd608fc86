// Command tributary is the module that runs in every Durable Object: it
// registers the agents, nothing else.
package main

import (
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/wasm/guest"
)

func init() { guest.Serve(agents.Classes()...) }

func main() {}
