// Package module builds Go programs to WebAssembly, the only way in which this project does.
package module

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/tributary-agents/tributary/internal/embedded"
)

// Agents builds a main package that registers classes, for the host: a reactor for wasip1 that has started
// already. The package is named as the go command names it in a folder. A file that is there already is
// left alone if it has the same bytes. What the linker has left is in a folder beside the output, see
// [Linked]. If there is no snapshot of it, whole says why.
func Agents(ctx context.Context, dir, pkg, output string) (whole error, err error) {
	if err := build(ctx, dir, "wasip1", pkg, Linked(output), AgentFlags()...); err != nil {
		return nil, err
	}
	return Start(ctx, Linked(output), output)
}

// AgentFlags returns the flags of go build for such a package, besides its name and the output.
func AgentFlags() []string {
	flags := append(slices.Clone(common), "-buildmode=c-shared")
	for _, p := range embedded.WithoutInlining() {
		flags = append(flags, "-gcflags="+p+"=-l")
	}
	return flags
}

// common are the flags of all programs. Without the stamp of version control the same sources give the
// same bytes, in a folder of Git too.
var common = []string{"-trimpath", "-buildvcs=false", "-ldflags=-s -w"}

// FrontDoor builds a front door, for JavaScript.
func FrontDoor(ctx context.Context, dir, pkg, output string) error {
	if err := build(ctx, dir, "js", pkg, Linked(output), common...); err != nil {
		return err
	}
	return Merge(Linked(output), output)
}

func build(ctx context.Context, dir, target, pkg, output string, flags ...string) error {
	output, err := filepath.Abs(output)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(output), 0o755); err != nil {
		return err
	}
	scratch := fmt.Sprintf("%s.%d", output, os.Getpid())
	defer os.Remove(scratch)
	if err := reuse(output, scratch); err != nil {
		return err
	}
	args := append([]string{"build", "-o", scratch}, flags...)
	cmd := Go(ctx, dir, append(args, pkg)...)
	cmd.Env = append(cmd.Environ(), "GOOS="+target, "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		return &Error{Package: pkg, Output: string(bytes.TrimSpace(text)), Err: err}
	}
	if same(scratch, output) {
		return nil
	}
	return os.Rename(scratch, output)
}

// Go returns the go command in a folder. When the context ends it is interrupted, so that it removes its
// temporary folder, and is killed if it goes on.
func Go(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	return cmd
}

// patience is how long the go command may take to end.
const patience = 10 * time.Second

// Error says that a program does not build, with the output of the compiler.
type Error struct {
	Package, Output string
	Err             error
}

// Error implements [error].
func (e *Error) Error() string {
	return fmt.Sprintf("%s does not build: %v\n%s", e.Package, e.Err, e.Output)
}

// Unwrap returns the error of the go command.
func (e *Error) Unwrap() error { return e.Err }

// reuse puts the last build where the next one is written. The go command knows by an id in the file
// that it is up to date, and then does not link, which takes longer than all else.
func reuse(last, next string) error {
	data, err := os.ReadFile(last)
	if err != nil || !bytes.HasPrefix(data, []byte("\x00asm")) { // no build yet, or none of ours: it would be refused
		return nil
	}
	return os.WriteFile(next, data, 0o755)
}

// same says whether two files exist and have the same bytes.
func same(a, b string) bool {
	one, err := os.ReadFile(a)
	if err != nil {
		return false
	}
	other, err := os.ReadFile(b)
	return err == nil && bytes.Equal(one, other)
}
