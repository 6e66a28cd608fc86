package tck

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/tributary-agents/tributary/internal/project/module"
)

// Build builds a command of this Go module for wasip1, as a project's build does, and returns the
// path of the result. A process builds each command once.
func Build(command string) (string, error) {
	once, _ := built.LoadOrStore(command, sync.OnceValues(func() (string, error) { return build(command) }))
	return once.(func() (string, error))()
}

var built sync.Map

func build(command string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	output := filepath.Join(root, "build", "tck", filepath.Base(command)+".wasm")
	if whole, err := module.Agents(context.Background(), root, "./"+command, output); err != nil || whole != nil {
		return "", fmt.Errorf("tck: %w", errors.Join(whole, err))
	}
	return output, nil
}

// Root returns the project's folder, at or above the working directory. It does not look for
// go.mod, because a folder of the project may have one of its own.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "wasm", "tck", "driver")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("tck: the working directory is not within the project")
		}
		dir = parent
	}
}
