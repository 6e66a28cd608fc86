package project

import (
	"context"

	"github.com/tributary-agents/tributary/internal/project/dev"
)

// Dev builds the project and serves it on this machine until the context ends, and builds it again
// when a file changes. What is wrong at the start ends it, and what becomes wrong later is a build that
// fails. What follows -- is for wrangler dev.
func (p Project) Dev(ctx context.Context, args []string) error {
	tool, _, err := p.ready(ctx)
	if err != nil {
		return err
	}
	// The context would end Wrangler without the programs that it has started.
	wrangler, err := p.wrangler(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	return dev.Run(ctx, dev.Project{
		Dir: p.Dir, Main: p.Main, Workspace: tool.GOWORK, Cache: tool.GOCACHE, Out: p.Out, Wrangler: wrangler,
	}, args)
}
