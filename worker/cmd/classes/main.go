// Command classes brings the Worker in line with the classes in Go: it writes worker/classes.ts,
// and reports what is missing in wrangler.jsonc. A helper only needs to be exported. The platform
// keeps its storage with its parent's, and a binding of its own would open it to everybody.
//
//	go run ./worker/cmd/classes         at the root of the repository
//	go run ./worker/cmd/classes -check  writes nothing, and fails if the file is out of date
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agents"
)

// The two files, below the root of the repository.
const (
	sourceFile = "worker/classes.ts"
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

// align writes or checks the file of a Worker's classes, and checks its configuration.
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
	return errors.Join(write(filepath.Join(root, sourceFile), source(classes)), checkConfig(c, classes))
}

// put writes a file, unless it is up to date.
func put(path string, want []byte) error {
	have, err := os.ReadFile(path)
	if err == nil && bytes.Equal(have, want) {
		return nil
	}
	log.Printf("%s: written anew from the classes that Go has", sourceFile)
	return os.WriteFile(path, want, 0o644)
}

func compare(path string, want []byte) error {
	have, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.Equal(have, want) {
		return fmt.Errorf("%s does not fit the classes that Go has: run go run ./worker/cmd/classes, and commit the file", sourceFile)
	}
	return nil
}
