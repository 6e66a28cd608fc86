package chat_test

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	_ "github.com/tributary-agents/tributary/wasm/quickjs" // runs the code of models
)

// TestScripts runs all scripts natively. wasm/tck runs the same scripts in a module, on both hosts.
func TestScripts(t *testing.T) {
	for _, suite := range chattest.Suites() {
		t.Run(path.Base(suite.Folder), func(t *testing.T) {
			durabletest.RunScripts(t, suite.Folder, suite.Root(), func(*testing.T) durabletest.Engine {
				return durabletest.NewNative(1, chattest.Classes()...)
			})
		})
	}
}

// TestEveryFolderIsASuite checks that every folder of scripts belongs to a suite.
func TestEveryFolderIsASuite(t *testing.T) {
	err := fs.WalkDir(os.DirFS("."), "testdata", func(file string, _ fs.DirEntry, err error) error {
		run := func(s chattest.Suite) bool { return s.Folder == path.Dir(file) }
		if strings.HasSuffix(file, ".txt") && !slices.ContainsFunc(chattest.Suites(), run) {
			t.Errorf("%s: no suite of chattest has the folder", file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
