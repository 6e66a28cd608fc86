package project

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/wasm/abi"
)

const header = "\x00asm\x01\x00\x00\x00"

// importing returns a module that imports a function f from some modules.
func importing(modules ...string) string {
	var imports []function
	for _, name := range modules {
		imports = append(imports, function{name, "f"})
	}
	return importingAll(imports...)
}

// importingAll returns a module that imports some functions.
func importingAll(imports ...function) string {
	list := string(rune(len(imports)))
	for _, f := range imports {
		list += string(rune(len(f.module))) + f.module + string(rune(len(f.name))) + f.name + "\x00\x00"
	}
	return header + "\x01\x04\x01\x60\x00\x00" + "\x02" + string(rune(len(list))) + list
}

func TestImports(t *testing.T) {
	for name, test := range map[string]struct {
		code string
		want []function
	}{
		"none":     {header, nil},
		"two":      {importing("tributary_v4", "wasi"), []function{{"tributary_v4", "f"}, {"wasi", "f"}}},
		"a memory": {header + "\x02\x0e\x02\x01a\x01f\x00\x00\x01b\x01m\x02\x00\x01", []function{{"a", "f"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := imported([]byte(test.code))
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("got %v and %v, want %v", got, err, test.want)
			}
		})
	}
	for name, code := range map[string]string{
		"no module":             "#!/bin/sh\n",
		"nothing":               "",
		"a section cut off":     header + "\x02\x09\x01",
		"a section of no size":  header + "\x02",
		"a name cut off":        header + "\x02\x03\x01\x09a",
		"more imports than are": header + "\x02\x08\x02\x01a\x01f\x00\x00\x01",
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := imported([]byte(code)); err == nil {
				t.Errorf("got %v, want an error", got)
			}
		})
	}
}

// TestRunsScripts shows that only the import script asks for the engine.
func TestRunsScripts(t *testing.T) {
	for name, test := range map[string]struct {
		code string
		want bool
	}{
		"no scripts":             {importingAll(function{abi.Namespace, "sql"}, function{abi.Namespace, "log"}), false},
		"scripts":                {importingAll(function{abi.Namespace, "sql"}, function{abi.Namespace, "script"}), true},
		"a function of the name": {importingAll(function{"wasi", "script"}), false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, agentsModule, test.code)
			got, err := runsScripts(filepath.Join(dir, agentsModule))
			if err != nil || got != test.want {
				t.Errorf("got %v and %v, want %v", got, err, test.want)
			}
		})
	}
	if got, err := runsScripts(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Errorf("a missing module: got %v, want an error", got)
	}
}

func FuzzImports(f *testing.F) {
	f.Add([]byte(importing("tributary_v4")))
	f.Fuzz(func(t *testing.T, code []byte) {
		imports, err := imported(code)
		size := 0
		for _, f := range imports {
			size += len(f.module) + len(f.name)
		}
		if err == nil && size > len(code) {
			t.Errorf("%d bytes of names in %d", size, len(code))
		}
	})
}
