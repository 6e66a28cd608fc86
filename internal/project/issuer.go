package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/internal/jsonc"
)

// This file has the classes look at the variables and the secrets of a deployment, as far as the project's files name them.
// A secret that is put with wrangler secret is known to the platform alone.

// environment is one environment of Wrangler's configuration. Neither variables nor secrets are inherited.
type environment struct {
	Vars    map[string]any `json:"vars"`
	Secrets struct {
		Required []string `json:"required"`
	} `json:"secrets"`
}

// checkDeployed returns what the classes find wrong with the variables and the secrets of each environment: as they are
// deployed, and as they are in development, with those of .dev.vars.
func (p Project) checkDeployed(c config) error {
	var all struct {
		environment
		Env map[string]environment `json:"env"`
	}
	if err := json.Unmarshal(jsonc.Plain(c.text), &all); err != nil {
		return jsonc.Locate(ConfigFile, c.text, err)
	}
	var errs []error
	check := func(where, file string, e environment) {
		local, err := localVars(filepath.Join(p.Dir, file))
		errs = append(errs, err)
		found := p.wrongWith(e, nil)
		if found == nil {
			found = p.wrongWith(e, local)
		}
		if found != nil {
			errs = append(errs, fmt.Errorf("%s: %w", where, found))
		}
	}
	check(ConfigFile, ".dev.vars", all.environment)
	for _, name := range slices.Sorted(maps.Keys(all.Env)) {
		check(ConfigFile+", environment "+name, ".dev.vars."+name, all.Env[name])
	}
	return errors.Join(errs...)
}

// wrongWith returns what a class finds wrong with an environment and local variables, of which each may be a secret.
func (p Project) wrongWith(e environment, local map[string]string) error {
	variable := func(name string) string {
		if text, ok := local[name]; ok {
			return text
		}
		text, _ := e.Vars[name].(string)
		return text
	}
	hasSecret := func(name string) bool {
		return slices.Contains(e.Secrets.Required, name) || variable(name) != ""
	}
	for _, class := range p.Classes {
		if class.Check == nil {
			continue
		}
		if err := class.Check(variable, hasSecret); err != nil {
			return fmt.Errorf("%s: %w", class.Name, err)
		}
	}
	return nil
}

// localVars reads the file with the variables of development, if there is one.
func localVars(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	vars := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if name = strings.TrimSpace(name); ok && !strings.HasPrefix(name, "#") {
			vars[name] = strings.Trim(strings.TrimSpace(value), "\"'`")
		}
	}
	return vars, err
}
