package project

import (
	"context"
	"fmt"
)

// Deploy builds and runs wrangler deploy with some arguments. Free deploys two smaller Workers in
// place of one: the objects come first, because the front door's bindings name their Worker.
func (p Project) Deploy(ctx context.Context, free bool, args []string) error {
	if err := p.Build(ctx); err != nil {
		return err
	}
	if !free {
		return p.deploy(ctx, args)
	}
	if err := p.writeFree(); err != nil {
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
