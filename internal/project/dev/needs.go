package dev

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"
)

// The oldest programs that do. Node's is Wrangler's.
const (
	oldestGo   = "go1.26"
	oldestNode = "v22.12.0"
)

// golang is what dev knows of Go.
type golang struct {
	Version   string `json:"GOVERSION"`
	Cache     string `json:"GOCACHE"`
	Workspace string `json:"GOWORK"`
}

// findGo asks the Go that builds the project, and refuses one that is too old.
func findGo(ctx context.Context, dir string) (golang, error) {
	var g golang
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOVERSION", "GOCACHE", "GOWORK")
	cmd.Dir = dir
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return g, errors.New("there is no go in PATH: install Go 1.26 or later")
	}
	if err != nil {
		return g, fmt.Errorf("go env: %w", explained(err))
	}
	if err := json.Unmarshal(out, &g); err != nil {
		return g, fmt.Errorf("go env: %w", err)
	}
	// A Go that was built from its repository has a version that cannot be compared.
	if version.IsValid(g.Version) && version.Compare(g.Version, oldestGo) < 0 {
		return g, fmt.Errorf("go is %s: install Go 1.26 or later", strings.TrimPrefix(g.Version, "go"))
	}
	return g, nil
}

// tools are the programs of npm that dev runs.
type tools struct{ node, wrangler string }

// findTools finds Wrangler as Node does, in the project's folder or one above, and the Node to run it
// with: the one that is installed beside it, and otherwise the one in PATH.
func findTools(ctx context.Context, dir string) (tools, error) {
	modules, err := findUp(dir, filepath.Join("node_modules", "wrangler", "bin", "wrangler.js"))
	if err != nil {
		return tools{}, errors.New("wrangler is not installed: run npm install")
	}
	t := tools{wrangler: modules}
	if t.node, err = findNode(dir); err != nil {
		return t, errors.New("there is no node in PATH: install Node 22.12 or later, or run npm install")
	}
	out, err := exec.CommandContext(ctx, t.node, "--version").Output()
	if err != nil {
		return t, fmt.Errorf("%s --version: %w", t.node, explained(err))
	}
	have := strings.TrimSpace(string(out))
	if semver.Compare(have, oldestNode) < 0 {
		return t, fmt.Errorf("node is %s: install Node 22.12 or later, or run npm install", have)
	}
	return t, nil
}

func findNode(dir string) (string, error) {
	name := "node"
	if runtime.GOOS == "windows" {
		name = "node.exe"
	}
	if path, err := findUp(dir, filepath.Join("node_modules", "node", "bin", name)); err == nil {
		return path, nil
	}
	return exec.LookPath("node")
}

// findUp returns the path of a file below a folder or one above it.
func findUp(dir, file string) (string, error) {
	for {
		path := filepath.Join(dir, file)
		_, err := os.Stat(path)
		if err == nil {
			return path, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", err
		}
		dir = up
	}
}

// findPort returns a port of a host that is free: the one that is given, and any for 0.
func findPort(host string, port int) (int, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return 0, fmt.Errorf("port %d is taken or not allowed: choose another with -port (%w)", port, err)
	}
	free := listener.Addr().(*net.TCPAddr).Port
	return free, listener.Close()
}
