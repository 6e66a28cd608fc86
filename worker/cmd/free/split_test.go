package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// parse reads the JSON of a configuration.
func parse(t *testing.T, text []byte) config {
	t.Helper()
	var c config
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return c
}

func TestSplit(t *testing.T) {
	const whole = `{
		"$schema": "node_modules/wrangler/config-schema.json", // for editors
		"name": "app",
		"main": "./worker/entry.ts",
		"compatibility_date": "2026-10-01",
		"assets": { "directory": "build/web", "run_worker_first": ["/agents/*"] },
		"durable_objects": { "bindings": [
			{ "name": "Chat", "class_name": "Chat" },
			{ "name": "Far", "class_name": "Far", "script_name": "other" },
		] },
		"migrations": [{ "tag": "v1", "new_sqlite_classes": ["Chat"] }],
		"routes": ["chat.example/*"],
		"workers_dev": true,
		"ai": { "binding": "AI" },
		"vars": { "MODEL_NAME": "m", "TRIBUTARY_CORS": "*" },
	}`
	doorText, agentsText, err := split([]byte(whole), "../..", variables{"TRIBUTARY_CORS": "", "TRIBUTARY_ENV": "development"})
	if err != nil {
		t.Fatal(err)
	}
	wantDoor := parse(t, []byte(`{
		"name": "app",
		"main": "../../worker/door.ts",
		"compatibility_date": "2026-10-01",
		"assets": { "directory": "../../build/web", "run_worker_first": ["/agents/*"] },
		"durable_objects": { "bindings": [
			{ "name": "Chat", "class_name": "Chat", "script_name": "app-agents" },
			{ "name": "Far", "class_name": "Far", "script_name": "other" }
		] },
		"routes": ["chat.example/*"],
		"workers_dev": true,
		"vars": { "MODEL_NAME": "m", "TRIBUTARY_CORS": "", "TRIBUTARY_ENV": "development" }
	}`))
	wantAgents := parse(t, []byte(`{
		"name": "app-agents",
		"main": "../../worker/agents.ts",
		"compatibility_date": "2026-10-01",
		"durable_objects": { "bindings": [
			{ "name": "Chat", "class_name": "Chat" },
			{ "name": "Far", "class_name": "Far", "script_name": "other" }
		] },
		"migrations": [{ "tag": "v1", "new_sqlite_classes": ["Chat"] }],
		"workers_dev": false,
		"preview_urls": false,
		"ai": { "binding": "AI" },
		"vars": { "MODEL_NAME": "m", "TRIBUTARY_CORS": "", "TRIBUTARY_ENV": "development" }
	}`))
	if got := parse(t, doorText); !reflect.DeepEqual(got, wantDoor) {
		t.Errorf("the front door: got %s, want %v", doorText, wantDoor)
	}
	if got := parse(t, agentsText); !reflect.DeepEqual(got, wantAgents) {
		t.Errorf("the objects: got %s, want %v", agentsText, wantAgents)
	}
}

func TestSplitRefuses(t *testing.T) {
	const begin = `{ "name": "app", "main": "worker/entry.ts", `
	for _, tt := range []struct{ title, config, want string }{
		{"no JSON", `{`, "unexpected end"},
		{"no name", `{ "main": "worker/entry.ts" }`, "no name"},
		{"a main of its own", `{ "name": "app", "main": "src/index.ts" }`, `main is "src/index.ts"`},
		{"an environment", begin + `"env": { "staging": {} } }`, `which of the two Workers "env" is for`},
		{"assets of another shape", begin + `"assets": "build/web" }`, "assets is no object"},
		{"no bindings", begin + `"durable_objects": {} }`, "no list of bindings"},
		{"a binding of another shape", begin + `"durable_objects": { "bindings": ["Chat"] } }`, "durable_objects.bindings[0] is no object"},
	} {
		t.Run(tt.title, func(t *testing.T) {
			_, _, err := split([]byte(tt.config), "..", nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want it to say %q", err, tt.want)
			}
		})
	}
}

// TestWrite splits the configuration of this repository: all of its keys have a place, and the paths
// lead back from the folder of the two files.
func TestWrite(t *testing.T) {
	const root = "../../.."
	dir := filepath.Join(t.TempDir(), "free")
	if err := write(root, dir, nil); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"door.json", "agents.json"} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		main, _ := parse(t, text)["main"].(string)
		if _, err := os.Stat(filepath.Join(dir, main)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	if err := write(t.TempDir(), dir, nil); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("without a configuration: got %v", err)
	}
}

func TestVariables(t *testing.T) {
	got := variables{}
	for _, text := range []string{"A:1", "URL:http://x:80", "EMPTY:"} {
		if err := got.Set(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if want := (variables{"A": "1", "URL": "http://x:80", "EMPTY": ""}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, text := range []string{"A", ":1"} {
		if err := got.Set(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
