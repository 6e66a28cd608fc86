package project

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/internal/project/classes"
	"github.com/tributary-agents/tributary/internal/project/module"
)

// Check compares the classes with the configuration, refuses one that opens a deployment to everybody or
// has secrets that agents would be told, looks at the size of a build that is there, and has go vet read
// the project's packages. It fails if something would not work. It only says what is
// older than what this version was tested with, and writes nothing. If all is well it says nothing.
func (p Project) Check(ctx context.Context) error {
	tool, err := p.golang(ctx)
	if err != nil {
		return err
	}
	config, err := p.config()
	if err != nil {
		return err
	}
	errs := []error{classes.Check(config.text, p.Classes), refuseOpen(ConfigFile, config.text), refuseUnnamed(config.text), p.checkDeployed(config)}
	switch stamp, have := stampOf(tool), p.stamp(); {
	case have == stamp:
		errs = append(errs, p.refuseForeign(stamp), p.checkSize())
	case have != "":
		p.say("%s was made with %s, and this is %s: go run . build makes it anew", Folder, strings.TrimSpace(have), strings.TrimSpace(stamp))
	}
	if err := p.advise(config); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(append(errs, p.vet(ctx))...)
}

// Test checks the project, and runs go test with some arguments.
func (p Project) Test(ctx context.Context, args []string) error {
	if err := p.Check(ctx); err != nil {
		return err
	}
	cmd := module.Go(ctx, p.Dir, append([]string{"test", "./..."}, args...)...)
	cmd.Stdout, cmd.Stderr = p.Out, p.Out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go test: %w", err)
	}
	return nil
}

// analyser is the command that go vet runs beside its own checks, and unvetted the package whose tests
// import declarations that the analyser refuses.
const (
	analyser = framework + "/durable/wire/cmd/wirevet"
	unvetted = framework + "/durable/wire/travel"
)

// vet runs go vet with its own checks and the analyser's.
func (p Project) vet(ctx context.Context) error {
	path, err := p.outputOf(ctx, "tool", "-n", "wirevet")
	if err != nil && strings.Contains(err.Error(), "no such tool") {
		return fmt.Errorf("go.mod has no line for the tool wirevet: run go get -tool %s", analyser)
	} else if err != nil {
		return fmt.Errorf("wirevet: %w", err)
	}
	packages, err := p.outputOf(ctx, "list", "./...")
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	list := slices.DeleteFunc(strings.Fields(packages), func(p string) bool { return p == unvetted })
	for _, args := range [][]string{{"vet"}, {"vet", "-vettool=" + path}} {
		if _, err := p.outputOf(ctx, append(args, list...)...); err != nil {
			return fmt.Errorf("go vet: %w", err)
		}
	}
	return nil
}

// outputOf runs the go command in the project's folder. Its error has what the command says to it.
func (p Project) outputOf(ctx context.Context, args ...string) (string, error) {
	out, err := module.Go(ctx, p.Dir, args...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("%w\n%s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSpace(string(out)), err
}
