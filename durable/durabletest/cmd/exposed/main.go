// Command exposed serves the agent of the tests at http://127.0.0.1:PORT/agents/everything/x/mcp in this
// process, so that the conformance suite is run within seconds of a change: the application of
// wrangler dev (e2e/mcp/serve.ts) takes a minute to build and start.
package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/httphost"
	"github.com/tributary-agents/tributary/e2e/mcp/agents"
)

func main() {
	address := "127.0.0.1:" + strings.Join(os.Args[1:], "")
	h := httphost.New(httphost.Config{
		Engine: durabletest.NewNative(1, agents.Classes()...), Class: agents.Everything.Name, Name: "x",
		Vars: map[string]string{"TRIBUTARY_ENV": "development"}, Log: func(words string) { fmt.Fprintln(os.Stderr, words) },
	})
	fmt.Println("http://" + address + "/agents/everything/x/mcp")
	fmt.Fprintln(os.Stderr, http.ListenAndServe(address, h))
}
