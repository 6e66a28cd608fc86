package project

import (
	"errors"
	"fmt"
	"os"

	"github.com/tributary-agents/tributary/internal/project/module"
	"github.com/tributary-agents/tributary/internal/project/strip"
)

// The folder of the two Workers that fit the Free plan, in that of the build, and what it holds.
const (
	freeFolder  = "free"
	freeDoor    = "door"
	freeAgents  = "agents"
	freeEntries = ".js"
	freeConfigs = ".json"
	freeUp      = "../.." // leads from there to the project's folder
)

// writeFree writes the configurations and the entries of two Workers into a folder of the build: one
// has the front door and the page, the other the objects. Both are made from the project's
// configuration, which stays the only description.
func (p Project) writeFree() error {
	if err := p.stripAgents(); err != nil {
		return err
	}
	config, err := p.config()
	if err != nil {
		return err
	}
	door, agents, err := split(config.text)
	if err != nil {
		return fmt.Errorf("%s: %w", ConfigFile, err)
	}
	src, err := p.source()
	if err != nil {
		return err
	}
	for _, file := range []struct {
		name string
		data []byte
	}{
		{freeDoor + freeEntries, src.door()},
		{freeAgents + freeEntries, src.agents()},
		{freeDoor + freeConfigs, door},
		{freeAgents + freeConfigs, agents},
	} {
		if err := module.Put(p.path(freeFolder, file.name), file.data); err != nil {
			return err
		}
	}
	return nil
}

// freeModule is the module of the agents as the Free plan gets it, in the folder of the build.
const freeModule = freeFolder + "/" + agentsModule

// stripAgents writes the module of the agents without what only stack traces need, so that more agents fit
// the Free plan. A module of a Go that is not known is copied whole.
func (p Project) stripAgents() error {
	whole, err := os.ReadFile(p.path(agentsModule))
	if err != nil {
		return err
	}
	stripped, err := strip.Module(whole)
	if errors.Is(err, strip.ErrTables) {
		p.say("%s stays as large as it is: the tables of this version of Go are not known", freeModule)
		stripped, err = whole, nil
	}
	if err != nil {
		return err
	}
	return module.Put(p.path(freeModule), stripped)
}
