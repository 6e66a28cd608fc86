// Command tributary is this repository's own project: the module that runs in every Durable Object,
// and the tool that builds and runs it.
package main

import (
	"github.com/tributary-agents/tributary"
	"github.com/tributary-agents/tributary/durable/agents"
)

func init() { tributary.Serve(agents.Classes()...) }

func main() { tributary.Main() }
