// Command wirevet is the project's own part of go vet. It reports types that are declared to travel
// between objects and cannot, and straight-line code that could not be run again.
//
//	go build -o build/wirevet ./durable/wire/cmd/wirevet
//	go vet -vettool=build/wirevet ./...
package main

import (
	"github.com/tributary-agents/tributary/durable/flow/replay"
	"github.com/tributary-agents/tributary/durable/wire/travel"
	"golang.org/x/tools/go/analysis/unitchecker"
)

func main() { unitchecker.Main(travel.Analyzer, replay.Analyzer) }
