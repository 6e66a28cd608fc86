package onmodule

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tributary-agents/tributary/internal/project/module"
)

// programs are the programs of this process, by the folder of go.mod and the main package.
var programs sync.Map

// programOf returns the program of a main package in the module of the working directory.
func programOf(main string) (*program, error) {
	root, err := root()
	if err != nil {
		return nil, err
	}
	key := [2]string{root, main}
	p, known := programs.Load(key)
	if !known {
		p, _ = programs.LoadOrStore(key, &program{build: sync.OnceValues(func() (built, error) { return build(root, main) })})
	}
	return p.(*program), nil
}

// root returns the folder of go.mod.
func root() (string, error) {
	out, err := run(".", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	mod := strings.TrimSpace(out)
	if filepath.Base(mod) != "go.mod" {
		return "", errors.New("onmodule: this folder belongs to no Go module: make one with go mod init")
	}
	return filepath.Dir(mod), nil
}

// built is a module, and the folder that keeps what is compiled of it.
type built struct {
	code  []byte
	cache string
}

// build builds a main package. It keeps the module, because the go command does not link again what
// is up to date.
func build(root, main string) (built, error) {
	path, err := depend(root, main)
	if err != nil {
		return built{}, err
	}
	b := built{cache: cacheOf(path)}
	if err := os.MkdirAll(b.cache, 0o755); err != nil {
		return b, fmt.Errorf("onmodule: %w", err)
	}
	scratch, err := os.MkdirTemp(b.cache, "build")
	if err != nil {
		return b, fmt.Errorf("onmodule: %w", err)
	}
	defer os.RemoveAll(scratch)
	kept, output := filepath.Join(b.cache, "module.wasm"), filepath.Join(scratch, "module.wasm")
	// Without the last module everything is linked again. A file that is no module would be refused.
	if last, err := os.ReadFile(kept); err == nil && bytes.HasPrefix(last, []byte("\x00asm")) {
		_ = os.WriteFile(output, last, 0o644)
	}
	args := slices.Concat([]string{"build"}, module.AgentFlags(), []string{"-o", output, main})
	if out, err := run(root, args...); err != nil {
		return b, fmt.Errorf("onmodule: %s does not build for wasip1: %w\n%s", path, err, out)
	}
	if os.Rename(output, kept) == nil { // some systems refuse it while another process reads the file
		output = kept
	}
	shipped := filepath.Join(b.cache, "shipped.wasm")
	if _, err := module.Start(context.Background(), output, shipped); err != nil {
		return b, fmt.Errorf("onmodule: %w", err)
	}
	if b.code, err = os.ReadFile(shipped); err != nil {
		return b, fmt.Errorf("onmodule: %w", err)
	}
	return b, nil
}

// cacheOf returns the folder that keeps what is built of a main package, given its import path.
func cacheOf(path string) string {
	user, err := os.UserCacheDir()
	if err != nil {
		user = os.TempDir()
	}
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(user, "tributary", "onmodule", hex.EncodeToString(sum[:8]))
}

// sources is the template of go list for the packages of a program: the main package's import path,
// and the folders and embedded files of those in the main module.
const sources = `{{if not .DepOnly}}{{.Name}} {{.ImportPath}}
{{end}}{{with .Module}}{{if .Main}}{{$.Dir}}{{range $.EmbedFiles}}
{{$.Dir}}/{{.}}{{end}}{{end}}{{end}}`

// depend returns the import path of a main package. It opens the files of the program, because go
// test repeats a test only if something has changed that the test was built from or has opened.
func depend(root, main string) (path string, err error) {
	out, err := run(root, "list", "-deps", "-f", sources, main)
	if err != nil {
		return "", fmt.Errorf("onmodule: the main package %q of %s: %w\n%s", main, root, err, out)
	}
	files := []string{filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")}
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if name, found, ok := strings.Cut(line, " "); ok && !filepath.IsAbs(line) {
			if name != "main" {
				return "", fmt.Errorf("onmodule: %s is package %s and no main package: name one with onmodule.Main", found, name)
			}
			path = found
			continue
		}
		files = append(files, line)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if errors.Is(err, fs.ErrNotExist) { // a module without requirements has no go.sum
			continue
		}
		if err != nil {
			return "", fmt.Errorf("onmodule: %w", err)
		}
		_ = f.Close()
	}
	return path, nil
}

// run runs the go command for wasip1, without the network, and returns what it prints.
func run(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if missing := (&exec.Error{}); errors.As(err, &missing) {
		return "", fmt.Errorf("onmodule: the go command builds the module: %w", err)
	}
	return string(out), err
}

// keep is how many compiled modules stay in the cache of a program. One has some 30 MB.
const keep = 4

// prune deletes the compiled modules that are older than those.
func prune(cache string) error {
	files, err := filepath.Glob(filepath.Join(cache, "wazero-*", "*"))
	if err != nil {
		return err
	}
	age := map[string]int64{}
	for _, f := range files {
		if info, err := os.Stat(f); err == nil { // another process may delete it
			age[f] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(age[b], age[a]) })
	for _, f := range files[min(keep, len(files)):] {
		_ = os.Remove(f)
	}
	return nil
}
