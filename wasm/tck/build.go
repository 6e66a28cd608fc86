package tck

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Build builds a command of this Go module for wasip1, as build.sh does, and returns the path of
// the result. A process builds each command once.
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
	noinline, err := os.ReadFile(filepath.Join(root, "wasm", "noinline"))
	if err != nil {
		return "", err
	}
	output := filepath.Join(root, "build", "tck", filepath.Base(command)+".wasm")
	scratch := fmt.Sprintf("%s.%d", output, os.Getpid())
	args := []string{"build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", scratch}
	for _, pkg := range strings.Fields(string(noinline)) {
		args = append(args, "-gcflags="+pkg+"=-l")
	}
	cmd := exec.Command("go", append(args, "./"+command)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("tck: build %s: %w\n%s", command, err, text)
	}
	return output, os.Rename(scratch, output)
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
