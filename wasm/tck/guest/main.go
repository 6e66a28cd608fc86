// Command guest is the module that the conformance kit runs under every host. It has a class that
// does, on request, everything that the boundary must carry or survive, and a class for its facets.
package main

import "github.com/tributary-agents/tributary/wasm/guest"

func init() { guest.Serve(classes()...) }

func main() {}
