package classes

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

func root(name string) durable.Class   { return durable.Class{Name: name} }
func helper(name string) durable.Class { return durable.Class{Name: name, Helper: true} }

// refuses checks that an error, "" for none, says all of some words.
func refuses(t *testing.T, err error, words string) {
	t.Helper()
	switch {
	case err == nil && words != "":
		t.Errorf("got no error, want one that says %q", words)
	case err == nil:
	case words == "":
		t.Errorf("got %v, want no error", err)
	case !strings.Contains(err.Error(), words):
		t.Errorf("got %q, want it to say %q", err, words)
	}
}

func TestNames(t *testing.T) {
	for name, test := range map[string]struct {
		classes []durable.Class
		refusal string
	}{
		"roots and helpers":       {[]durable.Class{root("Assistant"), helper("Researcher"), helper("_$9")}, ""},
		"twice":                   {[]durable.Class{root("Assistant"), helper("Assistant")}, "class Assistant is listed twice"},
		"no name":                 {[]durable.Class{root("")}, `class "": this name cannot be that of a JavaScript class`},
		"a dash":                  {[]durable.Class{helper("Deep-Thinker")}, `class "Deep-Thinker": this name cannot be`},
		"a digit first":           {[]durable.Class{helper("2nd")}, `class "2nd": this name cannot be`},
		"a letter of another":     {[]durable.Class{helper("Poète")}, `class "Poète": this name cannot be`},
		"an injection":            {[]durable.Class{helper(`A {} ; alert("x") //`)}, "this name cannot be"},
		"a word of JavaScript":    {[]durable.Class{helper("default")}, `class "default": this name cannot be`},
		"the base of all classes": {[]durable.Class{helper("ModuleObject")}, "this name cannot be"},
		"what the file calls":     {[]durable.Class{helper("prepare")}, "this name cannot be"},
		"roots of one path":       {[]durable.Class{root("Chat"), root("CHAT")}, "class CHAT: /agents/chat leads to Chat already"},
		"a helper has no path":    {[]durable.Class{root("Chat"), helper("CHAT")}, ""},
		"all that is wrong":       {[]durable.Class{root("new"), root("A"), root("A")}, "JavaScript class: give the agent another Name\nclass A is listed twice"},
	} {
		t.Run(name, func(t *testing.T) { refuses(t, checkNames(test.classes), test.refusal) })
	}
}

func TestConfig(t *testing.T) {
	const bound = `"durable_objects": { "bindings": [{ "name": "Chat", "class_name": "Chat" }] }`
	const stored = `"migrations": [{ "tag": "v1", "new_sqlite_classes": ["Chat"] }]`
	for name, test := range map[string]struct{ config, refusal string }{
		"all that is needed":               {`{` + bound + `,` + stored + `}`, ""},
		"comments, and a comma too many":   {`{ // "a" /*` + "\n" + bound + `, /* {{ // */` + stored + `,}`, ""},
		"a root without a binding":         {`{` + stored + `}`, "Add to durable_objects.bindings:\n\t" + `{ "name": "Chat", "class_name": "Chat" }`},
		"a root without storage":           {`{` + bound + `}`, "Add to migrations:\n\t" + `{ "tag": "v1", "new_sqlite_classes": ["Chat"] }`},
		"the tag behind the last":          {`{` + bound + `, "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Poet"] }] }`, `{ "tag": "v2", "new_sqlite_classes": ["Chat"] }`},
		"a tag of one's own":               {`{` + bound + `, "migrations": [{ "tag": "first", "new_sqlite_classes": ["Poet"] }] }`, `{ "tag": "first-next", "new_sqlite_classes": ["Chat"] }`},
		"storage without SQL":              {`{` + bound + `, "migrations": [{ "tag": "v1", "new_classes": ["Chat"] }] }`, "class Chat has storage without SQL"},
		"storage that was deleted":         {`{` + bound + `, "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Chat"] }, { "tag": "v2", "deleted_classes": ["Chat"] }] }`, `{ "tag": "v3", "new_sqlite_classes": ["Chat"] }`},
		"storage that was renamed":         {`{` + bound + `, "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Talk"] }, { "tag": "v2", "renamed_classes": [{ "from": "Talk", "to": "Chat" }] }] }`, ""},
		"storage from another Worker":      {`{` + bound + `, "migrations": [{ "tag": "v1", "transferred_classes": [{ "from": "Talk", "from_script": "old", "to": "Chat" }] }] }`, ""},
		"declared exports":                 {`{` + bound + `, "exports": { "Chat": { "type": "durable-object", "storage": "sqlite" } } }`, ""},
		"declared exports without a class": {`{` + bound + `, "exports": { "Poet": { "type": "durable-object", "storage": "sqlite" } } }`, "Add to exports:\n\t" + `"Chat": { "type": "durable-object", "storage": "sqlite" }`},
		"declared exports of no object":    {`{` + bound + `,` + stored + `, "exports": { "Door": { "type": "worker" } } }`, ""},
		"a declared export that is gone":   {`{` + bound + `, "exports": { "Chat": { "type": "durable-object", "state": "deleted" } } }`, "class Chat has no storage"},
		"a declared export of nobody":      {`{` + bound + `, "exports": { "Chat": { "type": "durable-object", "storage": "sqlite" }, "Nobody": { "type": "durable-object", "storage": "sqlite" } } }`, `"Nobody": { "type": "durable-object", "state": "deleted" }`},
		"a binding to nobody":              {`{ "durable_objects": { "bindings": [{ "name": "Chat", "class_name": "Chat" }, { "name": "N", "class_name": "Nobody" }] },` + stored + `}`, `binding "N" is to a class that Go does not have, Nobody`},
		"a binding to another Worker":      {`{ "durable_objects": { "bindings": [{ "name": "Chat", "class_name": "Chat" }, { "name": "N", "class_name": "Nobody", "script_name": "other" }] },` + stored + `}`, ""},
		"another Worker's class":           {`{ "durable_objects": { "bindings": [{ "name": "Chat", "class_name": "Chat", "script_name": "other" }] },` + stored + `}`, "class Chat has no binding"},
		"a binding to a helper":            {`{ "durable_objects": { "bindings": [{ "name": "Chat", "class_name": "Chat" }, { "name": "Poet", "class_name": "Poet" }] },` + stored + `}`, `binding "Poet" opens the helper Poet to everybody`},
		"storage of nobody":                {`{` + bound + `, "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Chat", "Nobody"] }] }`, `{ "tag": "v2", "deleted_classes": ["Nobody"] }`},
		"storage of a helper harms nobody": {`{` + bound + `, "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Chat", "Poet"] }] }`, ""},
		"marks of comments in text":        {`{ "main": "a//b/*\",}", ` + bound + `,` + stored + `}`, ""},
		"no JSON":                          {"{\n // a comment\n " + bound + "\n " + stored + "}", "wrangler.jsonc:4: invalid character"},
		"another shape":                    {"{\n\n \"migrations\": 7}", "wrangler.jsonc:3: json: cannot unmarshal number"},
		"a string without an end":          {`{ "name`, "wrangler.jsonc:1: unexpected end"},
		"a comment without an end":         {`{ /* `, "wrangler.jsonc:1: unexpected end"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := parseConfig([]byte(test.config))
			if err == nil {
				err = checkConfig(c, []durable.Class{root("Chat"), helper("Poet")})
			}
			refuses(t, err, test.refusal)
		})
	}
}

// TestLines shows that a configuration with Windows line ends is read, and that an error names its line.
func TestLines(t *testing.T) {
	const config = "{\r\n // why\r\n \"durable_objects\": { \"bindings\": [{ \"name\": \"Chat\", \"class_name\": \"Chat\" }] },\r\n" +
		" \"migrations\": [{ \"tag\": \"v1\", \"new_sqlite_classes\": [\"Chat\"] }], // all\r\n}\r\n"
	refuses(t, Check([]byte(config), []durable.Class{root("Chat")}), "")
	refuses(t, Check([]byte(config[:len(config)-3]), []durable.Class{root("Chat")}), "wrangler.jsonc:4: unexpected end")
	refuses(t, Check([]byte(config), []durable.Class{root("Chat"), root("Shop")}), `Add to migrations:
	{ "tag": "v2", "new_sqlite_classes": ["Shop"] }`)
	refuses(t, Check([]byte(config), []durable.Class{root("Chat"), root("Chat")}), "class Chat is listed twice")
}
