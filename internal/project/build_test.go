package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/internal/draw"
	"github.com/tributary-agents/tributary/internal/embedded/quickjs"
	"github.com/tributary-agents/tributary/wasm/abi"
)

const ownConfig = `{
  "name": "my-app",
  "main": ".tributary/worker.js",
  "compatibility_date": "2026-10-01",
  "assets": { "directory": ".tributary/web", "run_worker_first": ["/agents/*", "/health", "/tributary.json", "/mcp", "/.well-known/*"] },
  "durable_objects": { "bindings": [{ "name": "Poet", "class_name": "Poet" }] },
  "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Poet"] }],
}
`

const ownMain = `package main

import (
	"github.com/tributary-agents/tributary"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model/demo"
)

func init() { tributary.Serve(chat.Class(agent.Agent{Name: "Poet"}, demo.Provider)) }

func main() { tributary.Main() }
`

// ownScript is a file of a main package that runs scripts.
const ownScript = `package main

import (
	"os"

	"github.com/tributary-agents/tributary/durable/script"
)

func init() {
	if len(os.Args) > 99 {
		script.Close{}.Run()
	}
}
`

// own makes a project outside of this module, which is replaced by the checkout. Its folder's name has
// a blank. Nothing is downloaded.
func own(t *testing.T) (Project, *bytes.Buffer) {
	t.Helper()
	checkout, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	mod, sum := read(t, filepath.Join(checkout, "go.mod")), read(t, filepath.Join(checkout, "go.sum"))
	_, requires, _ := strings.Cut(mod, "require (")
	requires, _, _ = strings.Cut(requires, "\ntool ")
	requires = "require (\n\t" + framework + " v0.2.0" + requires
	dir := filepath.Join(t.TempDir(), "my app")
	write(t, dir, "go.mod", "module example.com/my-app.v2\n\ngo 1.26.0\n\n"+requires+"\nreplace "+framework+" => "+checkout+"\n")
	write(t, dir, "go.sum", sum)
	write(t, dir, "main.go", ownMain)
	write(t, dir, ConfigFile, ownConfig)
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	var said bytes.Buffer
	return Project{Dir: dir, Main: "example.com/my-app.v2", Classes: []durable.Class{{Name: "Poet"}}, Out: &said}, &said
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// refuses checks that an error says all of some words.
func refuses(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("got no error, want one that says %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("got %q, want it to say %q", err, w)
		}
	}
}

func build(t *testing.T, p Project) {
	t.Helper()
	if err := p.Build(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// written returns when each file of a build was written.
func written(t *testing.T, p Project) map[string]time.Time {
	t.Helper()
	times := map[string]time.Time{}
	err := filepath.WalkDir(p.path(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		name, _ := filepath.Rel(p.path(), path)
		times[filepath.ToSlash(name)] = info.ModTime()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return times
}

// TestBuild goes through the life of a project: built, built again, with an agent more, of another
// version, with a front door of its own, and without a page.
func TestBuild(t *testing.T) {
	draw.Long(t, "it builds a project, and ./build.sh test runs it")
	p, said := own(t)
	ctx := context.Background()
	build(t, p)
	files := written(t, p)
	for _, name := range []string{
		"VERSION", "about.json", "agents.wasm", "frontdoor.wasm", "runtime.js", "wasm_exec.js", "web/index.html", "worker.js",
	} {
		if files[name].IsZero() {
			t.Errorf("there is no %s", name)
		}
	}
	if _, there := files[engineFile]; there {
		t.Error("the engine is there, and no agent runs scripts")
	}
	const want = generated + `import "./wasm_exec.js";
import { env } from "cloudflare:workers";
import about from "./about.json";
import door from "./frontdoor.wasm";
import agents from "./agents.wasm";
import { ModuleObject, prepare, serve } from "./runtime.js";

export class Poet extends ModuleObject {
  static module = agents;
  static agent = "Poet";
}

prepare(agents, "Poet");

export default { fetch: serve(door, { ...env }, about) };
`
	if got := read(t, p.path("worker.js")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := read(t, p.path("about.json")); !strings.Contains(got, `"agent": "poet"`) {
		t.Errorf("about.json: got %s", got)
	}

	// A file that is the same is not written, and what is not of the page is removed.
	write(t, p.path("web"), "old/page.js", "")
	build(t, p)
	for name, at := range written(t, p) {
		if !at.Equal(files[name]) {
			t.Errorf("%s was written again", name)
		}
	}
	if err := p.checkSize(); err != nil || said.Len() > 0 {
		t.Errorf("size: got %v and %q", err, said)
	}

	// A helper needs nothing in the configuration, and a root needs two lines.
	more := p
	more.Classes = append(slices.Clone(p.Classes), durable.Class{Name: "Rhymer", Helper: true})
	build(t, more)
	if got := read(t, p.path("worker.js")); !strings.Contains(got, "export class Rhymer extends ModuleObject") {
		t.Errorf("got %s, want a helper in it", got)
	}
	more.Classes = append(more.Classes, durable.Class{Name: "Critic"})
	for _, run := range []func(context.Context) error{more.Build, more.Check} {
		refuses(t, run(ctx), `{ "name": "Critic", "class_name": "Critic" }`, `{ "tag": "v2", "new_sqlite_classes": ["Critic"] }`)
	}

	// A module that was put there by hand is refused, and one of an earlier version is built anew.
	stamp, foreign := read(t, p.path("VERSION")), importing(fmt.Sprint(abi.NamespacePrefix, abi.Version+1))
	write(t, p.path(), agentsModule, foreign)
	for _, run := range []func(context.Context) error{p.Build, p.Check} {
		refuses(t, run(ctx), fmt.Sprintf("the host speaks version %d, the module speaks version %d", abi.Version, abi.Version+1))
	}
	if read(t, p.path(agentsModule)) != foreign {
		t.Error("the foreign module was built anew")
	}
	write(t, p.path(), "VERSION", "v0.1.0 0123456789abcdef go1.26.0\n")
	said.Reset()
	if err := p.Check(ctx); err == nil || !strings.Contains(said.String(), ".tributary was made with v0.1.0") {
		t.Errorf("another version: got %v and %q", err, said) // the error is that of the missing tool
	}
	build(t, p)
	if read(t, p.path(agentsModule)) == foreign || read(t, p.path("VERSION")) != stamp {
		t.Error("the module of another version was not built anew")
	}

	// An agent that runs scripts brings the engine.
	write(t, p.Dir, "script.go", ownScript)
	build(t, p)
	if got := read(t, p.path(engineFile)); got != string(quickjs.Engine) {
		t.Errorf("the engine has %d bytes, want %d", len(got), len(quickjs.Engine))
	}
	const scripted = `import agents from "./agents.wasm";
import engine from "./quickjs.wasm";
import { ModuleObject, prepare, provideEngine, serve } from "./runtime.js";

export class Poet extends ModuleObject {
  static module = agents;
  static agent = "Poet";
}

provideEngine(agents, engine);

prepare(agents, "Poet");
`
	if got := read(t, p.path("worker.js")); !strings.Contains(got, scripted) {
		t.Errorf("got %s, want the engine in it", got)
	}

	// Two Workers for the Free plan: the objects are deployed first.
	write(t, p.Dir, "node_modules/wrangler/bin/wrangler.js", "")
	node := filepath.Join("node_modules", "node", "bin", "node")
	write(t, p.Dir, node, "#!/bin/sh\n[ \"$1\" = --version ] && echo v22.12.0 || echo \"$2 $3 $(basename \"$4\") $5\"\n")
	if err := os.Chmod(filepath.Join(p.Dir, node), 0o755); err != nil {
		t.Fatal(err)
	}
	said.Reset()
	if err := p.Deploy(ctx, true, []string{"--dry-run"}); err != nil || said.String() != "deploy -c agents.json --dry-run\ndeploy -c door.json --dry-run\n" {
		t.Errorf("deploy: got %v and %q", err, said)
	}
	if got := read(t, p.path("free", "agents.js")); strings.Contains(got, "frontdoor") || !strings.Contains(got, "export class Poet") || !strings.Contains(got, `import engine from "../quickjs.wasm";`) {
		t.Errorf("free/agents.js: got %s", got)
	}
	if got := read(t, p.path("free", "door.js")); strings.Contains(got, "Poet") || strings.Contains(got, "engine") || !strings.Contains(got, "serve(door, { ...env }, about)") {
		t.Errorf("free/door.js: got %s", got)
	}

	// The engine goes when the last agent that runs scripts has gone.
	if err := os.Remove(filepath.Join(p.Dir, "script.go")); err != nil {
		t.Fatal(err)
	}
	build(t, p)
	if _, err := os.Stat(p.path(engineFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the engine is still there: %v", err)
	}
	if got := read(t, p.path("worker.js")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}

	// A front door of the project's own takes the place of the framework's.
	write(t, p.Dir, "frontdoor/main.go", "package main\n\nfunc main() { println(\"a door of one's own\") }\n")
	build(t, p)
	if !strings.Contains(read(t, p.path(doorModule)), "a door of one's own") {
		t.Error("the project's front door was not built")
	}

	// Without assets in the configuration there is no page.
	if err := os.RemoveAll(p.path()); err != nil {
		t.Fatal(err)
	}
	write(t, p.Dir, ConfigFile, strings.Replace(ownConfig, `"directory": ".tributary/web"`, `"directory": "public"`, 1))
	build(t, p)
	if _, err := os.Stat(p.path("web")); !os.IsNotExist(err) {
		t.Errorf("the page is there: %v", err)
	}

	// A main package that registers nothing makes no module of Tributary, and what does not compile says so.
	write(t, p.Dir, "main.go", "package main\n\nfunc main() {}\n")
	refuses(t, p.Build(ctx), "is no module of Tributary: call tributary.Serve")
	write(t, p.Dir, "main.go", "package main\n\nfunc main() { missing() }\n")
	refuses(t, p.Build(ctx), "example.com/my-app.v2 does not build", "undefined: missing")
}

// TestCheck shows that check is quiet when all is well, and what it says otherwise, by way of the
// project's own program.
func TestCheck(t *testing.T) {
	draw.Long(t, "it builds a project, and ./build.sh test runs it")
	p, _ := own(t)
	run := func(args ...string) (string, error) {
		cmd := exec.Command("go", append([]string{"run"}, args...)...)
		cmd.Dir = p.Dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	expect := func(fails bool, words string, args ...string) {
		t.Helper()
		said, err := run(args...)
		if (err != nil) != fails || words == "" && said != "" || !strings.Contains(said, words) {
			t.Errorf("%v: got %q and %v, want it to say %q, and an error: %v", args, said, err, words, fails)
		}
	}
	expect(true, "go get -tool "+analyser, ".", "check")
	write(t, p.Dir, "go.mod", read(t, filepath.Join(p.Dir, "go.mod"))+"\ntool "+analyser+"\n")
	expect(false, "", ".", "check")
	write(t, p.Dir, "main_test.go", "package main\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n")
	expect(false, "ok  \texample.com/my-app.v2", ".", "test")
	write(t, p.Dir, "package.json", `{ "devDependencies": { "wrangler": "4.1.0", "node": "22.12.0" } }`)
	config := strings.NewReplacer("2026-10-01", "2025-01-01", `, "/tributary.json"`, "", "\n", "\r\n").Replace(ownConfig)
	write(t, p.Dir, ConfigFile, config)
	said, err := run(".", "check")
	for _, words := range []string{`"compatibility_date": "`, `assets.run_worker_first: "/tributary.json"`, `"wrangler": "`, `"node": "`} {
		if err != nil || !strings.Contains(said, words) {
			t.Errorf("got %q and %v, want it to say %q", said, err, words)
		}
	}
	if read(t, filepath.Join(p.Dir, ConfigFile)) != config {
		t.Error("the configuration was written")
	}
	write(t, p.Dir, "wrong_test.go", "package main\n\nimport \"fmt\"\n\nfunc init() { fmt.Printf(\"%d\", \"text\") }\n")
	expect(true, "fmt.Printf format %d has arg", ".", "check")
	expect(true, "go run . and not go run main.go", "main.go", "check")
	expect(true, "there is no command \"chekc\"", ".", "chekc")
	expect(true, "wrangler is not installed: run npm install", ".", "deploy")
}
