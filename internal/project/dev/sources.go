package dev

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// sources are the files that a build is made of: Go's files and what they embed, in the project's
// module and in modules that go.mod replaces with a folder, and the project's configuration.
type sources struct {
	// modules are the folders of the modules, by their paths.
	modules map[string]string
	// packages are the folders of Go packages, also of those that are imported and missing.
	packages map[string]bool
	// files are files with names of their own.
	files map[string]bool
	// embeds are the patterns of go:embed, by the folder of their package.
	embeds map[string][]string
	// embedded are the folders of embedded files.
	embedded map[string]bool
}

// goPackage is a package as go list describes it.
type goPackage struct {
	ImportPath, Dir string
	EmbedPatterns   []string
	EmbedFiles      []string
	Module          *struct {
		Path, Dir string
		Main      bool
		Replace   *struct{ Version string }
	}
}

// local reports whether a package belongs to a module that may be edited.
func (p goPackage) local() bool {
	return p.Module != nil && (p.Module.Main || p.Module.Replace != nil && p.Module.Replace.Version == "")
}

// list finds the sources of a project with go list, which also describes packages that do not
// compile.
func list(ctx context.Context, dir, main, workspace string) (*sources, error) {
	args := []string{"list", "-e", "-deps", "-json=ImportPath,Dir,EmbedPatterns,EmbedFiles,Module", main}
	front := filepath.Join(dir, "frontdoor")
	if info, err := os.Stat(front); err == nil && info.IsDir() {
		args = append(args, "./frontdoor")
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", explained(err))
	}
	s := &sources{
		modules:  map[string]string{},
		packages: map[string]bool{dir: true, front: true},
		files:    map[string]bool{filepath.Join(dir, "wrangler.jsonc"): true},
		embeds:   map[string][]string{},
		embedded: map[string]bool{},
	}
	if workspace != "" && workspace != "off" {
		s.files[workspace] = true
	}
	return s, s.read(out)
}

// explained returns what a command wrote to its standard error.
func explained(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		return errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return err
}

// read reads the output of go list.
func (s *sources) read(out []byte) error {
	var missing []string
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		switch {
		case p.Dir == "":
			missing = append(missing, p.ImportPath)
		case p.local():
			s.add(p)
		}
	}
	for _, path := range missing {
		for module, dir := range s.modules {
			if rest, ok := strings.CutPrefix(path, module+"/"); ok {
				s.packages[filepath.Join(dir, filepath.FromSlash(rest))] = true
			}
		}
	}
	return nil
}

func (s *sources) add(p goPackage) {
	s.modules[p.Module.Path] = p.Module.Dir
	s.files[filepath.Join(p.Module.Dir, "go.mod")] = true
	s.files[filepath.Join(p.Module.Dir, "go.sum")] = true
	s.packages[p.Dir] = true
	for _, pattern := range p.EmbedPatterns {
		s.embeds[p.Dir] = append(s.embeds[p.Dir], strings.TrimPrefix(pattern, "all:"))
	}
	for _, file := range p.EmbedFiles {
		s.embedded[filepath.Dir(filepath.Join(p.Dir, file))] = true
	}
}

// folders returns the folders to watch with all that is below, in order: the modules, and the
// folders of embedded files, which may be hidden.
func (s *sources) folders() []string {
	all := maps.Clone(s.embedded)
	for _, dir := range s.modules {
		all[dir] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// counts reports whether a build has to follow a change of a file.
func (s *sources) counts(file string) bool {
	dir, name := filepath.Split(file)
	if s.files[file] || s.packages[filepath.Clean(dir)] && compiled(name) {
		return true
	}
	for folder := range s.packages { // that is moved away or back, alone or with the folders around it
		if folder == file || below(folder, file) != "" {
			return true
		}
	}
	for folder, patterns := range s.embeds {
		if rest := below(file, folder); rest != "" && embeds(patterns, rest) {
			return true
		}
	}
	return false
}

// below returns the path of a file from a folder that it is in, with slashes, and otherwise "".
func below(file, folder string) string {
	rest, ok := strings.CutPrefix(file, folder+string(filepath.Separator))
	if !ok {
		return ""
	}
	return filepath.ToSlash(rest)
}

// compiled reports whether Go compiles a file of this name.
func compiled(name string) bool {
	return filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") &&
		!strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_")
}

// embeds reports whether one of the patterns of go:embed matches a file or a folder that it is in.
func embeds(patterns []string, file string) bool {
	for at := file; at != "."; at = path.Dir(at) {
		for _, pattern := range patterns {
			if ok, err := path.Match(pattern, at); err == nil && ok {
				return true
			}
		}
	}
	return false
}
