package project

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

func TestNodeVersions(t *testing.T) {
	for _, version := range []string{"v22.12.0", "v22.23.3", "v23.0.0", "v100.1.2"} {
		if err := checkNode(version); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
	for _, version := range []string{"v22.11.9", "v20.19.0", "v4.0.0", "", "text"} {
		refuses(t, checkNode(version), "wrangler needs 22.12 or newer: run npm install")
	}
}

func TestGoVersions(t *testing.T) {
	for _, version := range []string{"go1.26", "go1.26.8", "go1.27rc1", "devel go1.27-abc"} {
		if err := (goTool{GOVERSION: version, GOMOD: "/go.mod"}).check(""); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
	refuses(t, goTool{GOVERSION: "go1.25.9", GOMOD: "/go.mod"}.check(""), "this is go1.25.9: install Go 1.26 or newer")
	for _, mod := range []string{"", os.DevNull} {
		refuses(t, goTool{GOVERSION: "go1.26.0", GOMOD: mod}.check("here"), "neither here nor a folder above it has a go.mod")
	}
}

// TestWrangler runs a Wrangler that repeats its arguments, from a folder above the project's.
func TestWrangler(t *testing.T) {
	above := t.TempDir()
	var said bytes.Buffer
	p := Project{Dir: filepath.Join(above, "a project"), Classes: []durable.Class{{Name: "Poet"}}, Out: &said}
	write(t, p.Dir, ConfigFile, ownConfig)
	ctx := context.Background()
	refuses(t, p.deploy(ctx, nil), "wrangler is not installed: run npm install")
	write(t, above, "node_modules/wrangler/bin/wrangler.js", "")
	node := filepath.Join(above, "node_modules", "node", "bin", "node")
	for _, test := range []struct{ script, refusal string }{
		{"echo v20.1.0", "this Node is 20.1.0, and wrangler needs 22.12"},
		{"exit 1", "node does not run"},
	} {
		write(t, above, "node_modules/node/bin/node", "#!/bin/sh\n"+test.script+"\n")
		if err := os.Chmod(node, 0o755); err != nil {
			t.Fatal(err)
		}
		refuses(t, p.deploy(ctx, nil), test.refusal)
	}
	write(t, above, "node_modules/node/bin/node", "#!/bin/sh\n[ \"$1\" = --version ] && echo v22.12.0 || echo \"$(basename \"$1\") $2 $3\"\n")
	if err := p.deploy(ctx, []string{"--dry-run"}); err != nil || said.String() != "wrangler.js deploy --dry-run\n" {
		t.Errorf("got %q and %v", said.String(), err)
	}
}

// sized is a project whose build consists of files of given sizes, which cannot be compressed.
func sized(t *testing.T, said *bytes.Buffer, sizes map[string]int) Project {
	t.Helper()
	p := Project{Dir: t.TempDir(), Out: said}
	for name, size := range sizes {
		data := make([]byte, size)
		_, _ = rand.Read(data)
		write(t, p.path(), name, string(data))
	}
	return p
}

// TestSize checks a build at the platform's limit, beyond it, and near it. What is compressed does not count, nor does the
// page.
func TestSize(t *testing.T) {
	const limit = 64 << 20
	for _, test := range []struct {
		title, says, refusal string
		sizes                map[string]int
	}{
		{title: "nothing"},
		{title: "what was too large once", sizes: map[string]int{agentsModule: 12_000_000, doorModule: 7_000_000}},
		{title: "nine tenths", sizes: map[string]int{agentsModule: limit * 9 / 10}},
		{
			title: "more than nine tenths, of all files", sizes: map[string]int{agentsModule: limit * 9 / 10, "about.json": 2},
			says: "the Worker has 57.61 MiB, and the platform takes at most 64.00 MiB\n",
		},
		{
			title: "the limit", sizes: map[string]int{agentsModule: limit - 10, runtimeFile: 10},
			says: "the Worker has 64.00 MiB, and the platform takes at most 64.00 MiB\n",
		},
		{
			title: "a byte more", sizes: map[string]int{agentsModule: limit - 10, runtimeFile: 11},
			refusal: "the Worker has 64.01 MiB, which is 0.01 MiB more than the 64.00 MiB that the platform takes: import less",
		},
		{
			title: "far more", sizes: map[string]int{agentsModule: limit, doorModule: 6 << 20, engineFile: 1 << 20},
			refusal: "the Worker has 71.00 MiB, which is 7.00 MiB more than the 64.00 MiB that the platform takes: import less",
		},
		{title: "a large page", sizes: map[string]int{agentsModule: 1 << 20, "web/film.mp4": limit}},
	} {
		t.Run(test.title, func(t *testing.T) {
			var said bytes.Buffer
			p := sized(t, &said, test.sizes)
			if err := p.checkSize(); test.refusal != "" {
				refuses(t, err, test.refusal)
			} else if err != nil {
				t.Error(err)
			}
			if said.String() != test.says {
				t.Errorf("it says %q, want %q", said.String(), test.says)
			}
		})
	}
}

// TestFreeSize checks the compressed size of a Worker of deploy --free, which is named with what it has too much.
func TestFreeSize(t *testing.T) {
	p := sized(t, &bytes.Buffer{}, map[string]int{agentsModule: 2_700_000, engineFile: 400_000, runtimeFile: 20_000, doorModule: 2_000_000})
	for _, modules := range [][]string{{agentsModule}, {doorModule}} {
		if err := p.fitsFree("front door", modules...); err != nil {
			t.Error(err)
		}
	}
	refuses(t, p.fitsFree("objects", agentsModule, engineFile),
		"the Worker of the objects (agents.wasm and quickjs.wasm) has 3.13 MB compressed, which is 0.13 MB more than the 3.00 MB that the Free plan takes: import less, or deploy without --free")
}
