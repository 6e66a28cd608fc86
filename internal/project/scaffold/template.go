package scaffold

import (
	"bytes"
	"embed"
	"io/fs"
	"strings"
	"text/template"

	"github.com/tributary-agents/tributary/internal/embedded"
)

//go:embed template
var templates embed.FS

// project is what the templates are filled with.
type project struct {
	// Name is the Worker's and the package's name, Module the path of the module.
	Name, Module string
	Page, Empty  bool
	// Tested are the versions of the platform that this release was tested with.
	Tested embedded.Platform
	// Version, Sum and Replace are the framework: its version with a checksum, or with the path of a
	// checkout.
	Version, Sum, Replace string
}

// file is a file of a project. Its path has slashes.
type file struct {
	path string
	text []byte
}

// The folders of the templates: what every project has, and what only one of the two kinds has.
const (
	common  = "template/common"
	example = "template/example"
	empty   = "template/empty"
)

// files returns the files of a project.
func (p project) files() ([]file, error) {
	kind := example
	if p.Empty {
		kind = empty
	}
	var files []file
	for _, folder := range []string{common, kind} {
		err := fs.WalkDir(templates, folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := p.fill(path)
			if err != nil {
				return err
			}
			files = append(files, file{target(strings.TrimPrefix(path, folder+"/")), text})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// fill returns the text of a file.
func (p project) fill(path string) ([]byte, error) {
	text, err := templates.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := template.New(path).Option("missingkey=error").Parse(string(text))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, p)
	return b.Bytes(), err
}

// target returns the path of a template's file in a project. go:embed leaves out names that begin
// with a dot, so their templates begin with "dot.".
func target(path string) string {
	path = strings.TrimSuffix(path, ".txt")
	if name, found := strings.CutPrefix(path, "dot."); found {
		return "." + name
	}
	return path
}
