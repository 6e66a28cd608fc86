package project

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/internal/jsonc"
	"github.com/tributary-agents/tributary/worker"
)

// development is the value of [worker.EnvVar] that opens a Worker to everybody. Other spellings open
// nothing, and are refused because nobody means anything else by them.
const development = "development"

// refuseOpen refuses a configuration of Wrangler that opens a deployment to everybody: whatever
// environment of it is deployed, and wherever in it the variable is set.
func refuseOpen(file string, text []byte) error {
	var config any
	if err := json.Unmarshal(jsonc.Plain(text), &config); err != nil {
		return jsonc.Locate(file, text, err)
	}
	if place, found := opened(config); found {
		return openError(strings.TrimSuffix(file+": "+strings.TrimPrefix(place, "."), ": "))
	}
	return nil
}

func openError(where string) error {
	return fmt.Errorf("%s sets %s to %s, which lets everybody in without a token: leave it out, because go run . dev sets it by itself",
		where, worker.EnvVar, development)
}

// opened finds the variable in a value of a configuration, and returns where it is: as a field of any
// object, or as a binding with a name and a text.
func opened(value any) (place string, found bool) {
	switch value := value.(type) {
	case map[string]any:
		if opens(value["name"], value["text"]) || opens(value["name"], value["value"]) {
			return "", true
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if opens(key, value[key]) {
				return "", true
			}
			if place, found := opened(value[key]); found {
				return "." + key + place, true
			}
		}
	case []any:
		for i, element := range value {
			if place, found := opened(element); found {
				return fmt.Sprintf("[%d]%s", i, place), true
			}
		}
	}
	return "", false
}

// opens says whether a name and a value are those of the variable in any spelling.
func opens(name, value any) bool {
	n, _ := name.(string)
	v, _ := value.(string)
	return isEnvVar(n) && strings.EqualFold(strings.TrimSpace(v), development)
}

func isEnvVar(name string) bool { return strings.EqualFold(strings.TrimSpace(name), worker.EnvVar) }

// refuseOpenDeployment refuses the project's configuration and arguments of wrangler deploy.
func (p Project) refuseOpenDeployment(args []string) error {
	if err := p.refuseOpenFile(ConfigFile); err != nil {
		return err
	}
	return p.refuseOpenArgs(args)
}

// refuseOpenArgs refuses arguments of wrangler deploy that open the deployment: variables among them,
// other configurations, and files of secrets, whatever else they are for.
func (p Project) refuseOpenArgs(args []string) error {
	if found := valuesOf(args, "--cwd"); len(found) > 0 {
		return fmt.Errorf("deploy does not take --cwd: go run . deploy is for the project in its own folder")
	}
	for _, arg := range args {
		if letters, _, _ := strings.Cut(arg, "="); arg == "--no-config" || hidden.MatchString(letters) {
			return fmt.Errorf("deploy does not take %s: which configuration is deployed is said with --config alone", letters)
		}
		_, value, _ := strings.Cut(arg, "=")
		for _, text := range []string{arg, value} {
			name, value, _ := strings.Cut(strings.Trim(text, quotes), ":")
			if opens(name, strings.Trim(value, quotes)) {
				return openError("deploy: " + arg)
			}
		}
	}
	for _, file := range configsIn(args) {
		if err := p.refuseOpenFile(file); err != nil {
			return err
		}
	}
	for _, file := range valuesOf(args, "--secrets-file", "--secretsFile") {
		text, err := os.ReadFile(p.beside(file))
		if err != nil {
			return err
		}
		if namesOpen(text) {
			return fmt.Errorf("%s: %s is no secret: leave it out", file, worker.EnvVar)
		}
	}
	return nil
}

// hidden is an option -c behind other ones of one letter, as in -ec other.jsonc.
var hidden = regexp.MustCompile(`^-[^-c][^-]*c`)

// quotes may stand around an argument that wrangler takes without them.
const quotes = `"' `

// configsIn returns the configurations that arguments name.
func configsIn(args []string) []string { return valuesOf(args, "--config", "-c") }

func (p Project) refuseOpenFile(file string) error {
	if strings.EqualFold(filepath.Ext(file), ".toml") {
		return fmt.Errorf("%s: a configuration is written in JSON here, as %s is, so that it can be checked", file, ConfigFile)
	}
	text, err := os.ReadFile(p.beside(file))
	if err != nil {
		return err
	}
	return refuseOpen(file, text)
}

// beside returns the path of a file that is named from the project's folder.
func (p Project) beside(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(p.Dir, file)
}

// valuesOf returns the values of options in the forms that wrangler takes: --name value, --name=value,
// and, of a name of one letter, -cvalue. The option may stand anywhere, and more than once.
func valuesOf(args []string, names ...string) (values []string) {
	for i, arg := range args {
		name, value, inside := strings.Cut(arg, "=")
		short := len(arg) > 2 && arg[0] == '-' && arg[1] != '-'
		switch {
		case slices.Contains(names, name) && inside:
			values = append(values, strings.Trim(value, quotes))
		case slices.Contains(names, arg) && i+1 < len(args):
			values = append(values, strings.Trim(args[i+1], quotes))
		case slices.Contains(names, arg):
			values = append(values, "")
		case short && slices.Contains(names, arg[:2]):
			values = append(values, strings.Trim(strings.TrimPrefix(arg[2:], "="), quotes))
		}
	}
	return values
}

// named is the variable where a file of secrets may name it: in front of an equals sign or a colon.
var named = regexp.MustCompile(`(?i)(^|[^\w.-])` + worker.EnvVar + `\s*[=:]`)

// comments are the lines of such a file that begin with a number sign.
var comments = regexp.MustCompile(`(?m)^[ \t]*#[^\r\n]*`)

// namesOpen says whether a file of secrets names the variable: as a field of an object in JSON, or in a line of
// the form of dotenv.
func namesOpen(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var object map[string]any
	if json.Unmarshal(text, &object) == nil {
		return slices.ContainsFunc(slices.Collect(maps.Keys(object)), isEnvVar)
	}
	return named.Match(comments.ReplaceAll(text, nil))
}
