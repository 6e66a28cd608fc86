package onmodule_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/onmodule"
	"github.com/tributary-agents/tributary/durable/durabletest/simtest"
	"github.com/tributary-agents/tributary/internal/draw"
)

// checkout is the folder of the framework's go.mod.
const checkout = "../../.."

// project makes a project of its own in a folder with a blank in its path, and returns the folder.
// It uses the framework of this checkout, and the network is off for it.
func project(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my hotel")
	if err := os.CopyFS(dir, os.DirFS("testdata/project")); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	mod := read(t, filepath.Join(checkout, "go.mod"))
	required := strings.Join(regexp.MustCompile(`(?s)require \(\n.*?\n\)\n`).FindAllString(mod, -1), "\n")
	write(t, filepath.Join(dir, "go.mod"), fmt.Sprintf(`module example.com/hotel/v2

go 1.26.0

tool github.com/tributary-agents/tributary/durable/wire/cmd/wirevet

require github.com/tributary-agents/tributary v0.0.0

replace github.com/tributary-agents/tributary => %q

%s`, here, required))
	write(t, filepath.Join(dir, "go.sum"), read(t, filepath.Join(checkout, "go.sum")))
	age(t, dir)
	return dir
}

// age makes all files of a folder an hour old, because go test keeps no result of a test that has
// opened a new one.
func age(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		then := time.Now().Add(-time.Hour)
		return errors.Join(err, os.Chtimes(path, then, then))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// replace replaces a text in a file.
func replace(t *testing.T, path, old, text string) {
	t.Helper()
	before := read(t, path)
	if !strings.Contains(before, old) {
		t.Fatalf("%s has no %q", path, old)
	}
	write(t, path, strings.ReplaceAll(before, old, text))
}

// command runs the go command in a project.
func command(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// TestScriptsOfAProject shows that a project's scripts are run natively and on its module, and that
// a difference fails.
func TestScriptsOfAProject(t *testing.T) {
	draw.Long(t, "it builds a project, and ./build.sh test runs it")
	dir := project(t)
	scripts := func(args ...string) (string, error) {
		return command(dir, append([]string{"test", "./agents", "-run", "TestScripts"}, args...)...)
	}
	if out, err := scripts("-v"); err != nil || strings.Count(out, "--- PASS: TestScripts/module/") != 2 || strings.Count(out, "--- PASS: TestScripts/native/") != 2 {
		t.Fatalf("the scripts: %v\n%s", err, out)
	}
	t.Run("a change of main is seen", func(t *testing.T) {
		if out, err := scripts(); err != nil {
			t.Fatalf("the scripts: %v\n%s", err, out)
		}
		if out, err := scripts(); err != nil || !strings.Contains(out, "(cached)") {
			t.Errorf("got %v, want the result that go test has kept:\n%s", err, out)
		}
		replace(t, filepath.Join(dir, "main.go"), "agents.Classes()...", "agents.Classes()[1:]...")
		if out, err := scripts(); err == nil || !strings.Contains(out, `no class "NightConcierge"`) {
			t.Errorf("got %v, want a failure without the class:\n%s", err, out)
		}
		replace(t, filepath.Join(dir, "main.go"), "agents.Classes()[1:]...", "agents.Classes()...")
	})
	t.Run("a renamed tool is shown", func(t *testing.T) {
		replace(t, filepath.Join(dir, "agents", "agents.go"), `"porter", "Sends`, `"bellboy", "Sends`)
		out, err := scripts()
		if err == nil || strings.Count(out, "the_porter_runs_an_errand.txt: line") != 2 || !strings.Contains(out, "run with -update") {
			t.Errorf("got %v, want the difference on both:\n%s", err, out)
		}
		if out, err := scripts("-update"); err != nil {
			t.Errorf("-update: %v\n%s", err, out)
		}
		if out, err := scripts(); err != nil {
			t.Errorf("after -update: %v\n%s", err, out)
		}
	})
	t.Run("a program that registers nothing", func(t *testing.T) {
		main := filepath.Join(dir, "main.go")
		before := read(t, main)
		write(t, main, "package main\n\nfunc main() {}\n")
		if out, err := scripts(); err == nil || !strings.Contains(out, "this is no module of Tributary") {
			t.Errorf("got %v, want what it is not:\n%s", err, out)
		}
		write(t, main, before)
	})
	t.Run("a module that does not build", func(t *testing.T) {
		write(t, filepath.Join(dir, "broken.go"), "package main\n\nvar _ int = \"three\"\n")
		out, err := scripts()
		if err == nil || !strings.Contains(out, "example.com/hotel/v2 does not build for wasip1") || !strings.Contains(out, `broken.go:3:13: cannot use "three"`) {
			t.Errorf("got %v, want the compiler's message:\n%s", err, out)
		}
	})
}

// TestSimulationOfAProject shows that one line simulates a project's agents, and that a mistake is
// found with the line that runs its seed again.
func TestSimulationOfAProject(t *testing.T) {
	draw.Long(t, "it builds a project, and ./build.sh test runs it")
	dir := project(t)
	t.Setenv(simtest.SeedsVar, "40")
	simulation := func(args ...string) (string, error) {
		return command(dir, append([]string{"test", "./agents", "-run", "TestSimulation", "-count=1"}, args...)...)
	}
	if out, err := simulation("-v"); err != nil || !strings.Contains(out, "40 seeds, ") {
		t.Fatalf("the simulation: %v\n%s", err, out)
	}
	agents := filepath.Join(dir, "agents", "agents.go")
	replace(t, agents, "agent.Notify}", "func(*agent.Conversation, agent.RunInfo) error { return fmt.Errorf(\"not now\") }}")
	out, err := simulation()
	again := regexp.MustCompile(`Run it again: TRIBUTARY_SEED=(\d+) go test -v -run '(\S+)' \.`).FindStringSubmatch(out)
	if err == nil || !strings.Contains(out, `the handler "done" has failed 5 times: not now`) || again == nil {
		t.Fatalf("got %v, want the lost end and how to run it again:\n%s", err, out)
	}
	t.Setenv(simtest.SeedVar, again[1])
	out, err = command(filepath.Join(dir, "agents"), "test", "-v", "-run", again[2], ".")
	if err == nil || !strings.Contains(out, "not now") || !strings.Contains(out, "SocketOpened") {
		t.Errorf("the seed again: got %v, want the same with everything that happens:\n%.3000s", err, out)
	}
}

// TestVetOfAProject shows that the project's own analysers check the code of a project, by the tool
// line of its go.mod.
func TestVetOfAProject(t *testing.T) {
	draw.Long(t, "it builds a project, and ./build.sh test runs it")
	dir := project(t)
	tool, err := command(dir, "tool", "-n", "wirevet")
	if err != nil {
		t.Fatalf("go tool: %v\n%s", err, tool)
	}
	vet := func() (string, error) { return command(dir, "vet", "-vettool="+strings.TrimSpace(tool), "./...") }
	if out, err := vet(); err != nil {
		t.Fatalf("sound code does not pass: %v\n%s", err, out)
	}
	agents := filepath.Join(dir, "agents", "agents.go")
	replace(t, agents, "	if err := flow.Sleep(c, time.Second)", "	_ = time.Now()\n	if err := flow.Sleep(c, time.Second)")
	write(t, filepath.Join(dir, "agents", "sent.go"), `package agents

import "github.com/tributary-agents/tributary/durable/wire"

// Sent goes to another object.
type Sent struct{ Then func() }

var sent = wire.NewMethod[Sent, Sent]("sent")
`)
	short := func() (string, error) { return command(dir, "tool", "wirevet", "./...") }
	for name, check := range map[string]func() (string, error){"go vet": vet, "go tool wirevet": short} {
		out, err := check()
		if err == nil || !strings.Contains(out, "agents.go:") || !strings.Contains(out, "use flow.Now") || !strings.Contains(out, "Sent.Then: a function cannot travel between objects") {
			t.Errorf("%s: got %v, want a report of each analyser:\n%s", name, err, out)
		}
	}
}

// TestEngine runs the module of this project, whose main package is not beside go.mod.
func TestEngine(t *testing.T) {
	draw.Long(t, "it builds a project, and ./build.sh test runs it")
	for _, main := range []string{"./wasm/tck/minimal", "github.com/tributary-agents/tributary/wasm/tck/minimal"} {
		e := onmodule.Engine(t, onmodule.Main(main))
		w := durabletest.NewWorld(e, "Assistant", "room")
		if err := w.Do("connect a"); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(w.Take(), "\n"); !strings.Contains(got, `"agent":"assistant"`) {
			t.Errorf("%s: got %s", main, got)
		}
		if _, err := e.Step("b", 1, durable.Opened{Class: "Nobody"}, nil); err == nil {
			t.Errorf("%s: an unknown class was opened", main)
		}
		for range 2 {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// failing is a test whose failure is kept.
type failing struct {
	testing.TB
	said string
}

// Fatal ends the goroutine, as a test does.
func (f *failing) Fatal(args ...any) {
	f.said = fmt.Sprint(args...)
	panic(f)
}

// TestEngineRefuses shows what is said of a package that is no module.
func TestEngineRefuses(t *testing.T) {
	for main, want := range map[string]string{
		"./durable/durabletest": "is package durabletest and no main package",
		"./nowhere":             "nowhere",
	} {
		t.Run(main, func(t *testing.T) {
			f := &failing{TB: t}
			defer func() {
				if p := recover(); p != f || !strings.Contains(f.said, want) {
					t.Errorf("got %v and %q, want %q", p, f.said, want)
				}
			}()
			onmodule.Engine(f, onmodule.Main(main))
		})
	}
}
