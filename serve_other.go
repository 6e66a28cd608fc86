//go:build !wasip1

package tributary

import (
	"os"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/internal/project"
)

var served []durable.Class

// Serve registers the project's classes. A main package calls it once, from an init function,
// because no other Go code runs before the host calls the first export.
func Serve(classes ...durable.Class) { served = append(served, classes...) }

// Main is the project's tool. It runs the command in the program's arguments, and exits.
func Main() { os.Exit(project.Command(os.Args[1:], served...)) }
