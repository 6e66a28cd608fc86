//go:build unix

package dev

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// hangup is the signal of a terminal that is closed.
var hangup = []os.Signal{syscall.SIGHUP}

// isolate gives a command a process group, so that it can be ended with its children, and so that
// the terminal's Ctrl-C reaches dev alone.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
}

// interrupt asks a command and its children to end, as Ctrl-C does. The go command then removes its
// temporary folder.
func interrupt(p *os.Process) error { return signalGroup(p, syscall.SIGINT) }

// kill ends a command and its children.
func kill(p *os.Process) error { return signalGroup(p, syscall.SIGKILL) }

func signalGroup(p *os.Process, s syscall.Signal) error {
	err := syscall.Kill(-p.Pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
