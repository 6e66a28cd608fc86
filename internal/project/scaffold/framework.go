package scaffold

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/modfile"
)

// Framework is the Tributary that a project requires: a version that can be fetched, or the source
// in a folder.
type Framework struct {
	// Version and Sum are a published version and the checksum of its files, as in go.sum.
	Version, Sum string
	// Checkout is the absolute path of the source's folder, or "" for a published version.
	Checkout string
}

// Running returns the Tributary that this program is built from.
func Running() (Framework, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		if m := moduleOf(info); m.Sum != "" {
			return Framework{Version: m.Version, Sum: m.Sum}, nil
		}
	}
	dir, err := checkout()
	return Framework{Version: "v0.0.0", Checkout: dir}, err
}

// moduleOf returns the framework's module in a program. It has a checksum if its files were fetched:
// a build in a checkout may have a version too, which the go command makes up.
func moduleOf(info *debug.BuildInfo) debug.Module {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == framework && m.Replace == nil {
			return *m
		}
	}
	return debug.Module{}
}

// checkout returns the folder of the source that this program is built from. With -trimpath the
// program does not know it, and the go command is asked for the module that is around.
func checkout() (string, error) {
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		if dir := filepath.Join(filepath.Dir(file), "..", "..", ".."); isCheckout(dir) {
			return dir, nil
		}
	}
	if out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", framework).Output(); err == nil {
		if dir := strings.TrimSpace(string(out)); isCheckout(dir) {
			return dir, nil
		}
	}
	return "", errors.New("this program is no published version and does not find its source: run it in the folder of Tributary's source")
}

// isCheckout says whether a folder holds the framework's source.
func isCheckout(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && modfile.ModulePath(text) == framework
}

// replacement returns what the go.mod of a project says in place of a version: the path of the
// checkout. The path is relative if the project is inside of the checkout, since both move together.
func replacement(project, checkout string) (string, error) {
	// The project may not exist yet, so the links of its parent are followed.
	parent, err := filepath.EvalSymlinks(filepath.Dir(project))
	if err != nil {
		return "", err
	}
	source, err := filepath.EvalSymlinks(checkout)
	if err != nil {
		return "", err
	}
	path := filepath.Join(parent, filepath.Base(project))
	if inside, err := filepath.Rel(source, path); err == nil && filepath.IsLocal(inside) && inside != "." {
		up, err := filepath.Rel(path, source)
		if err != nil {
			return "", err
		}
		return filepath.ToSlash(up), nil
	}
	if strings.ContainsAny(checkout, "\n\r") {
		return "", fmt.Errorf("the path %q cannot stand in a go.mod: move the folder", checkout)
	}
	return modfile.AutoQuote(checkout), nil
}
