package project

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpenConfigurations checks which configurations of Wrangler open a deployment to everybody.
func TestOpenConfigurations(t *testing.T) {
	for _, test := range []struct{ name, config, place string }{
		{"nothing", `{}`, ""},
		{"another variable", `{"vars": {"MODEL_PROVIDER": "demo"}}`, ""},
		{"production", `{"vars": {"TRIBUTARY_ENV": "production"}, "env": {"live": {"vars": {"TRIBUTARY_ENV": ""}}}}`, ""},
		{"a number", `{"vars": {"TRIBUTARY_ENV": 1}}`, ""},
		{"a longer name", `{"vars": {"NOT_TRIBUTARY_ENV": "development", "TRIBUTARY_ENV_2": "development"}}`, ""},
		{"the name as a value", `{"vars": {"A": "TRIBUTARY_ENV", "B": "development"}}`, ""},
		{"in a comment", "{\n// \"vars\": {\"TRIBUTARY_ENV\": \"development\"}\n/* {\"TRIBUTARY_ENV\": \"development\"} */\n}", ""},

		{"vars", `{"vars": {"TRIBUTARY_ENV": "development"}}`, ": vars sets"},
		{"behind a comment", "{\"vars\": { // ours\n\"TRIBUTARY_ENV\": /* \"production\" */ \"development\",\n}}", ": vars sets"},
		{"behind a comment that a carriage return ends", "{\"vars\": { // ours\r\"TRIBUTARY_ENV\": \"development\"\n}}", ": vars sets"},
		{"behind two slashes in a text", `{"vars": {"A": "https://b", "TRIBUTARY_ENV": "development"}}`, ": vars sets"},
		{"behind the end of a comment in a comment", "{\"vars\": { /* a /* b */ \"TRIBUTARY_ENV\": \"development\" /**/ }}", ": vars sets"},
		{"in two environments within each other", `{"env": {"a": {"env": {"b": {"vars": {"TRIBUTARY_ENV": "development"}}}}}}`, ": env.a.env.b.vars sets"},
		{"an environment named as a field", `{"env": {"vars": {"vars": {"TRIBUTARY_ENV": "development"}}}}`, ": env.vars.vars sets"},
		{"escaped", `{"vars": {"TRIBUTARY\u005fENV": "develop\u006dent"}}`, ": vars sets"},
		{"twice, the last counts", `{"vars": {"TRIBUTARY_ENV": "production", "TRIBUTARY_ENV": "development"}}`, ": vars sets"},
		{"capitals", `{"vars": {"TRIBUTARY_ENV": "Development"}}`, ": vars sets"},
		{"small letters", `{"vars": {"tributary_env": "development"}}`, ": vars sets"},
		{"blanks", `{"vars": {"TRIBUTARY_ENV": " development\n"}}`, ": vars sets"},
		{"an environment", `{"env": {"live": {"vars": {"TRIBUTARY_ENV": "development"}}}}`, ": env.live.vars sets"},
		{"an environment beside a good one", `{"vars": {"TRIBUTARY_ENV": "production"}, "env": {"a": {}, "b": {"vars": {"TRIBUTARY_ENV": "development"}}}}`, ": env.b.vars sets"},
		{"an environment of an odd name", `{"env": {"": {"vars": {"TRIBUTARY_ENV": "development"}}}}`, ": env..vars sets"},
		{"previews", `{"previews": {"vars": {"TRIBUTARY_ENV": "development"}}}`, ": previews.vars sets"},
		{"a binding by hand", `{"unsafe": {"bindings": [{"name": "x"}, {"type": "plain_text", "name": "TRIBUTARY_ENV", "text": "development"}]}}`, ": unsafe.bindings[1] sets"},
		{"a prototype", `{"vars": {"__proto__": {"TRIBUTARY_ENV": "development"}}}`, ": vars.__proto__ sets"},
		{"at the top", `{"TRIBUTARY_ENV": "development"}`, "wrangler.jsonc sets"},
	} {
		err := refuseOpen(ConfigFile, []byte(test.config))
		switch {
		case test.place == "" && err != nil:
			t.Errorf("%s: got %v, want no refusal", test.name, err)
		case test.place != "" && (err == nil || !strings.Contains(err.Error(), test.place+" TRIBUTARY_ENV to development")):
			t.Errorf("%s: got %v, want it to say %q", test.name, err, test.place)
		}
	}
	refuses(t, refuseOpen(ConfigFile, []byte("{\n\"vars\": [}")), "wrangler.jsonc:2: ")
}

// TestOpenArguments checks which arguments of wrangler deploy open the deployment.
func TestOpenArguments(t *testing.T) {
	p := Project{Dir: t.TempDir(), Out: &bytes.Buffer{}}
	for name, text := range map[string]string{
		ConfigFile: `{}`, "other.jsonc": `{"vars": {"TRIBUTARY_ENV": "development"}}`, "good.json": `{"vars": {"A": "b"}}`,
		"other.toml": "[vars]\nA = \"b\"\n", "secrets.json": `{"A_KEY": "x", "TRIBUTARY\u005fENV": "development"}`,
		"bom.json": "\ufeff{\"TRIBUTARY_ENV\": \"development\"}", "colon.env": "A_KEY=x\n  TRIBUTARY_ENV: development\n",
		"tab.env": "export\tTRIBUTARY_ENV=development\n", "return.env": "A_KEY=x\rTRIBUTARY_ENV=development\r", "next.env": "TRIBUTARY_ENV\n=development\n",
		"comment.env": "# TRIBUTARY_ENV=development is for nobody\nA_KEY=x # and TRIBUTARY_ENV\nTRIBUTARY_ENV_2=a\n",
		"secrets.env": "# ours\nA_KEY=x\nexport TRIBUTARY_ENV = \"$SOMETHING\"\n", "good.env": "A_KEY=TRIBUTARY_ENV\n",
	} {
		write(t, p.Dir, name, text)
	}
	absolute := filepath.Join(p.Dir, "other.jsonc")
	for _, args := range []string{
		"", "--dry-run", "--env live", "--var A:development", "--var TRIBUTARY_ENV:production", "--var=TRIBUTARY_ENV:",
		"--var NOT_TRIBUTARY_ENV:development", "-c good.json", "--config=good.json --minify", "--secrets-file good.env", "--secrets-file comment.env", "--message=TRIBUTARY_ENV", "-e live --minify", "-elive",
	} {
		if err := p.refuseOpenDeployment(strings.Fields(args)); err != nil {
			t.Errorf("%s: got %v, want no refusal", args, err)
		}
	}
	for args, words := range map[string]string{
		"--var TRIBUTARY_ENV:development":                     "lets everybody in",
		"--var=TRIBUTARY_ENV:development":                     "lets everybody in",
		`--var="TRIBUTARY_ENV:development"`:                   "lets everybody in",
		`--var 'TRIBUTARY_ENV:development'`:                   "lets everybody in",
		`--var TRIBUTARY_ENV:"development"`:                   "lets everybody in",
		"--var TRIBUTARY_ENV:Development":                     "lets everybody in",
		"--var tributary_env:development":                     "lets everybody in",
		"--var A:b TRIBUTARY_ENV:development":                 "lets everybody in",
		"--dry-run --var A:b --var TRIBUTARY_ENV:development": "lets everybody in",
		"-- --var TRIBUTARY_ENV:development":                  "lets everybody in",
		"--dry-run -c other.jsonc":                            "other.jsonc: vars sets",
		"-cother.jsonc":                                       "other.jsonc: vars sets",
		"-c=other.jsonc":                                      "other.jsonc: vars sets",
		"--config other.jsonc":                                "other.jsonc: vars sets",
		"--config=other.jsonc":                                "other.jsonc: vars sets",
		"--config='other.jsonc'":                              "other.jsonc: vars sets",
		"-c good.json -c other.jsonc":                         "other.jsonc: vars sets",
		"-c " + absolute:                                      "other.jsonc: vars sets",
		"-c other.toml":                                       "is written in JSON",
		"-c missing.json":                                     "missing.json",
		"--secrets-file secrets.json":                         "TRIBUTARY_ENV is no secret",
		"--secrets-file=secrets.env":                          "TRIBUTARY_ENV is no secret",
		"--secretsFile secrets.env":                           "TRIBUTARY_ENV is no secret",
		"--secrets-file bom.json":                             "TRIBUTARY_ENV is no secret",
		"--secrets-file colon.env":                            "TRIBUTARY_ENV is no secret",
		"--secrets-file tab.env":                              "TRIBUTARY_ENV is no secret",
		"--secrets-file return.env":                           "TRIBUTARY_ENV is no secret",
		"--secrets-file next.env":                             "TRIBUTARY_ENV is no secret",
		"-ec other.jsonc":                                     "does not take -ec",
		"-vec other.jsonc":                                    "does not take -vec",
		"-ec=other.jsonc":                                     "does not take -ec",
		"--no-config":                                         "does not take --no-config",
		"--secrets-file missing.env":                          "missing.env",
		"--cwd elsewhere":                                     "does not take --cwd",
		"--cwd=elsewhere":                                     "does not take --cwd",
	} {
		refuses(t, p.refuseOpenDeployment(strings.Fields(args)), words)
	}
}

// TestOpenIsRefused shows that deploy and check refuse a configuration that opens the deployment, deploy
// before anything is built.
func TestOpenIsRefused(t *testing.T) {
	p, _ := own(t)
	open := strings.Replace(ownConfig, `"name"`, `"env": { "live": { "vars": { "TRIBUTARY_ENV": "development" } } }, "name"`, 1)
	write(t, p.Dir, ConfigFile, open)
	for _, free := range []bool{false, true} {
		refuses(t, p.Deploy(context.Background(), free, []string{"--dry-run"}), "env.live.vars sets TRIBUTARY_ENV to development")
	}
	refuses(t, p.Check(context.Background()), "env.live.vars sets TRIBUTARY_ENV to development")
	write(t, p.Dir, ConfigFile, strings.Replace(ownConfig, `"name"`, `"secrets": { "required": ["A_KEY", "DB_PASS"] }, "name"`, 1))
	refuses(t, p.Check(context.Background()), "the secret DB_PASS would be told to the agents")
}

// TestSecrets checks the names of secrets that a configuration declares.
func TestSecrets(t *testing.T) {
	var table []struct {
		Name   string
		Value  *string
		Secret bool
	}
	if err := json.Unmarshal([]byte(read(t, "testdata/secrets.json")), &table); err != nil {
		t.Fatal(err)
	}
	for _, row := range table {
		name, err := json.Marshal(row.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, config := range []string{`{"secrets": {"required": [` + string(name) + `]}}`, `{"env": {"a": {}, "b": {"secrets": {"required": ["A_KEY", ` + string(name) + `]}}}}`} {
			err := refuseUnnamed([]byte(config))
			if allowed := row.Secret || row.Value != nil && secretName.MatchString(row.Name); allowed != (err == nil) {
				t.Errorf("%q: got %v, want it to be allowed: %v", row.Name, err, allowed)
			}
		}
	}
}
