package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// TestDeployedSecrets checks what the classes are told of the variables and the secrets of a deployment, and that what they
// find wrong is told with its place.
func TestDeployedSecrets(t *testing.T) {
	named := func(variable func(string) string, hasSecret func(string) bool) error {
		if hasSecret("MCP_CLIENT_X_SECRET") && variable("MCP_CLIENT_X_ISSUER") == "" {
			return errors.New("nobody is named")
		}
		return nil
	}
	for title, c := range map[string]struct {
		config, local, live string
		want                string
	}{
		"nothing":                             {config: `{}`},
		"a variable":                          {config: `{"vars":{"MCP_CLIENT_X":"id"}}`},
		"a secret under vars":                 {config: `{"vars":{"MCP_CLIENT_X_SECRET":"s"}}`, want: "wrangler.jsonc: A: nobody is named"},
		"a required secret":                   {config: `{"secrets":{"required":["MCP_CLIENT_X_SECRET"]}}`, want: "wrangler.jsonc: A: nobody is named"},
		"a required secret with an issuer":    {config: `{"secrets":{"required":["MCP_CLIENT_X_SECRET"]},"vars":{"MCP_CLIENT_X_ISSUER":"https://i"}} // so`},
		"an issuer in development alone":      {config: `{"secrets":{"required":["MCP_CLIENT_X_SECRET"]}}`, local: "MCP_CLIENT_X_ISSUER=https://i\n", want: "wrangler.jsonc: A: nobody is named"},
		"a secret in development":             {config: `{}`, local: "# a comment\nexport MCP_CLIENT_X_SECRET = \"s\"\n", want: "wrangler.jsonc: A: nobody is named"},
		"both in development":                 {config: `{}`, local: "MCP_CLIENT_X_SECRET='s'\nMCP_CLIENT_X_ISSUER='https://i'\n"},
		"a secret that is commented out":      {config: `{}`, local: "#MCP_CLIENT_X_SECRET=s\n"},
		"an empty issuer":                     {config: `{}`, local: "MCP_CLIENT_X_SECRET=s\nMCP_CLIENT_X_ISSUER=\"\"\n", want: "nobody is named"},
		"a secret of an environment":          {config: `{"env":{"live":{"secrets":{"required":["MCP_CLIENT_X_SECRET"]}}}}`, want: "wrangler.jsonc, environment live: A: nobody is named"},
		"an issuer that is not inherited":     {config: `{"vars":{"MCP_CLIENT_X_ISSUER":"https://i"},"env":{"live":{"vars":{"MCP_CLIENT_X_SECRET":"s"}}}}`, want: "environment live: A: nobody is named"},
		"a local secret of an environment":    {config: `{"env":{"live":{}}}`, live: "MCP_CLIENT_X_SECRET=s\n", want: "environment live: A: nobody is named"},
		"an environment that has an issuer":   {config: `{"env":{"live":{"vars":{"MCP_CLIENT_X_SECRET":"s","MCP_CLIENT_X_ISSUER":"https://i"}}}}`},
		"a variable that is no text is none":  {config: `{"vars":{"MCP_CLIENT_X_SECRET":"s","MCP_CLIENT_X_ISSUER":{"a":1}}}`, want: "nobody is named"},
		"a configuration that cannot be read": {config: `{"vars":[]}`, want: "wrangler.jsonc"},
	} {
		t.Run(title, func(t *testing.T) {
			p := Project{Dir: t.TempDir(), Classes: []durable.Class{{Name: "B"}, {Name: "A", Check: named}}}
			for name, text := range map[string]string{".dev.vars": c.local, ".dev.vars.live": c.live} {
				if text != "" {
					if err := os.WriteFile(filepath.Join(p.Dir, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			err := p.checkDeployed(config{text: []byte(c.config)})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
