package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// oldestNode is the oldest version of Node that Wrangler runs on: major and minor.
var oldestNode = [2]int{22, 12}

// wrangler returns Wrangler as a command in the project's folder. Its output goes where the tool's
// does. When the context ends it is interrupted, and may clean up.
func (p Project) wrangler(ctx context.Context, args ...string) (*exec.Cmd, error) {
	script, ok := p.above("node_modules", "wrangler", "bin", "wrangler.js")
	if !ok {
		return nil, errors.New("wrangler is not installed: run npm install")
	}
	node, err := p.node(ctx)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, node, append([]string{script}, args...)...)
	cmd.Dir = p.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, p.Out, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd, nil
}

// node returns the Node that is to run Wrangler: that of the npm package of this name if it is
// installed, or else the system's.
func (p Project) node(ctx context.Context) (string, error) {
	name := "node"
	if runtime.GOOS == "windows" {
		name = "node.exe"
	}
	path, ok := p.above("node_modules", "node", "bin", name)
	if !ok {
		path, ok = p.above("node_modules", ".bin", name)
	}
	if !ok {
		var err error
		if path, err = exec.LookPath(name); err != nil {
			return "", errors.New("there is no Node: run npm install, which brings one")
		}
	}
	text, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s does not run: %w", path, err)
	}
	return path, checkNode(strings.TrimSpace(string(text)))
}

// checkNode refuses a version such as v20.1.0 that Wrangler refuses.
func checkNode(version string) error {
	var have [2]int
	for i, part := range strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3) {
		if i == len(have) {
			break
		}
		have[i], _ = strconv.Atoi(part)
	}
	if have[0] > oldestNode[0] || have[0] == oldestNode[0] && have[1] >= oldestNode[1] {
		return nil
	}
	return fmt.Errorf("this Node is %s, and wrangler needs %d.%d or newer: run npm install, which brings one",
		strings.TrimPrefix(version, "v"), oldestNode[0], oldestNode[1])
}

// above returns the path of a file in the project's folder, or in the nearest folder above it that
// has the file.
func (p Project) above(elem ...string) (string, bool) {
	for dir := p.Dir; ; dir = filepath.Dir(dir) {
		path := filepath.Join(append([]string{dir}, elem...)...)
		if _, err := os.Stat(path); err == nil {
			return path, true
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}
