package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/internal/jsonc"
)

// wholeEntry is the entry of the Worker that has everything.
const wholeEntry = Folder + "/worker.js"

// settings are one of Wrangler's configurations, all of it.
type settings map[string]any

// part says which of the two Workers a key of the configuration is for.
type part int

const (
	both part = iota
	door
	agents
)

// parts lists the keys that are copied as they are. A key that is not listed is an error: in the wrong
// Worker it would have no effect, or one that is not wanted.
var parts = map[string]part{
	"account_id":               both,
	"compatibility_date":       both,
	"compatibility_flags":      both,
	"compliance_region":        both,
	"keep_names":               both,
	"keep_vars":                both,
	"limits":                   both,
	"logpush":                  both,
	"minify":                   both,
	"observability":            both,
	"placement":                both,
	"send_metrics":             both,
	"streaming_tail_consumers": both,
	"tail_consumers":           both,
	"upload_source_maps":       both,
	"vars":                     both,

	"preview_urls": door,
	"route":        door,
	"routes":       door,
	"workers_dev":  door,

	"ai":                        agents,
	"analytics_engine_datasets": agents,
	"d1_databases":              agents,
	"exports":                   agents,
	"kv_namespaces":             agents,
	"migrations":                agents,
	"r2_buckets":                agents,
	"services":                  agents,
	"vectorize":                 agents,
}

// split makes the configurations of the front door and of the objects, for the folder of the two.
func split(text []byte) (doorText, agentsText []byte, err error) {
	var whole settings
	if err := json.Unmarshal(jsonc.Plain(text), &whole); err != nil {
		return nil, nil, err
	}
	name, _ := whole["name"].(string)
	if name == "" {
		return nil, nil, errors.New("the Worker has no name")
	}
	if main, _ := whole["main"].(string); path.Clean(main) != wholeEntry {
		return nil, nil, fmt.Errorf("main is %q: only %s can be split", main, wholeEntry)
	}
	front := settings{"name": name, "main": freeDoor + freeEntries}
	// No address leads to the objects' Worker: neither a route nor one below workers.dev.
	behind := settings{
		"name": name + "-agents", "main": freeAgents + freeEntries,
		"workers_dev": false, "preview_urls": false,
	}
	for _, key := range slices.Sorted(maps.Keys(whole)) {
		if err := place(key, whole[key], front, behind); err != nil {
			return nil, nil, err
		}
	}
	doorText, err = json.MarshalIndent(front, "", "  ")
	if err != nil {
		return nil, nil, err
	}
	agentsText, err = json.MarshalIndent(behind, "", "  ")
	return doorText, agentsText, err
}

// place puts a key into the configurations that it is for.
func place(key string, value any, front, behind settings) error {
	switch key {
	case "$schema", "name", "main":
		return nil
	case "assets":
		assets, err := moved(value)
		front[key] = assets
		return err
	case "durable_objects":
		bound, err := bind(value, behind["name"])
		front[key], behind[key] = bound, value
		return err
	case "secrets":
		declared, err := divide(value)
		front[key], behind[key] = declared[door], declared[agents]
		return err
	}
	part, known := parts[key]
	if !known {
		return fmt.Errorf("nothing says which of the two Workers %q is for: deploy without -free", key)
	}
	if part != agents {
		front[key] = value
	}
	if part != door {
		behind[key] = value
	}
	return nil
}

// divide returns the secrets that each of the two Workers has to have: the front door those that it
// reads, and the objects all others.
func divide(value any) (map[part]map[string]any, error) {
	declared, _ := value.(map[string]any)
	names, ok := declared["required"].([]any)
	if !ok {
		return nil, errors.New("secrets has no list of required ones")
	}
	required := map[part][]any{door: {}, agents: {}}
	for _, name := range names {
		text, _ := name.(string)
		reader := agents
		if strings.HasPrefix(text, "TRIBUTARY_") || strings.HasPrefix(text, "LOGIN_") {
			reader = door
		}
		required[reader] = append(required[reader], name)
	}
	return map[part]map[string]any{door: {"required": required[door]}, agents: {"required": required[agents]}}, nil
}

// moved returns assets whose directory is given from the folder of the two.
func moved(value any) (map[string]any, error) {
	assets, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("assets is no object")
	}
	assets = maps.Clone(assets)
	if directory, ok := assets["directory"].(string); ok && !path.IsAbs(directory) {
		assets["directory"] = path.Join(freeUp, directory)
	}
	return assets, nil
}

// bind returns the bindings of Durable Objects for a Worker that does not have their classes. They
// name the Worker that has them.
func bind(value, script any) (map[string]any, error) {
	objects, _ := value.(map[string]any)
	list, ok := objects["bindings"].([]any)
	if !ok {
		return nil, errors.New("durable_objects has no list of bindings")
	}
	bound := make([]any, len(list))
	for i, each := range list {
		binding, ok := each.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("durable_objects.bindings[%d] is no object", i)
		}
		binding = maps.Clone(binding)
		if _, elsewhere := binding["script_name"]; !elsewhere {
			binding["script_name"] = script
		}
		bound[i] = binding
	}
	return map[string]any{"bindings": bound}, nil
}
