package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Deploy builds and runs wrangler deploy with some arguments. Free deploys two smaller Workers in
// place of one: the objects come first, because the front door's bindings name their Worker. Both
// are given the arguments, so one that is for a single Worker is refused. A configuration or an argument
// that opens the deployment to everybody is refused before anything is built.
func (p Project) Deploy(ctx context.Context, free bool, args []string) error {
	if free {
		if err := shared(args); err != nil {
			return err
		}
	}
	if err := p.refuseOpenDeployment(args); err != nil {
		return err
	}
	if err := p.Build(ctx); err != nil {
		return err
	}
	if !free {
		if err := p.checkSize(); err != nil {
			return err
		}
		if len(configsIn(args)) == 0 { // wrangler would look for others first, such as wrangler.json
			args = append([]string{"--config", ConfigFile}, args...)
		}
		return p.deploy(ctx, args)
	}
	if err := p.writeFree(); err != nil {
		return err
	}
	if err := errors.Join(p.fitsFree("objects", freeModule, engineFile), p.fitsFree("front door", doorModule)); err != nil {
		return err
	}
	for _, part := range []string{freeAgents, freeDoor} {
		if err := p.deploy(ctx, append([]string{"-c", p.path(freeFolder, part+freeConfigs)}, args...)); err != nil {
			return err
		}
	}
	return nil
}

func (p Project) deploy(ctx context.Context, args []string) error {
	cmd, err := p.wrangler(ctx, append([]string{"deploy"}, args...)...)
	if err != nil {
		return err
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("wrangler deploy: %w", err)
	}
	return nil
}

// ofOneWorker are wrangler's options that say what one Worker is called, is made of or is reached by,
// or where its bundle is written.
var ofOneWorker = strings.Fields("-c --config -e --env --cwd --name --route --routes --domain --domains --zone --zones --zone-id " +
	"--zone-ids --triggers --schedule --schedules --assets --site --outdir --outfile --metafile")

// shared refuses an argument that cannot be for both Workers of --free.
func shared(args []string) error {
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		if len(name) > 2 && name[0] == '-' && name[1] != '-' { // its value follows, as in -cother.jsonc
			name = name[:2]
		}
		if slices.Contains(ofOneWorker, name) {
			return fmt.Errorf("deploy --free does not take %s: both Workers would be given it, and it is for one", name)
		}
	}
	return nil
}
