package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/tributary-agents/tributary/internal/jsonc"
)

// secretName is the rule by which the shim knows a secret that it keeps from the agents. Of a variable
// whose name ends in _URL it looks at the value, see wasm/shim/settings.ts.
var secretName = regexp.MustCompile(`(?i)_(KEY|TOKEN|SECRET|PASSWORD|PAT|CREDENTIALS|DSN|URL)$`)

// refuseUnnamed refuses secrets that a configuration of Wrangler declares, and whose names do not say
// that they are secrets: their values would be variables of the agents.
func refuseUnnamed(text []byte) error {
	type declared struct {
		Secrets struct{ Required []string }
	}
	var config struct {
		declared
		Env map[string]declared
	}
	if err := json.Unmarshal(jsonc.Plain(text), &config); err != nil {
		return jsonc.Locate(ConfigFile, text, err)
	}
	names := config.Secrets.Required
	for _, env := range slices.Sorted(maps.Keys(config.Env)) {
		names = append(names, config.Env[env].Secrets.Required...)
	}
	var errs []error
	for _, name := range names {
		if !secretName.MatchString(name) {
			errs = append(errs, fmt.Errorf("%s: the secret %s would be told to the agents: its name has to end in _KEY, _TOKEN, _SECRET, "+
				"_PASSWORD, _PAT, _CREDENTIALS or _DSN, or in _URL if its value has a password", ConfigFile, name))
		}
	}
	return errors.Join(errs...)
}
