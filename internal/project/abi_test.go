package project

import (
	"slices"
	"testing"
)

// importing returns a module that imports a function from some modules.
func importing(modules ...string) string {
	section := string(rune(len(modules)))
	for _, name := range modules {
		section += string(rune(len(name))) + name + "\x01f\x00\x00"
	}
	return header + "\x01\x04\x01\x60\x00\x00" + "\x02" + string(rune(len(section))) + section
}

func TestImports(t *testing.T) {
	for name, test := range map[string]struct {
		code string
		want []string
	}{
		"none":     {header, nil},
		"two":      {importing("tributary_v4", "wasi"), []string{"tributary_v4", "wasi"}},
		"a memory": {header + "\x02\x0c\x02\x01a\x01f\x00\x00\x01b\x01m\x02", []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := importedFrom([]byte(test.code))
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("got %q and %v, want %q", got, err, test.want)
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
			if got, err := importedFrom([]byte(code)); err == nil {
				t.Errorf("got %q, want an error", got)
			}
		})
	}
}

func FuzzImports(f *testing.F) {
	f.Add([]byte(importing("tributary_v4")))
	f.Fuzz(func(t *testing.T, code []byte) {
		names, err := importedFrom(code)
		size := 0
		for _, name := range names {
			size += len(name)
		}
		if err == nil && size > len(code) {
			t.Errorf("%d bytes of names in %d", size, len(code))
		}
	})
}
