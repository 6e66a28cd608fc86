// Command script is the module of the conformance kit that runs scripts. Its objects pass the
// requests of their messages to the port for scripts, and send the results.
package main

import (
	"encoding/hex"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/script"
	"github.com/tributary-agents/tributary/wasm/guest"
)

func init() {
	guest.Serve(durable.Class{Name: "Runner", New: func() durable.Object { return runner{} }})
}

func main() {}

// runner runs the request that a binary message is. A message of text makes it trap.
type runner struct{}

// Load implements [durable.Object].
func (runner) Load() durable.Load { return durable.Load{} }

// Step implements [durable.Object].
func (runner) Step(tx *durable.Tx, event durable.Event) {
	message, ok := event.(durable.SocketMessage)
	if !ok {
		return
	}
	if !message.Binary {
		panic(message.Text)
	}
	result := run(message.Data)
	tx.Do(durable.Send{To: []durable.ConnID{message.Conn}, Text: hex.EncodeToString(result.Encode())})
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
