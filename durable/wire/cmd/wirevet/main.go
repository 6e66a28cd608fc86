// Command wirevet is the project's own part of go vet: what is declared to travel
// between objects, and cannot, fails the build, and so does straight-line code that does
// not bear being run again.
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
