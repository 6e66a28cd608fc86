// Package project is the tool of a project: it builds what a Worker consists of into the folder
// .tributary, checks it, tests it and deploys it. The project's own program is the tool, so that it
// has the classes in its hands.
package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"

	"github.com/tributary-agents/tributary/durable"
)

const (
	// framework is the path of this Go module.
	framework = "github.com/tributary-agents/tributary"
	// Folder is where a build goes, in the folder of the project.
	Folder = ".tributary"
	// ConfigFile is Wrangler's configuration, which the project owns.
	ConfigFile = "wrangler.jsonc"
	// oldestGo is the oldest version of Go that builds a project.
	oldestGo = "go1.26"
)

// Project is a folder with a Worker's configuration, and the main package of its agents.
type Project struct {
	Dir     string          // holds wrangler.jsonc
	Main    string          // import path of the main package
	Classes []durable.Class // what the main package has registered
	Out     io.Writer       // takes what the tool says
	events  string          // where pages hear of builds while the project is developed, or ""
}

// Find returns the project of the working directory and of the running program.
func Find(out io.Writer, classes []durable.Class) (Project, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Project{}, err
	}
	if _, err := os.Stat(filepath.Join(dir, ConfigFile)); err != nil {
		return Project{}, fmt.Errorf("%s has no %s: run this in the folder of the project", dir, ConfigFile)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Path == "" || info.Path == "command-line-arguments" {
		return Project{}, errors.New("this program was built from files: run its package, with go run . and not go run main.go")
	}
	if len(classes) == 0 {
		return Project{}, errors.New("no class is registered: call tributary.Serve in an init function of the main package")
	}
	return Project{Dir: dir, Main: info.Path, Classes: classes, Out: out}, nil
}

// path returns the path of a file of the build.
func (p Project) path(elem ...string) string {
	return filepath.Join(append([]string{p.Dir, Folder}, elem...)...)
}

func (p Project) say(format string, args ...any) { fmt.Fprintf(p.Out, format+"\n", args...) }

// goTool is what the go command says about itself in the project's folder.
type goTool struct{ GOCACHE, GOMOD, GOROOT, GOVERSION, GOWORK string }

// golang asks the go command, and refuses a folder without a module and a version that is too old.
func (p Project) golang(ctx context.Context) (goTool, error) {
	var tool goTool
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOCACHE", "GOMOD", "GOROOT", "GOVERSION", "GOWORK")
	cmd.Dir = p.Dir
	text, err := cmd.Output()
	if err != nil {
		return tool, fmt.Errorf("go env does not answer: install Go 1.26 or newer (%w)", err)
	}
	if err := json.Unmarshal(text, &tool); err != nil {
		return tool, fmt.Errorf("go env: %w", err)
	}
	return tool, tool.check(p.Dir)
}

func (t goTool) check(dir string) error {
	if version.IsValid(t.GOVERSION) && version.Compare(t.GOVERSION, oldestGo) < 0 {
		return fmt.Errorf("this is %s: install Go 1.26 or newer", t.GOVERSION)
	}
	if t.GOMOD == "" || t.GOMOD == os.DevNull {
		return fmt.Errorf("neither %s nor a folder above it has a go.mod: run go mod init", dir)
	}
	return nil
}
