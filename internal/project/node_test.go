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

func TestSizes(t *testing.T) {
	var said bytes.Buffer
	p := Project{Dir: t.TempDir(), Out: &said}
	random := func(name string, size int) {
		data := make([]byte, size)
		_, _ = rand.Read(data)
		write(t, p.path(), name, string(data))
	}
	if err := p.checkSizes(); err != nil || said.Len() > 0 {
		t.Errorf("nothing: got %v and %q", err, said.String())
	}
	random(agentsModule, 4_000_000)
	random(doorModule, 2_000_000)
	if err := p.checkSizes(); err != nil || said.String() != "agents.wasm has 4.00 MB compressed, and a Worker of the Free plan may have 3.00 MB\n" {
		t.Errorf("got %v and %q", err, said.String())
	}
	said.Reset()
	random(agentsModule, 2_700_000)
	random(engineFile, 400_000)
	if err := p.checkSizes(); err != nil || said.String() != "agents.wasm with quickjs.wasm has 3.10 MB compressed, and a Worker of the Free plan may have 3.00 MB\n" {
		t.Errorf("got %v and %q", err, said.String())
	}
	random(runtimeFile, 20_000)
	refuses(t, p.fitsFree(agentsModule, engineFile), "the Worker of agents.wasm and quickjs.wasm has 3.12 MB compressed")
	if err := p.fitsFree(agentsModule); err != nil {
		t.Error(err)
	}
	random(doorModule, 7_900_000)
	refuses(t, p.checkSizes(), "the Worker has 11.00 MB compressed, and the platform takes at most 10.00 MB")
}
