// Package dev runs a project on the developer's machine: it builds the project, has wrangler dev
// serve it, and builds it again when a file changes. Pages are told of the build by an event
// stream.
package dev

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Project is what is run.
type Project struct {
	Dir       string    // holds wrangler.jsonc
	Main      string    // import path of the main package, which is the tool as well
	Workspace string    // the go.work that is in use, if one is
	Cache     string    // where go run puts programs
	Out       io.Writer // takes what the tool and the compiler say
	// Wrangler is the command that runs Wrangler in the folder, without arguments.
	Wrangler *exec.Cmd
}

// options are what the command line and the environment say.
type options struct {
	host  string
	port  int
	state string
	rest  []string // for wrangler
}

// parse reads the arguments. What they leave out is taken from PORT and STATE.
func parse(args []string, getenv func(string) string) (options, error) {
	o := options{host: "127.0.0.1", state: filepath.Join(".wrangler", "state")}
	port := "8787"
	if set := getenv("PORT"); set != "" {
		port = set
	}
	if set := getenv("STATE"); set != "" {
		o.state = set
	}
	ours := args
	if i := slices.Index(args, "--"); i >= 0 {
		ours, o.rest = args[:i], args[i+1:]
	}
	flags := flag.NewFlagSet("dev", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&port, "port", port, "")
	flags.StringVar(&o.state, "state", o.state, "")
	err := flags.Parse(ours)
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("%q is no flag", flags.Arg(0))
	}
	if err != nil {
		return o, fmt.Errorf("%w: dev has -port PORT and -state DIR, and hands to wrangler what stands behind --", err)
	}
	if set, ok := value(o.rest, "--port"); ok {
		port = set
	}
	if set, ok := value(o.rest, "--ip"); ok {
		o.host = set
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return o, fmt.Errorf("%q is no port: give a number from 0, for any that is free, to 65535", port)
	}
	o.port = int(n)
	return o, nil
}

// value returns the value of a flag of wrangler's.
func value(args []string, name string) (string, bool) {
	for i, arg := range args {
		if rest, ok := strings.CutPrefix(arg, name+"="); ok {
			return rest, true
		}
		if arg == name && i+1 < len(args) {
			return args[i+1], true
		}
	}
	return "", false
}

// arguments returns wrangler's, with the address of the event stream. A flag of the developer's
// stands in place of ours.
func (o options) arguments(stream string) []string {
	args := []string{"dev"}
	for _, flag := range [][2]string{
		{"--ip", o.host},
		{"--port", strconv.Itoa(o.port)},
		{"--inspector-port", "0"},
		{"--persist-to", o.state},
	} {
		if _, given := value(o.rest, flag[0]); !given {
			args = append(args, flag[0], flag[1])
		}
	}
	args = append(args, "--var", "TRIBUTARY_ENV:development", "--var", "TRIBUTARY_DEV:"+stream)
	return append(args, o.rest...)
}

// Run builds and serves a project until the context is done, a signal ends it, or wrangler ends by
// itself, which is an error.
func Run(ctx context.Context, p Project, args []string) error {
	o, err := parse(args, os.Getenv)
	if err != nil {
		return err
	}
	d, err := prepare(p, o)
	if err != nil {
		return err
	}
	defer os.RemoveAll(d.scratch)
	ctx, stop := signal.NotifyContext(ctx, hangup...)
	defer stop()
	ctx, stop = whileParentLives(ctx, p.Cache)
	defer stop()
	return d.run(ctx)
}

// server is a project that is served.
type server struct {
	Project
	options options
	stream  *stream
	address string // of the stream
	scratch string // a folder for the tool that is built
	watcher *watcher
	begun   atomic.Int64 // how many builds have begun
	good    chan int64   // the number of the newest build that succeeded and was not served yet
	once    bool         // one has succeeded
	began   time.Time    // the build that is under way
}

// prepare looks for all that is needed, before anything is started.
func prepare(p Project, o options) (*server, error) {
	d := &server{Project: p, options: o, good: make(chan int64, 1)}
	var err error
	if d.Dir, err = filepath.EvalSymlinks(p.Dir); err != nil { // as the system names files that change
		return nil, err
	}
	if d.options.port, err = findPort(o.host, o.port); err != nil {
		return nil, err
	}
	d.scratch, err = os.MkdirTemp("", "tributary-dev-")
	return d, err
}

// run builds, watches and serves until the context is done.
func (d *server) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d.stream = newStream("localhost", "127.0.0.1", "::1", d.options.host)
	address, closeStream, err := d.stream.serve()
	if err != nil {
		return err
	}
	defer closeStream()
	d.address = address

	of, err := list(ctx, d.Dir, d.Main, d.Workspace)
	if err != nil {
		return err
	}
	if d.watcher, err = watch(ctx, of); err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- d.serve(ctx) }()
	built := make(chan struct{})
	go func() {
		defer close(built)
		rebuild(ctx, d.watcher.changes, d.build, func(now status, changed []string) { d.tell(ctx, now, changed) })
	}()
	err = <-served
	stop()
	<-built
	return err
}

// build builds the project by a tool that is built first, because the running one has the classes
// that were there when it was built.
func (d *server) build(ctx context.Context) error {
	tool := filepath.Join(d.scratch, "tool")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", tool, d.Main)
	cmd.Dir = d.Dir
	if _, err := output(ctx, cmd); err != nil {
		return err
	}
	cmd = exec.Command(tool, "build")
	cmd.Dir = d.Dir
	cmd.Env = append(cmd.Environ(), "TRIBUTARY_DEV="+d.address) // the page may connect there
	said, err := output(ctx, cmd)
	if err == nil && said != "" {
		d.say("%s", said)
	}
	return err
}

// tell says how the build is, and why it began, to the terminal and to the pages. After a build it
// looks for the files that the next one will be made of.
func (d *server) tell(ctx context.Context, now status, changed []string) {
	d.stream.tell(now)
	switch now.State {
	case building:
		d.began = time.Now()
		d.begun.Add(1)
		d.say("building%s", d.because(changed))
		return
	case built:
		d.say("built in %.1f s", time.Since(d.began).Seconds())
		d.once = true
		select {
		case <-d.good: // an older one
		default:
		}
		d.good <- d.begun.Load()
	case failed:
		goesOn := "the last build that succeeded goes on"
		if !d.once {
			goesOn = "nothing is served until it is mended"
		}
		d.say("the build failed, %s:\n%s", goesOn, now.Error)
	}
	of, err := list(ctx, d.Dir, d.Main, d.Workspace)
	if err == nil {
		err = d.watcher.use(ctx, of)
	}
	if err != nil && ctx.Err() == nil && now.State == built { // otherwise the build says what is wrong
		d.say("new files may not be seen: %v", err)
	}
}

// because names the first of the files that have changed.
func (d *server) because(changed []string) string {
	if len(changed) == 0 {
		return ""
	}
	name := changed[0]
	if short, err := filepath.Rel(d.Dir, name); err == nil {
		name = short
	}
	if more := len(changed) - 1; more > 0 {
		return fmt.Sprintf(": %s and %d more changed", name, more)
	}
	return fmt.Sprintf(": %s changed", name)
}

func (d *server) say(format string, args ...any) { fmt.Fprintf(d.Out, format+"\n", args...) }

// serve runs wrangler from the first build on. Wrangler reads its configuration when that changes, before
// the build that belongs to it is there, and may not survive that: it is started again with the build.
func (d *server) serve(ctx context.Context) error {
	const observability = "X_LOCAL_OBSERVABILITY"
	traces, set := os.LookupEnv(observability)
	if !set {
		traces = "false"
	}
	for said := false; ; {
		var build int64
		select {
		case build = <-d.good:
		case <-ctx.Done():
			return nil
		}
		if !said {
			said = true
			d.say("%s=%s: with true, wrangler records traces of its own, and everything takes longer", observability, traces)
		}
		err := d.runWrangler(ctx, observability+"="+traces, "WRANGLER_SEND_METRICS=false")
		if ctx.Err() != nil {
			return nil
		}
		if d.begun.Load() == build {
			return err
		}
		d.say("%v: it is started again with the build that has begun since", err)
	}
}

// runWrangler runs wrangler with some variables until the context is done. That it ends by itself is an
// error.
func (d *server) runWrangler(ctx context.Context, env ...string) error {
	// A program in the background may not read the terminal, so this one has no input.
	wrangler, err := start(ctx, &exec.Cmd{
		Path: d.Wrangler.Path, Args: append(slices.Clone(d.Wrangler.Args), d.options.arguments(d.address)...),
		Dir: d.Wrangler.Dir, Env: append(d.Wrangler.Environ(), env...),
		Stdout: d.Wrangler.Stdout, Stderr: d.Wrangler.Stderr,
	}, patience)
	if err != nil {
		return fmt.Errorf("wrangler: %w", err)
	}
	<-wrangler.done
	if wrangler.err == nil {
		return errors.New("wrangler ended by itself")
	}
	return fmt.Errorf("wrangler ended by itself: %w", wrangler.err)
}

// whileParentLives returns a context that is done when the parent of this process has ended, if
// that is go run. A signal that ends go run does not reach the program that it runs.
func whileParentLives(ctx context.Context, cache string) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	path, err := os.Executable()
	if err != nil || !strings.HasPrefix(path, cache) && !strings.Contains(path, "go-build") {
		return ctx, stop
	}
	parent := os.Getppid()
	go func() {
		for tick := time.NewTicker(time.Second); ; {
			select {
			case <-tick.C:
				if os.Getppid() != parent {
					stop()
				}
			case <-ctx.Done():
				tick.Stop()
				return
			}
		}
	}()
	return ctx, stop
}
