package scaffold

import (
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/tributary-agents/tributary/internal/embedded"
)

var update = flag.Bool("update", false, "write the requirements and the scripts of the templates, and the example")

// The framework's folder, and the project in it that is what a new one is.
const (
	source  = "../../.."
	starter = source + "/examples/starter"
)

// fromCheckout is a framework in this folder.
func fromCheckout(t *testing.T) Framework {
	t.Helper()
	dir, err := filepath.Abs(source)
	if err != nil {
		t.Fatal(err)
	}
	return Framework{Version: "v0.0.0", Checkout: dir}
}

// offline has the go command fetch nothing, and change neither go.mod nor go.sum. A few seeds of the
// simulation show that it runs.
var offline = []string{"GOFLAGS=", "GOPROXY=off", "GOWORK=off", "TRIBUTARY_SEEDS=5"}

// goCommand runs the go command in a project, without a network.
func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return goCommandWith(t, dir, offline, args...)
}

func goCommandWith(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// modSum returns the checksum of the framework's go.mod, as in a go.sum.
func modSum(t *testing.T) string {
	t.Helper()
	sum, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) {
		return os.Open(filepath.Join(source, "go.mod"))
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// renew writes what the templates hold of the framework: the requirements as go mod tidy leaves them
// in a project, the lock file as npm makes it of package.json, and the scripts as the agents play them now. The next build of the tests has them.
func renew(t *testing.T) {
	t.Helper()
	bare := filepath.Join(t.TempDir(), "bare")
	for _, o := range []Options{{Dir: starter, Framework: fromCheckout(t)}, {Dir: bare, Empty: true, Framework: fromCheckout(t)}} {
		if err := os.RemoveAll(o.Dir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(o.Dir), 0o755); err != nil {
			t.Fatal(err)
		}
		files, err := files(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := write(o.Dir, files); err != nil {
			t.Fatal(err)
		}
		goCommandWith(t, o.Dir, nil, "mod", "tidy")
		goCommandWith(t, o.Dir, nil, "test", "./agents", "-run", "TestScripts", "-update")
	}
	required := regexp.MustCompile(`(?s)\nrequire \(\n.*?\n\)\n`)
	put(t, common+"/go.mod.txt", required.ReplaceAllLiteral(read(t, common+"/go.mod.txt"), required.Find(read(t, starter+"/go.mod"))))
	put(t, common+"/go.sum.txt", sums(t, read(t, starter+"/go.sum")))
	put(t, common+"/package-lock.json.txt", lock(t))
	for folder, project := range map[string]string{example: starter, empty: bare} {
		scripts, err := filepath.Glob(folder + "/agents/testdata/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range scripts {
			put(t, path, read(t, filepath.Join(project, "agents/testdata", strings.TrimSuffix(filepath.Base(path), ".txt"))))
		}
	}
}

// lock returns the template of the lock file, and writes the starter's. The hashes of all packages are in
// it, also of those for other platforms, and no address of a registry.
func lock(t *testing.T) []byte {
	t.Helper()
	cmd := exec.Command("npm", "install", "--package-lock-only", "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund")
	cmd.Dir = starter
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm: %v\n%s", err, out)
	}
	tested := embedded.Tested()
	return []byte(strings.NewReplacer(
		`"name": "starter"`, `"name": "{{.Name}}"`,
		`"node": "`+tested.Node+`",`, `"node": "{{.Tested.Node}}",`,
		`"wrangler": "`+tested.Wrangler+`"`, `"wrangler": "{{.Tested.Wrangler}}"`,
	).Replace(string(read(t, starter+"/package-lock.json"))))
}

// sums adds what a project needs of a published framework to the checksums of the other modules, at
// its place in the order.
func sums(t *testing.T, others []byte) []byte {
	t.Helper()
	lines := strings.SplitAfter(string(others), "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return line > framework+" " })
	own := "{{if .Sum}}" + framework + " {{.Version}} {{.Sum}}\n" + framework + " {{.Version}}/go.mod " + modSum(t) + "\n{{end}}"
	return []byte(strings.Join(slices.Insert(lines, at, own), ""))
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

func put(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
