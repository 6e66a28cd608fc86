package mcpclient

import (
	"slices"
	"strings"
	"testing"
)

// TestClash is the table of names of servers that cannot stand side by side.
func TestClash(t *testing.T) {
	for _, pair := range [][2]string{
		{"github", "github"},
		{"github", "GitHub"},
		{"git-hub", "git_hub"},
		{"git-hub", "git hub"},
		{"git-hub", "GIT.HUB"},
		{"gıthub", "GITHUB"}, // a dotless i is I in capitals
		{"ſlack", "slack"},   // so is a long s an S
		{"\u212aey", "key"},  // the sign of kelvin is another case of k
		{"süd", "s_d"},       // what is no letter of ASCII is _
		{"github", "github-secret"},
		{"github_issuer", "GITHUB"},
	} {
		if !Clash(pair[0], pair[1]) || !Clash(pair[1], pair[0]) {
			t.Errorf("%q and %q can stand side by side", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"github", "gitlab"}, {"git-hub", "github"}, {"github", "github-2"}, {"a", "b"}, {"a_secret", "b_secret"}} {
		if Clash(pair[0], pair[1]) {
			t.Errorf("%q and %q cannot stand side by side", pair[0], pair[1])
		}
	}
}

// TestUnnamed is the table of the secrets that are for nobody who is named.
func TestUnnamed(t *testing.T) {
	for name, c := range map[string]struct {
		declared Declared
		vars     []string
		secrets  []string
		want     string
	}{
		"nothing":                             {Declared{Name: "git-hub"}, nil, nil, ""},
		"an id":                               {Declared{Name: "git-hub"}, []string{"MCP_CLIENT_GIT_HUB"}, nil, ""},
		"an id and a secret":                  {Declared{Name: "git-hub"}, []string{"MCP_CLIENT_GIT_HUB"}, []string{"MCP_CLIENT_GIT_HUB_SECRET"}, "MCP_CLIENT_GIT_HUB_SECRET"},
		"a secret":                            {Declared{Name: "git-hub"}, nil, []string{"MCP_CLIENT_GIT_HUB_SECRET"}, "MCP_CLIENT_GIT_HUB_SECRET"},
		"an id, a secret and an issuer":       {Declared{Name: "git-hub"}, []string{"MCP_CLIENT_GIT_HUB", "MCP_CLIENT_GIT_HUB_ISSUER"}, []string{"MCP_CLIENT_GIT_HUB_SECRET"}, ""},
		"a secret and an issuer":              {Declared{Name: "git-hub"}, []string{"MCP_CLIENT_GIT_HUB_ISSUER"}, []string{"MCP_CLIENT_GIT_HUB_SECRET"}, ""},
		"an issuer of another server":         {Declared{Name: "git-hub"}, []string{"MCP_CLIENT_GIT_HUB", "MCP_CLIENT_GITHUB_ISSUER"}, []string{"MCP_CLIENT_GIT_HUB_SECRET"}, "MCP_CLIENT_GIT_HUB_SECRET"},
		"an author's secret":                  {Declared{Name: "x", Client: Client{ID: "i", SecretName: "S"}}, nil, []string{"S"}, "S"},
		"an author's secret with an issuer":   {Declared{Name: "x", Client: Client{ID: "i", SecretName: "S", Issuer: "https://a.test"}}, nil, []string{"S"}, ""},
		"an author's secret with a variable":  {Declared{Name: "x", Client: Client{ID: "i", SecretName: "S"}}, []string{"MCP_CLIENT_X_ISSUER"}, []string{"S"}, ""},
		"an author's id, and a secret beside": {Declared{Name: "x", Client: Client{ID: "i"}}, nil, []string{"MCP_CLIENT_X_SECRET"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			variable := func(name string) string {
				if slices.Contains(c.vars, name) {
					return "value"
				}
				return ""
			}
			got, issuer := c.declared.Unnamed(variable, func(name string) bool { return slices.Contains(c.secrets, name) })
			if got != c.want || (issuer == "") != (got == "") || got != "" && !strings.HasSuffix(issuer, "_ISSUER") {
				t.Errorf("got %q, %q, want %q", got, issuer, c.want)
			}
		})
	}
}

// TestApart checks the names of servers that stand beside declared ones of their names.
func TestApart(t *testing.T) {
	r := New(Config{Declared: []Declared{{Name: "github"}, {Name: "docs"}, {Name: "docs-2"}}})
	long := strings.Repeat("ä", MaxName/2)
	r.config.Declared = append(r.config.Declared, Declared{Name: strings.Repeat("_", MaxName/2)})
	for name, want := range map[string]string{
		"mine": "mine", "github": "github 2", "GitHub": "GitHub 2", "docs": "docs 3", long: strings.Repeat("ä", (MaxName-3)/2) + " 2",
	} {
		if got := r.apart(name); got != want || len(got) > MaxName {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
