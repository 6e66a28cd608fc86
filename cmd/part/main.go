// Command part runs a command of build.sh as one part of longer work. It tells what runs now, prints each failure as it
// happens with the command that repeats it, and notes what the part took.
//
//	go run ./cmd/part NAME COMMAND…   runs a command; of go test it prints what is worth reading
//	go run ./cmd/part -begin          forgets the parts of earlier work
//	go run ./cmd/part -table          prints what each part took
//
// Lines of a command that begin with "now: " say what it does now. Only the newest of them is shown.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/internal/progress"
)

func main() {
	status, err := start(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "part:", err)
		status = 2
	}
	os.Exit(status)
}

func start(args []string) (status int, err error) {
	switch {
	case len(args) == 1 && args[0] == "-begin":
		return 0, forget()
	case len(args) == 1 && args[0] == "-table":
		return 0, printTable(os.Stdout)
	case len(args) < 2:
		return 0, errors.New("usage: part NAME COMMAND…, part -begin, or part -table")
	}
	return run(args[0], args[1:])
}

// run runs a command to its end and returns its status.
func run(name string, args []string) (status int, err error) {
	began := time.Now()
	args, tests := asJSON(args)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin = os.Stdin
	var report reporter = &lines{last: strings.Join(args, " ")}
	if tests {
		report = newGoTests(args)
	}
	line := progress.Begin(os.Stdout, func() string {
		return fmt.Sprintf("%s, %s: %s", name, time.Since(began).Round(time.Second), report.now(time.Now()))
	})
	out := &feed{report: report, out: line}
	cmd.Stdout, cmd.Stderr = out, out
	// A signal of the terminal reaches the command too. The part ends when the command has ended.
	signal.Notify(make(chan os.Signal, 1), interrupts...)
	err = cmd.Run()
	out.flush()
	report.end(line)
	line.End()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	took := taken{Name: name, Began: began, Wall: time.Since(began), User: cmd.ProcessState.UserTime(), System: cmd.ProcessState.SystemTime()}
	if err := note(took); err != nil {
		return 0, err
	}
	if status = cmd.ProcessState.ExitCode(); status != 0 {
		fmt.Printf("%s failed. Repeat it with: %s\n", name, repeatable(args))
	}
	return status, nil
}
