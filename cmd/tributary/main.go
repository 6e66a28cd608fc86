// Command tributary makes new projects. In a project, main.go is the tool for everything else.
//
//	go run github.com/tributary-agents/tributary/cmd/tributary@latest new my-app
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tributary-agents/tributary/internal/project/scaffold"
	"github.com/tributary-agents/tributary/internal/version"
)

const usage = `Usage: tributary new DIR [flags]   writes a new project into a folder
       tributary version          prints the version

Flags of new, before or behind DIR:
  -module PATH   the path of the project's module; default: the folder's name
  -page=false    without the chat page
  -empty         one agent and nothing else, without the example
`

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tributary:", err)
		os.Exit(1)
	}
}

// run performs a command.
func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		args = []string{"help"}
	}
	switch command, rest := args[0], args[1:]; command {
	case "new":
		return create(rest, out)
	case "version":
		return printVersion(out)
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(out, usage)
		return err
	case "dev", "build", "check", "test", "deploy", "token":
		return fmt.Errorf("%s is a command of a project: run it in the project's folder as go run . %[1]s", command)
	default:
		return fmt.Errorf("%q is no command: tributary help lists them", command)
	}
}

// create makes a project, and says what to do next.
func create(args []string, out io.Writer) error {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		_, err := io.WriteString(out, usage)
		return err
	}
	if err != nil {
		return err
	}
	if o.Framework, err = scaffold.Running(); err != nil {
		return err
	}
	files, err := scaffold.New(o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s has %d files now. Next:\n\n%s\tnpm install\n\tgo run . dev\n", o.Dir, len(files), enter(o.Dir))
	return err
}

// enter returns the line that goes into a folder, or "" for the working directory.
func enter(dir string) string {
	if filepath.Clean(dir) == "." {
		return ""
	}
	return "\tcd " + quoted(dir) + "\n"
}

// parse reads the arguments of new. Flags may stand before and behind the folder.
func parse(args []string) (scaffold.Options, error) {
	var o scaffold.Options
	flags := flag.NewFlagSet("new", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.Module, "module", "", "")
	page := flags.Bool("page", true, "")
	flags.BoolVar(&o.Empty, "empty", false, "")
	var dirs []string
	for rest := args; ; {
		if err := flags.Parse(rest); errors.Is(err, flag.ErrHelp) {
			return o, err
		} else if err != nil {
			return o, fmt.Errorf("%w: tributary help lists the flags", err)
		}
		if flags.NArg() == 0 {
			break
		}
		dirs, rest = append(dirs, flags.Arg(0)), flags.Args()[1:]
	}
	if len(dirs) > 1 {
		return o, fmt.Errorf("a project has one folder, and here are %d, %s: leave all but one out", len(dirs), strings.Join(dirs, " and "))
	}
	if len(dirs) == 1 {
		o.Dir = dirs[0]
	}
	o.NoPage = !*page
	return o, nil
}

// quoted returns a path as a shell takes it.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t'\"$&|;<>()*?!`\\") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// printVersion prints the version of this program. For a checkout it is the one that the source names.
func printVersion(out io.Writer) error {
	name := "v" + version.Version
	if running, err := scaffold.Running(); err == nil && running.Checkout == "" {
		name = running.Version
	}
	_, err := fmt.Fprintln(out, name)
	return err
}
