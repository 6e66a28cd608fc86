// Command wirevet is the project's own part of go vet. It reports types that are declared to travel
// between objects and cannot, and straight-line code that could not be run again.
//
//	go get -tool github.com/tributary-agents/tributary/durable/wire/cmd/wirevet
//	go vet -vettool=$(go tool -n wirevet) ./...
//
// A project's tool does the second with every check.
package main

import (
	"github.com/tributary-agents/tributary/durable/flow/replay"
	"github.com/tributary-agents/tributary/durable/wire/travel"
	"golang.org/x/tools/go/analysis/unitchecker"
)

func main() { unitchecker.Main(travel.Analyzer, replay.Analyzer) }
