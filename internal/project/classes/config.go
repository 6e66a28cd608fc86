package classes

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/internal/jsonc"
)

// config is the part of Wrangler's configuration that is about Durable Objects, at its top level.
type config struct {
	DurableObjects struct {
		Bindings []binding `json:"bindings"`
	} `json:"durable_objects"`
	Migrations []migration       `json:"migrations"`
	Exports    map[string]export `json:"exports"`
}

// binding is a name by which the Worker reaches the objects of a class. The class is the Worker's
// own, unless Script is set.
type binding struct {
	Name   string `json:"name"`
	Class  string `json:"class_name"`
	Script string `json:"script_name"`
}

// migration is a change of the classes that have storage. A deployment runs, in order, the
// migrations that have not been run yet.
type migration struct {
	Tag         string   `json:"tag"`
	SQLite      []string `json:"new_sqlite_classes"`
	KeyValue    []string `json:"new_classes"`
	Renamed     []change `json:"renamed_classes"`
	Transferred []change `json:"transferred_classes"`
	Deleted     []string `json:"deleted_classes"`
}

type change struct{ From, To string }

// export is the state of one class without a history. Wrangler accepts either migrations or
// exports.
type export struct {
	Type    string `json:"type"`
	State   string `json:"state"`
	Storage string `json:"storage"`
}

// parseConfig reads a configuration. Its error names the line.
func parseConfig(text []byte) (config, error) {
	var c config
	plain := jsonc.Plain(text)
	err := json.Unmarshal(plain, &c)
	if err != nil {
		return c, jsonc.Locate(configFile, plain, err)
	}
	return c, nil
}

const (
	sqlite = "sqlite"
	legacy = "legacy-kv"
)

// storage returns the classes that have storage after all migrations, with its kind. A class that
// was transferred from another Worker has brought its storage along.
func (c config) storage() map[string]string {
	kinds := map[string]string{}
	for name, e := range c.Exports {
		if e.Type == "durable-object" && (e.State == "" || e.State == "created" || e.State == "expecting-transfer") {
			kinds[name] = e.Storage
		}
	}
	for _, m := range c.Migrations {
		m.run(kinds)
	}
	return kinds
}

func (m migration) run(kinds map[string]string) {
	for _, name := range m.SQLite {
		kinds[name] = sqlite
	}
	for _, name := range m.KeyValue {
		kinds[name] = legacy
	}
	for _, r := range m.Renamed {
		kinds[r.To] = kinds[r.From]
		delete(kinds, r.From)
	}
	for _, t := range m.Transferred {
		kinds[t.To] = sqlite
	}
	for _, name := range m.Deleted {
		delete(kinds, name)
	}
}
