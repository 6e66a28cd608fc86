// Command guest is the module that the conformance kit runs under every host:
// a class that does, on request, what a boundary must carry or survive, and one
// that lives in its facets.
package main

import "github.com/tributary-agents/tributary/wasm/guest"

func init() { guest.Serve(classes()...) }

func main() {}
