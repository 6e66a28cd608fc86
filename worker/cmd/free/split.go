package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/tributary-agents/tributary/worker/internal/jsonc"
)

// The entries of the Worker that has everything, and of the two.
const (
	wholeEntry  = "worker/entry.ts"
	doorEntry   = "worker/door.ts"
	agentsEntry = "worker/agents.ts"
)

// config is one of Wrangler's configurations.
type config map[string]any

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

// split makes the configurations of the front door and of the objects. Their folder is at up from the
// folder of the configuration that is given. The variables are added to those of both.
func split(text []byte, up string, vars variables) (doorText, agentsText []byte, err error) {
	var whole config
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
	front := config{"name": name, "main": path.Join(up, doorEntry)}
	// No address leads to the objects' Worker: neither a route nor one below workers.dev.
	behind := config{
		"name": name + "-agents", "main": path.Join(up, agentsEntry),
		"workers_dev": false, "preview_urls": false,
	}
	for _, key := range slices.Sorted(maps.Keys(whole)) {
		if err := place(key, whole[key], front, behind, up); err != nil {
			return nil, nil, err
		}
	}
	front.add(vars)
	behind.add(vars)
	doorText, err = json.MarshalIndent(front, "", "  ")
	if err != nil {
		return nil, nil, err
	}
	agentsText, err = json.MarshalIndent(behind, "", "  ")
	return doorText, agentsText, err
}

// add sets variables.
func (c config) add(vars variables) {
	all, _ := c["vars"].(map[string]any)
	all = maps.Clone(all)
	if all == nil {
		all = map[string]any{}
	}
	for name, value := range vars {
		all[name] = value
	}
	c["vars"] = all
}

// place puts a key into the configurations that it is for.
func place(key string, value any, front, behind config, up string) error {
	switch key {
	case "$schema", "name", "main":
		return nil
	case "assets":
		assets, err := moved(value, up)
		front[key] = assets
		return err
	case "durable_objects":
		bound, err := bind(value, behind["name"])
		front[key], behind[key] = bound, value
		return err
	}
	part, known := parts[key]
	if !known {
		return fmt.Errorf("nothing says which of the two Workers %q is for: add it to parts in worker/cmd/free/split.go", key)
	}
	if part != agents {
		front[key] = value
	}
	if part != door {
		behind[key] = value
	}
	return nil
}

// moved returns assets whose directory is given from another folder.
func moved(value any, up string) (map[string]any, error) {
	assets, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("assets is no object")
	}
	assets = maps.Clone(assets)
	if directory, ok := assets["directory"].(string); ok && !path.IsAbs(directory) {
		assets["directory"] = path.Join(up, directory)
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
