package scaffold

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/tributary-agents/tributary/internal/draw"
)

// published is a framework as a user has it.
var published = Framework{Version: "v0.2.0", Sum: "h1:4vUj8nPMhGUfAmzR9GyjEtnkCSzDBmNMh8m9Wo4D2fw="}

// render returns the files of a project by their paths.
func render(t *testing.T, o Options) map[string]string {
	t.Helper()
	list, err := files(o)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range list {
		texts[f.path] = string(f.text)
	}
	return texts
}

// tree returns the files in a folder by their paths.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		texts[filepath.ToSlash(name)] = string(read(t, path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// same reports the files in which two projects differ.
func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if have, ok := got[name]; !ok {
			t.Errorf("%s is missing", name)
		} else if have != text {
			t.Errorf("%s differs:\n%s\nwant:\n%s", name, have, text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is one too many", name)
		}
	}
}

// TestStarter checks that examples/starter is what a new project in its place would be. With -update
// it writes the templates and the example anew.
func TestStarter(t *testing.T) {
	if *update {
		renew(t)
		return
	}
	got := tree(t, starter)
	for name := range got { // what a person who tries the example has there is ignored by its .gitignore
		if top, _, _ := strings.Cut(name, "/"); slices.Contains([]string{".tributary", ".wrangler", "node_modules", ".dev.vars"}, top) {
			delete(got, name)
		}
	}
	same(t, got, render(t, Options{Dir: starter, Framework: fromCheckout(t)}))
	if t.Failed() {
		t.Log("write it anew with: go test ./internal/project/scaffold -run TestStarter -update")
	}
}

// TestStarterWorks checks the example with what its reader would run, without a network and with the
// go.mod and go.sum that are there.
func TestStarterWorks(t *testing.T) {
	draw.Long(t, "it builds a project, and ./build.sh test runs it")
	works(t, starter)
}

func works(t *testing.T, dir string) {
	t.Helper()
	for _, line := range []string{"vet ./...", "tool wirevet ./...", "test ./..."} {
		goCommand(t, dir, strings.Fields(line)...)
	}
}

// TestNewWorks makes the smallest project, in a folder with a blank, with the path of a published
// module, and checks it as a user would.
func TestNewWorks(t *testing.T) {
	draw.Long(t, "it builds a project, and ./build.sh test runs it")
	dir := filepath.Join(t.TempDir(), "My App")
	written, err := New(Options{Dir: dir, Module: "example.com/me/app/v2", Empty: true, NoPage: true, Framework: fromCheckout(t)})
	if err != nil {
		t.Fatal(err)
	}
	got := tree(t, dir)
	if len(written) != len(got) {
		t.Errorf("%d files are told of, and %d are there", len(written), len(got))
	}
	works(t, dir)
	same(t, tree(t, dir), got)
	for _, name := range []string{"wrangler.jsonc", "package.json"} {
		if !strings.Contains(got[name], `"name": "my-app"`) {
			t.Errorf("%s does not have the name my-app:\n%s", name, got[name])
		}
	}
	for _, name := range []string{"wrangler.jsonc", "README.md", "main.go"} {
		if strings.Contains(got[name], "assets") || strings.Contains(got[name], "page at") || strings.Contains(got[name], "the page") {
			t.Errorf("%s tells of a page, and the project has none:\n%s", name, got[name])
		}
	}
	for name, text := range got {
		if strings.Contains(text, "esearch") {
			t.Errorf("%s tells of the example, and the project is empty:\n%s", name, text)
		}
	}
}

// TestModuleIsAlone checks that nothing of the tool, of wazero or of SQLite is in the module that
// runs in the objects.
func TestModuleIsAlone(t *testing.T) {
	out := goCommandWith(t, starter, append([]string{"GOOS=wasip1", "GOARCH=wasm"}, offline...), "list", "-deps", ".")
	packages := strings.Fields(out)
	if !slices.Contains(packages, framework+"/durable/chat") {
		t.Fatalf("the module has no agents:\n%s", out)
	}
	for _, p := range packages {
		if strings.HasPrefix(p, framework+"/internal/project") || strings.HasPrefix(p, framework+"/internal/embedded") ||
			strings.Contains(p, "wazero") || strings.Contains(p, "sqlite") || p == "os/exec" {
			t.Errorf("the module has %s", p)
		}
	}
}

// variants are all kinds of projects.
var variants = []Options{{}, {NoPage: true}, {Empty: true}, {Empty: true, NoPage: true}}

// TestSameEverywhere checks that the folder around a project, the time and chance do not show in its
// files.
func TestSameEverywhere(t *testing.T) {
	for _, o := range variants {
		o.Framework = published
		o.Dir = filepath.Join(t.TempDir(), "one", "app")
		want := render(t, o)
		o.Dir = filepath.Join(t.TempDir(), "another", "app")
		same(t, render(t, o), want)
		if len(want) > 15 {
			t.Errorf("%d files, want 15 at most", len(want))
		}
		if strings.Contains(want["go.mod"], "replace") || !strings.Contains(want["go.mod"], "require "+framework+" v0.2.0\n") {
			t.Errorf("go.mod: %s", want["go.mod"])
		}
	}
}

// TestFormatted checks that the files have the form that Go's own tools give them.
func TestFormatted(t *testing.T) {
	for _, o := range variants {
		o.Dir, o.Module, o.Framework = "app", "example.com/app", published
		for name, text := range render(t, o) {
			want := []byte(text)
			var err error
			switch {
			case path.Ext(name) == ".go":
				want, err = format.Source([]byte(text))
			case name == "go.mod":
				var f *modfile.File
				if f, err = modfile.Parse(name, []byte(text), nil); err == nil {
					want, err = f.Format()
				}
			case name == "go.sum":
				lines := strings.SplitAfter(text, "\n")
				slices.Sort(lines[:len(lines)-1])
				want = []byte(strings.Join(lines, ""))
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if !bytes.Equal(want, []byte(text)) || !strings.HasSuffix(text, "\n") || strings.Contains(text, "\n\n\n") || strings.Contains(text, "{{") {
				t.Errorf("%s is not in form:\n%s", name, text)
			}
		}
	}
}

// TestRefusals checks that a project that cannot be made leaves everything as it was.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	if err := os.Mkdir(full, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(full, ".env"), []byte("KEY=1\n"))
	before := tree(t, dir)
	for name, test := range map[string]struct {
		o       Options
		refusal string
	}{
		"no folder":             {Options{}, "the folder of the project is missing"},
		"not empty":             {Options{Dir: full}, "is not empty, it has .env"},
		"a file":                {Options{Dir: filepath.Join(full, ".env")}, "is a file"},
		"no folder around it":   {Options{Dir: filepath.Join(dir, "a", "b")}, "is no folder"},
		"a file around it":      {Options{Dir: filepath.Join(full, ".env", "b")}, "is no folder"},
		"no module path":        {Options{Dir: filepath.Join(dir, "b"), Module: "a b"}, `"a b" is no module path, choose another one with -module: invalid char ' '`},
		"no module path either": {Options{Dir: filepath.Join(dir, "b"), Module: "example.com/a/v1"}, "is no module path"},
		"a name of Windows":     {Options{Dir: filepath.Join(dir, "con")}, `"con" is no module path`},
		"Go's own":              {Options{Dir: filepath.Join(dir, "log")}, "log belongs to Go itself"},
		"Tributary's own":       {Options{Dir: filepath.Join(dir, "b"), Module: framework}, "is the path of Tributary itself"},
	} {
		t.Run(name, func(t *testing.T) {
			test.o.Framework = published
			_, err := New(test.o)
			refused(t, err, test.refusal)
			same(t, tree(t, dir), before)
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("%d entries, want one", len(entries))
			}
		})
	}
}

// refused checks that an error is one sentence that has some words.
func refused(t *testing.T, err error, words string) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("got no error, want one that says %q", words)
	case !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n"):
		t.Errorf("got %q, want one line that says %q", err, words)
	}
}

// TestOldGo checks projects against other go commands.
func TestOldGo(t *testing.T) {
	for answer, refusal := range map[string]string{
		"go1.25.3\nlocal\n":       "this is Go 1.25.3: install Go 1.26 or newer",
		"go1.25.3\ngo1.25.3\n":    "this is Go 1.25.3",
		"go1.25.3\nauto\n":        "", // fetches a newer one by itself
		"go1.25\ngo1.25+auto\n":   "",
		"go1.26.0\nlocal\n":       "",
		"devel go1.27-c0ffee\n\n": "",
	} {
		bin := t.TempDir()
		put(t, filepath.Join(bin, "go"), []byte("#!/bin/sh\nprintf '"+strings.ReplaceAll(answer, "\n", `\n`)+"'\n"))
		if err := os.Chmod(filepath.Join(bin, "go"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", bin)
		if err := checkGo(); refusal != "" {
			refused(t, err, refusal)
		} else if err != nil {
			t.Errorf("%q: %v", answer, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	refused(t, checkGo(), "the go command does not run, install Go 1.26 or newer")
}

// TestHalfWritten checks that a failure names its file, and that nothing is overwritten.
func TestHalfWritten(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "b"), []byte("mine"))
	written, err := write(dir, []file{{"a", []byte("1")}, {"b/c", []byte("2")}, {"d", []byte("3")}})
	refused(t, err, filepath.Join(dir, "b", "c")+" cannot be written, and the project is not complete")
	if !slices.Equal(written, []string{"a"}) {
		t.Errorf("got %q", written)
	}
	_, err = write(dir, []file{{"b", []byte("2")}})
	refused(t, err, filepath.Join(dir, "b")+" cannot be written")
	_, err = write(dir, []file{{"../out", []byte("2")}})
	refused(t, err, "cannot be written")
	same(t, tree(t, dir), map[string]string{"a": "1", "b": "mine"})
}
