// Command release makes the files of package embedded that are built from TypeScript: runtime.js with
// the host and the front door, page.zip with the page, and platform.json with the versions that this
// release is tested with. It also makes quickjs.wasm, the JavaScript engine. They are committed, because
// a project gets them with the Go module.
//
//	go run ./cmd/release         at the root of the repository, after npm install
//	go run ./cmd/release -check  writes nothing, and fails if a file is not what the sources give
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// folder holds the files, below the root of the repository.
const folder = "internal/embedded"

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "write nothing, and fail where there is something to write")
	flag.Parse()
	if err := release(".", *check); err != nil {
		log.Fatal(err)
	}
}

// release makes the files and writes or checks them. If they were made of the same sources before, there is nothing to do.
func release(root string, check bool) error {
	if unchanged, err := isUnchanged(root); err != nil || unchanged {
		return err
	}
	for _, file := range []struct {
		name string
		make func(root string) ([]byte, error)
	}{
		{"runtime.js", bundle},
		{"page.zip", page},
		{"platform.json", platform},
		{"quickjs/quickjs.wasm", engine},
	} {
		data, err := file.make(root)
		if err != nil {
			return fmt.Errorf("%s: %w", file.name, err)
		}
		if err := settle(filepath.Join(root, folder, file.name), data, check); err != nil {
			return err
		}
	}
	return keepDigest(root)
}

// settle writes a file unless it has these bytes already, or checks that it has.
func settle(path string, data []byte, check bool) error {
	have, err := os.ReadFile(path)
	if err == nil && bytes.Equal(have, data) {
		return nil
	}
	if check {
		return fmt.Errorf("%s is not what the sources give: run go run ./cmd/release, and commit the file", filepath.ToSlash(path))
	}
	log.Printf("%s: written anew, %d bytes", filepath.ToSlash(path), len(data))
	return os.WriteFile(path, data, 0o644)
}

// bundle returns worker/runtime.ts with what it imports in one file. Names stay as they are in the
// sources, so that a stack can be read.
func bundle(root string) ([]byte, error) {
	return tool(root, "esbuild", "worker/runtime.ts", "--bundle", "--format=esm", "--target=es2024", "--charset=utf8",
		"--minify-syntax", "--minify-whitespace", "--preserve-symlinks", "--external:cloudflare:workers", "--log-level=warning")
}

// tool runs a program of an npm package and returns its output.
func tool(root, name string, args ...string) ([]byte, error) {
	bin, err := filepath.Abs(filepath.Join(root, "node_modules", ".bin"))
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(bin, name), args...)
	cmd.Dir = root
	cmd.Env = append(cmd.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", name, err, complaint.String())
	}
	return out, nil
}
