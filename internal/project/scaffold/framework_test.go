package scaffold

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/model/anthropic"
)

// TestRequirements compares what a project requires with what the framework does.
func TestRequirements(t *testing.T) {
	project := render(t, Options{Dir: "app", Framework: published})
	own, err := modfile.Parse("go.mod", read(t, source+"/go.mod"), nil)
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{framework: published.Version}
	for _, r := range own.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	its, err := modfile.Parse("go.mod", []byte(project["go.mod"]), nil)
	if err != nil {
		t.Fatal(err)
	}
	if its.Go.Version != own.Go.Version || its.Module.Mod.Path != "app" {
		t.Errorf("module %s, Go %s, want app, %s", its.Module.Mod.Path, its.Go.Version, own.Go.Version)
	}
	if !strings.HasPrefix(own.Go.Version, strings.TrimPrefix(oldestGo, "go")+".") {
		t.Errorf("the oldest Go is %s, and go.mod says %s", oldestGo, own.Go.Version)
	}
	for _, r := range its.Require {
		if r.Mod.Version != versions[r.Mod.Path] {
			t.Errorf("a project requires %s, and the framework %s", r.Mod, versions[r.Mod.Path])
		}
	}
	allowed := strings.SplitAfter(string(read(t, source+"/go.sum")), "\n")
	allowed = append(allowed, framework+" v0.2.0 "+published.Sum+"\n", framework+" v0.2.0/go.mod "+modSum(t)+"\n")
	for line := range strings.Lines(project["go.sum"]) {
		if !slices.Contains(allowed, line) {
			t.Errorf("the go.sum of a project has %s", line)
		}
	}
	if t.Failed() {
		t.Log("write them anew with: go test ./internal/project/scaffold -run TestStarter -update")
	}
}

// TestVersions compares what the templates say of Wrangler, Node and the platform with this
// repository.
func TestVersions(t *testing.T) {
	project := render(t, Options{Dir: "app", Framework: published})
	var its struct{ DevDependencies map[string]string }
	if err := json.Unmarshal([]byte(project["package.json"]), &its); err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Version string }
	}
	if err := json.Unmarshal(read(t, source+"/package-lock.json"), &lock); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, name := range []string{"node", "wrangler"} {
		want[name] = lock.Packages["node_modules/"+name].Version
	}
	if !maps.Equal(its.DevDependencies, want) {
		t.Errorf("got %v, want %v", its.DevDependencies, want)
	}
	date := regexp.MustCompile(`"compatibility_date": "[^"]*"`)
	if got, want := date.FindString(project["wrangler.jsonc"]), date.Find(read(t, source+"/wrangler.jsonc")); got == "" || got != string(want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestLock shows that the lock file of a project pins every package of every platform by its hash, and
// names no registry.
func TestLock(t *testing.T) {
	project := render(t, Options{Dir: "app", Framework: published})
	type entry struct {
		Version, Integrity, Resolved          string
		OptionalDependencies, DevDependencies map[string]string
	}
	var lock struct {
		Name            string
		LockfileVersion int
		Packages        map[string]entry
	}
	if err := json.Unmarshal([]byte(project["package-lock.json"]), &lock); err != nil {
		t.Fatal(err)
	}
	var its struct{ DevDependencies map[string]string }
	if err := json.Unmarshal([]byte(project["package.json"]), &its); err != nil {
		t.Fatal(err)
	}
	root := lock.Packages[""]
	if lock.Name != "app" || lock.LockfileVersion != 3 || !maps.Equal(root.DevDependencies, its.DevDependencies) {
		t.Errorf("got %s, version %d, %v, want app, 3, %v", lock.Name, lock.LockfileVersion, root.DevDependencies, its.DevDependencies)
	}
	delete(lock.Packages, "")
	for name, version := range its.DevDependencies {
		if got := lock.Packages["node_modules/"+name].Version; got != version {
			t.Errorf("%s is locked at %q, want %s", name, got, version)
		}
	}
	optional := 0
	for path, p := range lock.Packages {
		if !strings.HasPrefix(p.Integrity, "sha512-") || p.Resolved != "" {
			t.Errorf("%s: got the hash %q and the address %q, want a SHA-512 and none", path, p.Integrity, p.Resolved)
		}
		for name := range p.OptionalDependencies {
			optional++
			if lock.Packages["node_modules/"+name].Version == "" && lock.Packages[path+"/node_modules/"+name].Version == "" {
				t.Errorf("%s, which %s has on another platform, is not locked", name, path)
			}
		}
	}
	if optional < 40 {
		t.Errorf("%d packages are those of a platform, want them of all", optional)
	}
	if strings.Contains(project["package-lock.json"], "registry.") {
		t.Error("a registry is named")
	}
}

// TestIgnored shows what a new project keeps out of its repository.
func TestIgnored(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	put(t, filepath.Join(dir, ".gitignore"), []byte(render(t, Options{Dir: "app", Framework: published})[".gitignore"]))
	for name, want := range map[string]bool{
		".dev.vars": true, ".dev.vars.staging": true, ".dev.vars.local": true, "part/.dev.vars.live": true, ".env": true, ".env.local": true, ".envrc": true,
		"part/.env.live": true, ".tributary/worker.js": true, "node_modules/x": true, ".wrangler/x": true,
		".dev.vars.example": false, ".env.example": false, "main.go": false, "package-lock.json": false, "wrangler.jsonc": false,
	} {
		cmd := exec.Command("git", "check-ignore", "-q", name)
		cmd.Dir = dir
		if got := cmd.Run() == nil; got != want {
			t.Errorf("%s is ignored: %v, want %v", name, got, want)
		}
	}
}

// TestVariables checks that the example of .dev.vars has every variable of the models, and sets
// none.
func TestVariables(t *testing.T) {
	text := render(t, Options{Dir: "app", Framework: published})[".dev.vars.example"]
	var got []string
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			t.Errorf("sets %s", line)
		}
		if name, _, found := strings.Cut(strings.TrimPrefix(line, "# "), "="); found {
			got = append(got, name)
		}
	}
	want := []string{
		model.VarProvider, model.VarName, model.VarKey, model.VarBaseURL, model.VarMaxTokens, model.VarMaxTokensField, anthropic.VarThinking, model.VarOutput,
		model.VarFirstByteTimeout, model.VarIdleTimeout, model.VarTimeout,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestModuleOf checks which framework a program is built from.
func TestModuleOf(t *testing.T) {
	for name, test := range map[string]struct {
		info debug.BuildInfo
		want Framework
	}{
		"fetched to run": {debug.BuildInfo{Main: debug.Module{Path: framework, Version: "v0.2.0", Sum: "h1:x="}}, Framework{Version: "v0.2.0", Sum: "h1:x="}},
		"required by a project": {
			debug.BuildInfo{Main: debug.Module{Path: "app", Version: "v1.0.0", Sum: "h1:y="}, Deps: []*debug.Module{{Path: "a"}, {Path: framework, Version: "v0.3.0", Sum: "h1:z="}}},
			Framework{Version: "v0.3.0", Sum: "h1:z="},
		},
		"checkout":                        {debug.BuildInfo{Main: debug.Module{Path: framework, Version: "(devel)"}}, Framework{Version: "(devel)"}},
		"checkout with a made-up version": {debug.BuildInfo{Main: debug.Module{Path: framework, Version: "v0.2.1-0.20261123-c0ffee+dirty"}}, Framework{Version: "v0.2.1-0.20261123-c0ffee+dirty"}},
		"replaced":                        {debug.BuildInfo{Deps: []*debug.Module{{Path: framework, Version: "v0.2.0", Replace: &debug.Module{Path: "../tributary"}}}}, Framework{}},
	} {
		if m := moduleOf(&test.info); m.Version != test.want.Version || m.Sum != test.want.Sum {
			t.Errorf("%s: got %+v, want %+v", name, m, test.want)
		}
	}
	running, err := Running()
	if want := fromCheckout(t); err != nil || running != want {
		t.Errorf("got %+v, %v, want %+v", running, err, want)
	}
}

// TestReplacement checks what a go.mod says of a checkout.
func TestReplacement(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for project, want := range map[string]string{
		root + "/examples/app": "../..",
		root + "/app":          "..",
		root + "/../app":       root,
	} {
		if strings.Contains(project, "examples") {
			if err := os.Mkdir(filepath.Dir(project), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := replacement(filepath.Clean(project), root); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", project, got, err, want)
		}
	}
	blank := filepath.Join(root, "a b")
	if err := os.Mkdir(blank, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := replacement(filepath.Join(root, "app"), blank); err != nil || got != `"`+blank+`"` {
		t.Errorf("got %s, %v, want it in quotes", got, err)
	}
}
