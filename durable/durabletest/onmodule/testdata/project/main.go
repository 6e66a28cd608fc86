// Command hotel is the module of a project of its own.
package main

import (
	"example.com/hotel/v2/agents"
	"github.com/tributary-agents/tributary/wasm/guest"
)

func init() { guest.Serve(agents.Classes()...) }

func main() {}
