// Package scaffold writes a new project: the files that are the author's own. Everything else that a
// project needs comes with the one requirement in its go.mod.
//
// The files are those of the folder template, by the same names with .txt behind them, so that the
// go command does not take them for its own. [text/template] fills in what varies. The same options
// give the same bytes on every machine, but for the path of a checkout.
package scaffold

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tributary-agents/tributary/internal/embedded"
)

// Options say what a new project is like.
type Options struct {
	// Dir is the project's folder. It is empty or does not exist yet. The folder around it exists.
	Dir string
	// Module is the path of the project's module. If it is "", the name of the folder becomes one.
	Module string
	// NoPage leaves the chat page out.
	NoPage bool
	// Empty leaves the example out: there is one agent, without a helper.
	Empty bool
	// Framework is what the project requires, see [Running].
	Framework Framework
}

// New writes a project and returns the paths of its files, relative to its folder. A refusal leaves
// everything as it was. Every error is one sentence.
func New(o Options) ([]string, error) {
	if o.Dir == "" {
		return nil, errors.New("the folder of the project is missing: tributary new DIR")
	}
	if err := checkDir(o.Dir); err != nil {
		return nil, err
	}
	if err := checkGo(); err != nil {
		return nil, err
	}
	files, err := files(o)
	if err != nil {
		return nil, err
	}
	return write(o.Dir, files)
}

// files returns the files of a project.
func files(o Options) ([]file, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	p := project{
		Name: nameOf(filepath.Base(dir)), Module: o.Module, Page: !o.NoPage, Empty: o.Empty, Tested: embedded.Tested(),
		Version: o.Framework.Version, Sum: o.Framework.Sum,
	}
	if p.Module == "" {
		p.Module = p.Name
	}
	if err := checkModule(p.Module); err != nil {
		return nil, err
	}
	if o.Framework.Checkout != "" {
		if p.Replace, err = replacement(dir, o.Framework.Checkout); err != nil {
			return nil, err
		}
	}
	return p.files()
}

// checkDir refuses a folder that cannot become a project.
func checkDir(name string) error {
	dir, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if info, err := os.Stat(parent); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no folder: make it first, or choose another place for the project", parent)
	}
	info, err := os.Stat(dir)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is a file: choose another name for the project", name)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty, it has %s: choose a new folder for the project", name, entries[0].Name())
	}
	return nil
}
