// Command research has chat agents that run in Cloudflare Durable Objects.
//
// It is two programs. Compiled to WebAssembly, it is the module that runs in every object:
// init registers the agents. On your machine, main is the tool of the project:
//
//	go run . dev      serves the agents and the page, and builds again when a file changes
//	go run . test     runs every check and test
//	go run . deploy   builds and deploys
package main

import (
	"github.com/tributary-agents/tributary"

	"research/agents"
)

func init() { tributary.Serve(agents.Classes()...) }

func main() { tributary.Main() }
