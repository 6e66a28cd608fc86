package dev

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// mainOf returns a tool whose build fails with a text, "" for none.
func mainOf(text string) string {
	return "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\tif text := " + strconv.Quote(text) +
		"; os.Args[1] != \"build\" || text != \"\" {\n\t\tfmt.Fprintln(os.Stderr, text)\n\t\tos.Exit(1)\n\t}\n}\n"
}

// running is a project that is run with a script in place of Wrangler.
type running struct {
	dir   string
	lines chan string
	ended chan error
	stop  context.CancelFunc
}

func run(t *testing.T, script string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r := &running{dir: folder(t), lines: make(chan string, 1000), ended: make(chan error, 1), stop: stop}
	write(t, r.dir, map[string]string{
		"go.mod": "module example.com/app\n\ngo 1.26\n", "main.go": mainOf(""), "wrangler.jsonc": "{}",
	})
	out, in := io.Pipe()
	t.Cleanup(func() {
		stop()
		in.Close()
	})
	wrangler := exec.Command("sh", "-c", script, "wrangler")
	wrangler.Stdout, wrangler.Stderr = in, in
	go func() {
		defer close(r.lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			r.lines <- scanner.Text()
		}
	}()
	go func() {
		r.ended <- Run(ctx, Project{Dir: r.dir, Main: "example.com/app", Out: in, Wrangler: wrangler}, []string{"-port", "0"})
	}()
	return r
}

// waits returns the first line that matches.
func (r *running) waits(t *testing.T, pattern string) []string {
	t.Helper()
	var all []string
	for line := range r.lines {
		all = append(all, line)
		if found := regexp.MustCompile(pattern).FindStringSubmatch(line); found != nil {
			return found
		}
	}
	t.Fatalf("no line is %q:\n%s", pattern, strings.Join(all, "\n"))
	return nil
}

// outcome returns the next status that is no building.
func (r *reader) outcome(t *testing.T) status {
	t.Helper()
	for {
		if now := r.next(t); now.State != building {
			return now
		}
	}
}

// TestRun builds a project with Go, serves it with a script, breaks it twice and mends it.
func TestRun(t *testing.T) {
	r := run(t, `echo "serving $*"; exec sleep 1000`)
	address := r.waits(t, "serving dev .* TRIBUTARY_DEV:(.*)$")[1]
	page := open(t, address)
	page.wants(t, status{State: built})

	write(t, r.dir, map[string]string{"main.go": "package main\n\nfunc main() { undefined() }\n"})
	if got := page.outcome(t); got.State != failed || !strings.Contains(got.Error, "main.go:3:15: undefined: undefined") {
		t.Errorf("a file that does not compile: the page is told %v", got)
	}
	r.waits(t, "^building: main.go changed$")
	r.waits(t, "the build failed, the last build that succeeded goes on")
	r.waits(t, "main.go:3:15: undefined: undefined")

	const refusal = "wrangler.jsonc: class Chat has no storage"
	write(t, r.dir, map[string]string{"main.go": mainOf(refusal)})
	if got, want := page.outcome(t), (status{State: failed, Error: refusal}); got != want {
		t.Errorf("a check that fails: the page is told %v, want %v", got, want)
	}
	r.waits(t, refusal)

	write(t, r.dir, map[string]string{"main.go": mainOf("")})
	if got, want := page.outcome(t), (status{State: built}); got != want {
		t.Errorf("all mended: the page is told %v, want %v", got, want)
	}
	r.waits(t, "built in")

	r.stop()
	if err := <-r.ended; err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// TestWranglerEnds ends Wrangler as if it had failed, and as if somebody had ended it.
func TestWranglerEnds(t *testing.T) {
	says(t, <-run(t, "exit 3").ended, "wrangler ended by itself: exit status 3")
	says(t, <-run(t, "exit 0").ended, "wrangler ended by itself")
}

// TestWranglerIsStartedAgain ends Wrangler after its configuration has changed: it is started again with
// the build, also if that fails at first. An end without a change is an error.
func TestWranglerIsStartedAgain(t *testing.T) {
	ends := filepath.Join(folder(t), "ends")
	if err := exec.Command("mkfifo", ends).Run(); err != nil {
		t.Fatal(err)
	}
	end := func() { // by the line that it waits for
		t.Helper()
		if err := os.WriteFile(ends, []byte("end\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const serving, again = "serving dev .* TRIBUTARY_DEV:(.*)$", "wrangler ended by itself: exit status 3: it is started again"
	r := run(t, `echo "serving $*"; read -r line <'`+ends+`'; exit 3`)
	page := open(t, r.waits(t, serving)[1])
	page.wants(t, status{State: built})

	write(t, r.dir, map[string]string{"wrangler.jsonc": "{ }"})
	if got, want := page.outcome(t), (status{State: built}); got != want {
		t.Errorf("the page is told %v, want %v", got, want)
	}
	end()
	r.waits(t, again)
	r.waits(t, serving)

	write(t, r.dir, map[string]string{"main.go": mainOf("the class is missing")})
	if got := page.outcome(t); got.State != failed {
		t.Errorf("the page is told %v, want a failure", got)
	}
	end()
	r.waits(t, again)
	write(t, r.dir, map[string]string{"main.go": mainOf("")})
	r.waits(t, serving)
	end()
	says(t, <-r.ended, "wrangler ended by itself: exit status 3")
}

// TestPortIsTaken asks for a port that is taken, with a project that cannot be run: nothing is
// started.
func TestPortIsTaken(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	err = Run(t.Context(), Project{Dir: folder(t), Out: io.Discard}, []string{"-port", port})
	says(t, err, "port "+port+" is taken", "choose another with -port")
}

func TestFolderIsMissing(t *testing.T) {
	err := Run(t.Context(), Project{Dir: filepath.Join(folder(t), "none"), Out: io.Discard}, nil)
	says(t, err, "none: no such file or directory")
}

// TestKill ends a command that does not listen, with a child that does not either. The test would
// not end if the child lived on, because it holds the output open.
func TestKill(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	cmd := exec.Command("sh", "-c", `trap "" INT; sleep 1000 & echo begun; wait`)
	cmd.Stdout = in
	p, err := start(ctx, cmd, 0)
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "begun\n" {
		t.Fatalf("got %q and %v", line, err)
	}
	stop()
	<-p.done
	says(t, p.err, "signal: killed")
}

func TestOutput(t *testing.T) {
	if got, err := output(t.Context(), exec.Command("sh", "-c", "echo told; echo more >&2")); err != nil || got != "told\nmore" {
		t.Errorf("got %q and %v", got, err)
	}
	_, err := output(t.Context(), exec.Command("sh", "-c", "echo told; exit 2"))
	says(t, err, "told")
	_, err = output(t.Context(), exec.Command("sh", "-c", "exit 2"))
	says(t, err, "exit status 2")
	_, err = output(t.Context(), exec.Command(filepath.Join(folder(t), "none")))
	says(t, err, "no such file")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = output(ctx, exec.Command("sleep", "1000"))
	says(t, err, context.Canceled.Error())
}
