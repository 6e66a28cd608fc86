//go:build !unix

package dev

import (
	"os"
	"os/exec"
	"strconv"
)

// hangup has no signal: there are no terminals that send one.
var hangup []os.Signal

// isolate does nothing: there are no process groups.
func isolate(*exec.Cmd) {}

// interrupt ends a command and its children: nothing can ask them to end.
func interrupt(p *os.Process) error { return kill(p) }

// kill ends a command and its children. Windows has a program that follows the parents of
// processes.
func kill(p *os.Process) error {
	if err := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run(); err == nil {
		return nil
	}
	return p.Kill()
}
