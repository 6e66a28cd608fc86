package project

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/tributary-agents/tributary/durable"
)

const usage = `usage: go run . COMMAND

  dev [-port N] [-state DIR]       builds and serves the page and the agents on this machine
  build [-free]                    makes .tributary, with -free for two smaller Workers as well
  check                            compares the classes, the configuration, the sizes and the versions
  test [ARGUMENTS of go test]      checks, and runs the tests
  deploy [-free] [-- ARGUMENTS]    builds and runs wrangler deploy, such as with -- --dry-run
  token [-any] [-agent A -name N]  mints a token with the secret in TRIBUTARY_TOKEN_SECRET`

// errUsage says that the command was not understood, which has been said already.
var errUsage = errors.New("usage")

// Command runs the tool with the arguments of its process, for some classes, and returns the
// process's status. An error is one sentence, and says what to do.
func Command(args []string, classes ...durable.Class) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Stdout, args, classes); {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		fmt.Println(usage)
		return 0
	case errors.Is(err, errUsage):
		return 2
	default:
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
}

func run(ctx context.Context, out io.Writer, args []string, classes []durable.Class) error {
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, usage)
		return errUsage
	}
	command, args := args[0], args[1:]
	switch command {
	case "help", "-h", "-help", "--help":
		_, err := fmt.Fprintln(out, usage)
		return err
	case "token":
		return token(out, args)
	}
	p, err := Find(out, classes)
	if err != nil {
		return err
	}
	switch command {
	case "dev":
		return p.Dev(ctx, args)
	case "build":
		return p.build(ctx, args)
	case "check":
		if err := parse(flag.NewFlagSet(command, flag.ContinueOnError), args, false); err != nil {
			return err
		}
		return p.Check(ctx)
	case "test":
		return p.Test(ctx, args)
	case "deploy":
		flags, free := freeFlag(command)
		if err := parse(flags, args, true); err != nil {
			return err
		}
		return p.Deploy(ctx, *free, flags.Args())
	}
	fmt.Fprintf(os.Stderr, "there is no command %q\n%s\n", command, usage)
	return errUsage
}

func (p Project) build(ctx context.Context, args []string) error {
	flags, free := freeFlag("build")
	if err := parse(flags, args, false); err != nil {
		return err
	}
	p.events = os.Getenv(developerVar)
	if err := p.Build(ctx); err != nil || !*free {
		return err
	}
	return p.writeFree()
}

func freeFlag(command string) (*flag.FlagSet, *bool) {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	return flags, flags.Bool("free", false, "two smaller Workers, which fit the Free plan")
}

// parse reads the flags of a command, which takes more arguments or none. Its error is one sentence.
func parse(flags *flag.FlagSet, args []string, more bool) error {
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err != nil && more:
		return fmt.Errorf("%s: %w: arguments for wrangler stand behind --", flags.Name(), err)
	case err != nil:
		return fmt.Errorf("%s: %w: go run . help lists the flags", flags.Name(), err)
	case !more && flags.NArg() > 0:
		return fmt.Errorf("%s takes no argument %q: go run . help lists what there is", flags.Name(), flags.Arg(0))
	}
	return nil
}
