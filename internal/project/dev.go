package project

import (
	"context"
	"flag"
	"fmt"
	"strconv"
)

// Dev builds the project and serves it on this machine until the context ends. What follows -- is
// for wrangler dev.
func (p Project) Dev(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("dev", flag.ContinueOnError)
	port := flags.Int("port", 8787, "the port of the page and the agents")
	state := flags.String("state", ".wrangler/state", "the folder that keeps the objects' storage")
	if err := parse(flags, args); err != nil {
		return err
	}
	if err := p.Build(ctx); err != nil {
		return err
	}
	cmd, err := p.wrangler(ctx, append([]string{
		"dev", "--ip", "127.0.0.1", "--port", strconv.Itoa(*port),
		"--inspector-port", "0", "--persist-to", *state, "--var", "TRIBUTARY_ENV:development",
	}, flags.Args()...)...)
	if err != nil {
		return err
	}
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("wrangler dev: %w", err)
	}
	return nil
}
