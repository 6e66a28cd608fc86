package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tributary-agents/tributary/internal/embedded"
	"github.com/tributary-agents/tributary/internal/embedded/quickjs"
	"github.com/tributary-agents/tributary/internal/project/classes"
	"github.com/tributary-agents/tributary/internal/project/module"
)

// The two modules of a Worker, in the folder of the build.
const (
	agentsModule = "agents.wasm"
	doorModule   = "frontdoor.wasm"
)

// What the modules run on: both on the runtime, and the scripts of the agents in the engine, which is
// there only if the agents run scripts.
const (
	runtimeFile = "runtime.js"
	engineFile  = "quickjs.wasm"
)

// Build writes the folder .tributary. A file that would be the same is left alone, because Wrangler
// watches the files. The classes and the configuration are checked before anything is built.
func (p Project) Build(ctx context.Context) error {
	tool, config, err := p.ready(ctx)
	if err != nil {
		return err
	}
	if err := p.buildModules(ctx); err != nil {
		return err
	}
	src, err := p.source()
	if err != nil {
		return err
	}
	if err := errors.Join(p.writeFiles(tool, src), p.placeEngine(src.scripts)); err != nil {
		return err
	}
	if config.hasPage() {
		if err := unpack(embedded.Page, p.path("web"), p.events); err != nil {
			return err
		}
	}
	return module.Put(p.path(stampFile), []byte(stampOf(tool)))
}

// ready checks what can be wrong with a project before anything is built: the version of Go, the
// configuration for the classes, and a module that is there.
func (p Project) ready(ctx context.Context) (tool goTool, c config, err error) {
	if tool, err = p.golang(ctx); err != nil {
		return tool, c, err
	}
	if c, err = p.config(); err != nil {
		return tool, c, err
	}
	if err = classes.Check(c.text, p.Classes); err != nil {
		return tool, c, err
	}
	return tool, c, p.refuseForeign(stampOf(tool))
}

// buildModules builds both programs side by side, each from a package that the project's go.mod leads
// to. If the agents do not build, the front door is given up.
func (p Project) buildModules(ctx context.Context) error {
	door := framework + "/worker/cmd/frontdoor"
	if _, err := os.Stat(filepath.Join(p.Dir, "frontdoor", "main.go")); err == nil {
		door = "./frontdoor"
	}
	aside, giveUp := context.WithCancel(ctx)
	defer giveUp()
	built := make(chan error, 1)
	go func() { built <- module.FrontDoor(aside, p.Dir, door, p.path(doorModule)) }()
	whole, err := module.Agents(ctx, p.Dir, p.Main, p.path(agentsModule))
	if err == nil {
		err = checkABI(p.path(agentsModule))
	}
	if whole != nil {
		p.say("%s starts in the Worker: %v", agentsModule, whole)
	}
	if err != nil {
		giveUp()
		<-built
		return err
	}
	return <-built
}

// source returns what the files of the Workers are made of, once the modules are built.
func (p Project) source() (source, error) {
	scripts, err := runsScripts(p.path(agentsModule))
	return source{classes: p.Classes, scripts: scripts}, err
}

// placeEngine writes the engine of scripts, or removes that of an earlier build if none is wanted.
func (p Project) placeEngine(wanted bool) error {
	if wanted {
		return module.Put(p.path(engineFile), quickjs.Engine)
	}
	if err := os.Remove(p.path(engineFile)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// writeFiles writes the Worker's own files, and what they import.
func (p Project) writeFiles(tool goTool, src source) error {
	glue, err := os.ReadFile(filepath.Join(tool.GOROOT, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return fmt.Errorf("this Go lacks a file: %w", err)
	}
	said, err := introduction(p.Classes)
	if err != nil {
		return err
	}
	for _, file := range []struct {
		name string
		data []byte
	}{
		{"wasm_exec.js", glue},
		{runtimeFile, embedded.Runtime},
		{"about.json", said},
		{"worker.js", src.whole()},
	} {
		if err := module.Put(p.path(file.name), file.data); err != nil {
			return err
		}
	}
	return nil
}
