// Command wirevet is the project's own part of go vet. It reports types that are declared to travel
// between objects and cannot, and straight-line code that could not be run again.
//
//	go get -tool github.com/tributary-agents/tributary/durable/wire/cmd/wirevet
//	go tool wirevet ./...
//
// The second line is go vet with it: go vet -vettool=$(go tool -n wirevet) ./... A project's tool runs
// it with every check.
package main

import (
	"os"
	"os/exec"
	"strings"

	"github.com/tributary-agents/tributary/durable/flow/replay"
	"github.com/tributary-agents/tributary/durable/wire/travel"
	"golang.org/x/tools/go/analysis/unitchecker"
)

func main() {
	if args := os.Args[1:]; namesPackages(args) {
		os.Exit(vet(args))
	}
	unitchecker.Main(travel.Analyzer, replay.Analyzer)
}

// namesPackages tells a person's arguments from those of go vet, which are flags and a file.
func namesPackages(args []string) bool {
	return len(args) > 0 && args[0] != "help" && !strings.HasPrefix(args[0], "-") && !strings.HasSuffix(args[len(args)-1], ".cfg")
}

// vet has go vet run this program over packages, and returns the exit status.
func vet(packages []string) int {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + self}, packages...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return 1
	}
	return 0
}
