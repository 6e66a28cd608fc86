package project

import "fmt"

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
		if err := put(p.path(freeFolder, file.name), file.data); err != nil {
			return err
		}
	}
	return nil
}
