// Command chat is the module in which the scripts of durable/chat run under every
// host.
package main

import (
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/wasm/guest"
)

func init() { guest.Serve(chattest.Classes()...) }

func main() {}
