package dev

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// patience is how long the commands of dev have to end.
const patience = 5 * time.Second

// process is a command that runs, with its children.
type process struct {
	cmd      *exec.Cmd
	patience time.Duration
	done     chan struct{} // closed when it has ended
	err      error         // why, to be read after done
}

// start runs a command until its context is done or it ends by itself. When the context is done it
// is asked to end with its children, and killed when the patience is over.
func start(ctx context.Context, cmd *exec.Cmd, patience time.Duration) (*process, error) {
	isolate(cmd)
	cmd.WaitDelay = patience // for the output of children that live on
	p := &process{cmd: cmd, patience: patience, done: make(chan struct{})}
	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		return nil, err
	}
	go p.follow(ctx)
	return p, nil
}

// run starts the process and waits for its end. To Linux, the parent of the process is a thread,
// which has to live as long.
func (p *process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.err = p.cmd.Wait()
	_ = kill(p.cmd.Process) // children that it has left behind
	close(p.done)
}

// follow ends the process and its children when the context is done.
func (p *process) follow(ctx context.Context) {
	select {
	case <-p.done:
		return
	case <-ctx.Done():
	}
	if err := interrupt(p.cmd.Process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		_ = kill(p.cmd.Process)
	}
	timer := time.NewTimer(p.patience)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		_ = kill(p.cmd.Process)
	}
}

// output runs a command to its end. If it fails, the error is what it wrote.
func output(ctx context.Context, cmd *exec.Cmd) (string, error) {
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	p, err := start(ctx, cmd, patience)
	if err != nil {
		return "", err
	}
	<-p.done
	text := strings.TrimSpace(out.String())
	switch {
	case ctx.Err() != nil:
		return text, ctx.Err()
	case p.err != nil && text != "":
		return text, errors.New(text)
	}
	return text, p.err
}
