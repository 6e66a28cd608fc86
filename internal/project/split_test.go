package project

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// parsed reads the JSON of a configuration.
func parsed(t *testing.T, text []byte) settings {
	t.Helper()
	var c settings
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return c
}

func TestSplit(t *testing.T) {
	const whole = `{
		"$schema": "node_modules/wrangler/config-schema.json", // for editors
		"name": "app",
		"main": "./.tributary/worker.js",
		"compatibility_date": "2026-10-01",
		"assets": { "directory": ".tributary/web", "run_worker_first": ["/agents/*"] },
		"durable_objects": { "bindings": [
			{ "name": "Chat", "class_name": "Chat" },
			{ "name": "Far", "class_name": "Far", "script_name": "other" },
		] },
		"migrations": [{ "tag": "v1", "new_sqlite_classes": ["Chat"] }],
		"routes": ["chat.example/*"],
		"workers_dev": true,
		"ai": { "binding": "AI" },
		"vars": { "MODEL_NAME": "m", "TRIBUTARY_CORS": "*" },
		"secrets": { "required": ["TRIBUTARY_TOKEN_SECRET", "MODEL_API_KEY", "LOGIN_KEY", "MCP_CLIENT_DOCS_SECRET"] },
	}`
	doorText, agentsText, err := split([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	wantDoor := parsed(t, []byte(`{
		"name": "app",
		"main": "door.js",
		"compatibility_date": "2026-10-01",
		"assets": { "directory": "../../.tributary/web", "run_worker_first": ["/agents/*"] },
		"durable_objects": { "bindings": [
			{ "name": "Chat", "class_name": "Chat", "script_name": "app-agents" },
			{ "name": "Far", "class_name": "Far", "script_name": "other" }
		] },
		"routes": ["chat.example/*"],
		"workers_dev": true,
		"vars": { "MODEL_NAME": "m", "TRIBUTARY_CORS": "*" },
		"secrets": { "required": ["TRIBUTARY_TOKEN_SECRET", "LOGIN_KEY"] }
	}`))
	wantAgents := parsed(t, []byte(`{
		"name": "app-agents",
		"main": "agents.js",
		"compatibility_date": "2026-10-01",
		"durable_objects": { "bindings": [
			{ "name": "Chat", "class_name": "Chat" },
			{ "name": "Far", "class_name": "Far", "script_name": "other" }
		] },
		"migrations": [{ "tag": "v1", "new_sqlite_classes": ["Chat"] }],
		"workers_dev": false,
		"preview_urls": false,
		"ai": { "binding": "AI" },
		"vars": { "MODEL_NAME": "m", "TRIBUTARY_CORS": "*" },
		"secrets": { "required": ["MODEL_API_KEY", "MCP_CLIENT_DOCS_SECRET"] }
	}`))
	if got := parsed(t, doorText); !reflect.DeepEqual(got, wantDoor) {
		t.Errorf("the front door: got %s, want %v", doorText, wantDoor)
	}
	if got := parsed(t, agentsText); !reflect.DeepEqual(got, wantAgents) {
		t.Errorf("the objects: got %s, want %v", agentsText, wantAgents)
	}
}

func TestSplitRefuses(t *testing.T) {
	const begin = `{ "name": "app", "main": ".tributary/worker.js", `
	for _, tt := range []struct{ title, config, want string }{
		{"no JSON", `{`, "unexpected end"},
		{"no name", `{ "main": ".tributary/worker.js" }`, "no name"},
		{"a main of its own", `{ "name": "app", "main": "src/index.ts" }`, `main is "src/index.ts"`},
		{"an environment", begin + `"env": { "staging": {} } }`, `which of the two Workers "env" is for`},
		{"assets of another shape", begin + `"assets": ".tributary/web" }`, "assets is no object"},
		{"no bindings", begin + `"durable_objects": {} }`, "no list of bindings"},
		{"a binding of another shape", begin + `"durable_objects": { "bindings": ["Chat"] } }`, "durable_objects.bindings[0] is no object"},
	} {
		t.Run(tt.title, func(t *testing.T) {
			_, _, err := split([]byte(tt.config))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want it to say %q", err, tt.want)
			}
		})
	}
}

// TestSplitOwn splits the configuration of this repository: all of its keys have a place.
func TestSplitOwn(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", ConfigFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := split(text); err != nil {
		t.Error(err)
	}
}
