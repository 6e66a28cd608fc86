// Command script is the module of the conformance kit that runs scripts.
package main

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/script"
	"github.com/tributary-agents/tributary/wasm/guest"
)

func init() {
	guest.Serve(durable.Class{Name: "Runner", New: func() durable.Object { return runner{} }})
}

func main() {}

// runner answers a request with the result of the one for scripts that is its body. It traps if its path
// says so.
type runner struct{}

// Load implements [durable.Object].
func (runner) Load() durable.Load { return durable.Load{} }

// Step implements [durable.Object].
func (runner) Step(tx *durable.Tx, event durable.Event) {
	asked, ok := event.(durable.RequestReceived)
	if !ok {
		return
	}
	if asked.URL == "/panic" {
		panic("asked to")
	}
	tx.Do(durable.Respond{Request: asked.Request, Status: 200, Body: run(asked.Body).Encode()})
}

// run runs a request. One that is malformed is given to the host as it is, which makes the module
// trap.
func run(request []byte) script.Result {
	decoded, err := script.DecodeRequest(request)
	if err != nil {
		passMalformed(string(request))
		return script.Result{}
	}
	return decoded.(interface{ Run() script.Result }).Run()
}
