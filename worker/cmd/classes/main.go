// Command classes brings the Worker in line with the classes in Go: it writes worker/classes.ts and
// worker/about.json, and reports what is missing in wrangler.jsonc. A helper only needs to be exported. The platform
// keeps its storage with its parent's, and a binding of its own would open it to everybody.
//
//	go run ./worker/cmd/classes         at the root of the repository
//	go run ./worker/cmd/classes -check  writes nothing, and fails if a file is out of date
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/internal/about"
)

// The files, below the root of the repository.
const (
	sourceFile = "worker/classes.ts"
	aboutFile  = "worker/about.json"
	configFile = "wrangler.jsonc"
)

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "write nothing, and fail where there is something to write")
	flag.Parse()
	if err := align(".", agents.Classes(), *check); err != nil {
		log.Fatal(err)
	}
}

// align writes or checks the files that follow from a Worker's classes, and checks its configuration.
func align(root string, classes []durable.Class, check bool) error {
	if err := checkNames(classes); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, configFile))
	if err != nil {
		return err
	}
	c, err := parseConfig(text)
	if err != nil {
		return err
	}
	write := put
	if check {
		write = compare
	}
	said, err := introduction(classes)
	if err != nil {
		return err
	}
	return errors.Join(write(root, sourceFile, source(classes)), write(root, aboutFile, said), checkConfig(c, classes))
}

// introduction returns about.json, which says what a page shows of the agents.
func introduction(classes []durable.Class) ([]byte, error) {
	text, err := json.MarshalIndent(about.Of(classes...), "", "  ")
	if err == nil && len(text) >= about.MaxSize {
		err = fmt.Errorf("%s would have %d bytes, more than %d: shorten the agents' suggestions", aboutFile, len(text), about.MaxSize)
	}
	return append(text, '\n'), err
}

// put writes a file, unless it is up to date.
func put(root, file string, want []byte) error {
	path := filepath.Join(root, file)
	have, err := os.ReadFile(path)
	if err == nil && bytes.Equal(have, want) {
		return nil
	}
	log.Printf("%s: written anew from the classes that Go has", file)
	return os.WriteFile(path, want, 0o644)
}

func compare(root, file string, want []byte) error {
	have, err := os.ReadFile(filepath.Join(root, file))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.Equal(have, want) {
		return fmt.Errorf("%s does not fit the classes that Go has: run go run ./worker/cmd/classes, and commit the file", file)
	}
	return nil
}
