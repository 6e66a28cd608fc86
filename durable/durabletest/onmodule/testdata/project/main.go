// Command hotel is the module of a project of its own, and the project's tool.
package main

import (
	"example.com/hotel/v2/agents"
	"github.com/tributary-agents/tributary"
)

func init() { tributary.Serve(agents.Classes()...) }

func main() { tributary.Main() }
