package onmodule

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// RunScripts runs every script of a folder twice, see [durabletest.RunScripts]: natively with
// classes, and on the module of the project. class is the class of the root. Both transcripts must
// equal the file. With -update the files are rewritten, and both must have the same results.
func RunScripts(t *testing.T, folder, class string, classes []durable.Class, options ...Option) {
	t.Helper()
	t.Run("native", func(t *testing.T) {
		durabletest.RunScripts(t, folder, class, func(*testing.T) durabletest.Engine {
			return durabletest.NewNative(settingsOf(options).seed, classes...)
		})
	})
	native := texts(t, folder)
	t.Run("module", func(t *testing.T) {
		durabletest.RunScripts(t, folder, class, func(t *testing.T) durabletest.Engine { return Engine(t, options...) })
	})
	for file, text := range texts(t, folder) {
		if native[file] != text {
			t.Errorf("%s: the module does something else than the classes do natively. The file has what the module does.", file)
		}
	}
}

// texts returns the scripts of a folder by their paths.
func texts(t *testing.T, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[file] = string(text)
	}
	return all
}
