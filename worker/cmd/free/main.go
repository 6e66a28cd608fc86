// Command free writes the configurations of the two Workers that fit the Free plan: build/free/door.json
// has the front door and the page, build/free/agents.json the objects. Both are made from
// wrangler.jsonc, which stays the only description.
//
//	go run ./worker/cmd/free                        at the root of the repository
//	go run ./worker/cmd/free -dir D -var NAME:VALUE in another folder, with a variable for both
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// configFile is the description that is split, at the root of the repository.
const configFile = "wrangler.jsonc"

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", "build/free", "the folder of the two configurations")
	vars := variables{}
	flag.Var(vars, "var", "a variable of both Workers, NAME:VALUE; may be repeated")
	flag.Parse()
	if err := write(".", *dir, vars); err != nil {
		log.Fatal(err)
	}
}

// write splits the configuration of a repository into two files in a folder.
func write(root, dir string, vars variables) error {
	text, err := os.ReadFile(filepath.Join(root, configFile))
	if err != nil {
		return err
	}
	up, err := pathTo(dir, root)
	if err != nil {
		return err
	}
	door, agents, err := split(text, up, vars)
	if err != nil {
		return fmt.Errorf("%s: %w", configFile, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "door.json"), door, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "agents.json"), agents, 0o644)
}

// pathTo returns the path from one folder to another.
func pathTo(from, to string) (string, error) {
	from, err := filepath.Abs(from)
	if err != nil {
		return "", err
	}
	to, err = filepath.Abs(to)
	if err != nil {
		return "", err
	}
	relative, err := filepath.Rel(from, to)
	return filepath.ToSlash(relative), err
}

// variables are values by name, as flags.
type variables map[string]string

// String implements [flag.Value].
func (v variables) String() string { return "" }

// Set implements [flag.Value].
func (v variables) Set(text string) error {
	name, value, found := strings.Cut(text, ":")
	if !found || name == "" {
		return fmt.Errorf("%q is not NAME:VALUE", text)
	}
	v[name] = value
	return nil
}
