package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// ofDeployment are a client and its secret, as a deployment has them for the server docs.
var ofDeployment = []string{"var MCP_CLIENT_DOCS=by-hand", "secret MCP_CLIENT_DOCS_SECRET"}

// sentSecrets are the requests that the host was to put a secret into.
func (w *remoteWorld) sentSecrets() (list []string) {
	for _, line := range w.lines {
		if strings.Contains(line, "secret:") {
			list = append(list, line)
		}
	}
	return list
}

func (w *remoteWorld) add(name string) {
	w.do(`frame a {"type":"rpc","id":"add","method":"addMcpServer","args":[{"name":"`+name+`","url":"https://docs.test/mcp"}]}`, "tick 1s")
}

// TestSecretOfDeploymentStays is the table of the ways in which a client, or a server, could have the deployment's client and
// secret sent to an authorization server of its own.
func TestSecretOfDeploymentStays(t *testing.T) {
	const evil = "https://login.test/evil"
	declared := agent.MCPServer{Name: "docs", URL: "https://real.test/mcp"}
	mine := agent.MCPServer{Name: "docs", URL: "https://docs.test/mcp"}
	for name, c := range map[string]struct {
		set     []string
		servers []agent.MCPServer
		do      func(l *login)
		words   string
	}{
		"a server that is added":                  {ofDeployment, nil, func(l *login) { l.w.add("docs") }, ""},
		"a server that is added, in capitals":     {ofDeployment, nil, func(l *login) { l.w.add("DOCS") }, ""},
		"beside a declared one, in capitals":      {ofDeployment, []agent.MCPServer{declared}, func(l *login) { l.w.add("Docs") }, "there is a server named docs already"},
		"beside a declared one, with a long s":    {ofDeployment, []agent.MCPServer{declared}, func(l *login) { l.w.add("docſ") }, "there is a server named docs already"},
		"beside a declared one, of its name":      {ofDeployment, []agent.MCPServer{declared}, func(l *login) { l.w.add("docs") }, "there is a server named docs already"},
		"as the secret of a declared one":         {ofDeployment, []agent.MCPServer{declared}, func(l *login) { l.w.add("docs secret") }, "there is a server named docs already"},
		"with the issuer of the deployment":       {append(ofDeployment, "var MCP_CLIENT_DOCS_ISSUER="+loginServer), nil, func(l *login) { l.w.add("docs") }, ""},
		"a declared server, and nobody is named":  {ofDeployment, []agent.MCPServer{mine}, func(*login) {}, "MCP_CLIENT_{NAME}_ISSUER"},
		"a declared server, and another is named": {append(ofDeployment, "var MCP_CLIENT_DOCS_ISSUER=https://login.test"), []agent.MCPServer{mine}, func(*login) {}, "another authorization server than the one"},
		"an issuer with a slash more":             {append(ofDeployment, "var MCP_CLIENT_DOCS_ISSUER="+loginServer+"/"), []agent.MCPServer{mine}, func(*login) {}, "another authorization server than the one"},
		"an author's secret, and nobody is named": {
			nil,
			[]agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp", Client: agent.MCPRegistration{ID: "x", Secret: "DOCS_SECRET"}}},
			func(*login) {}, "MCP_CLIENT_{NAME}_ISSUER",
		},
		"a server that changes its authorization server": {
			append(ofDeployment, "var MCP_CLIENT_DOCS_ISSUER="+evil),
			[]agent.MCPServer{mine},
			func(*login) {}, "another authorization server than the one",
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLogin(t, agent.Agent{MCP: &agent.MCP{Editable: true, Servers: c.servers}})
			l.w.do(append(c.set[:len(c.set):len(c.set)], "connect a")...)
			c.do(l)
			l.w.do("say a R1 u1: hello", "tick 1s", "tick 10s")
			if link := l.w.link(); link != "" {
				l.signIn()
				l.w.do("tick 1s")
			}
			if c.words != "" {
				l.w.wants(c.words)
			}
			sent := fmt.Sprint(l.seen)
			if secrets := l.w.sentSecrets(); len(secrets) > 0 || strings.Contains(sent, "by-hand") {
				t.Errorf("sent was %q\n%s", secrets, sent)
			}
		})
	}
}

// TestSecretGoesToTheNamedIssuer checks that of several authorization servers the named one is used, whatever the server
// names first.
func TestSecretGoesToTheNamedIssuer(t *testing.T) {
	l := newLogin(t, agent.Agent{MCP: &agent.MCP{Servers: []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}}})
	l.resource["authorization_servers"] = []string{"https://evil.test", loginServer}
	l.w.do(append(ofDeployment, "var MCP_CLIENT_DOCS_ISSUER="+loginServer, "connect a", "say a R1 u1: hello", "tick 1s")...)
	if a := l.signIn(); a.status != 200 {
		t.Fatalf("got %+v", a)
	}
	for _, line := range l.w.sentSecrets() {
		if !strings.Contains(line, " POST "+loginServer+"/token ") || !strings.Contains(line, "MCP_CLIENT_DOCS_SECRET") {
			t.Errorf("sent was %s", line)
		}
	}
	if len(l.w.sentSecrets()) != 1 || strings.Contains(strings.Join(l.w.asked, " "), "evil") {
		t.Errorf("sent was %q, asked %q", l.w.sentSecrets(), l.w.asked)
	}
}

// TestSecretOfEarlierRows opens rows of an earlier version, in which a token belongs to the deployment's client at an
// authorization server that a client has chosen. It is not renewed with the secret.
func TestSecretOfEarlierRows(t *testing.T) {
	for name, c := range map[string]struct {
		servers []agent.MCPServer
		set     []string
		// refreshed says that the token is renewed with the secret.
		refreshed bool
	}{
		"a server that was added":                   {nil, ofDeployment, false},
		"a declared server, and nobody is named":    {[]agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}, ofDeployment, false},
		"a declared server, and another is named":   {[]agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}, append(ofDeployment, "var MCP_CLIENT_DOCS_ISSUER=https://real.test"), false},
		"a declared server, and the one is named":   {[]agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}, append(ofDeployment, "var MCP_CLIENT_DOCS_ISSUER="+loginServer), true},
		"a declared server whose client is another": {[]agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp", Client: agent.MCPRegistration{ID: "new", Secret: "OTHER_SECRET", Issuer: loginServer}}}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := agent.Agent{Name: "Own", Model: chattest.Calling{}, MCP: &agent.MCP{Editable: true, Servers: c.servers}}
			engine := durabletest.NewNative(1, chattest.Class(a))
			defer engine.Close()
			l := newLogin(t, a)
			l.w.World = durabletest.NewWorld(engine, "Own", "room")
			w := l.w
			w.do("connect a")
			if c.servers == nil {
				w.add("docs")
			} else {
				w.do("say a R1 u1: hello", "tick 1s")
			}
			// Without a client of the deployment the agent registers, so the rows are those of a client with a secret.
			if c.servers != nil && c.servers[0].Client.ID != "" {
				w.do("evict")
			} else {
				l.signIn()
				w.do("tick 1s", "evict")
			}
			db, err := engine.Storage("room")
			if err != nil {
				t.Fatal(err)
			}
			token := fmt.Sprintf(`{"Access":"TOKEN-old","Refresh":"TOKEN-refresh-old","Seconds":10,"Scopes":["read"],"Issuer":%q,"Resource":"https://docs.test/mcp","Client":{"Issuer":%q,"ID":"by-hand","Secret":"","SecretName":"MCP_CLIENT_DOCS_SECRET","Method":"","Expires":0},"Metadata":"","Asked":["read"],"At":1,"Until":2,"Number":7,"SignIns":0}`, loginServer, loginServer)
			l.refreshes = append(l.refreshes, "TOKEN-refresh-old")
			l.good = map[string]string{}
			server := rowsIn(t, db, `SELECT id FROM mcp_server`)[0].Text(0)
			rowsIn(t, db, `DELETE FROM mcp_secret`)
			rowsIn(t, db, `INSERT INTO mcp_secret (server, name, value) VALUES ('`+server+`', 'token', '`+token+`')`)
			w.lines = nil
			w.do(append(c.set, "jump 25h", "connect a", "say a R2 u2: hello", "tick 5s", "tick 10s")...)
			sent := w.sentSecrets()
			if (len(sent) > 0) != c.refreshed {
				t.Errorf("sent was %q; asked %q", sent, w.asked)
			}
		})
	}
}

func rowsIn(t *testing.T, db durable.Storage, statement string) []durable.Row {
	t.Helper()
	rows, err := db.SQL(statement, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestNameThatIsDeclaredLater declares a server of a name that a client has used before. The declared one has the name, its
// headers and its secrets, and the other one stays with its own.
func TestNameThatIsDeclaredLater(t *testing.T) {
	a := agent.Agent{Name: "Own", Model: chattest.Calling{}, MCP: &agent.MCP{Editable: true}}
	class := chattest.Class(a)
	deployed := class
	class.New = func() durable.Object { return deployed.New() }
	engine := durabletest.NewNative(1, class)
	defer engine.Close()
	w := newRemote(t, a, docs(func(rpc) (int, string) { return 200, said("x") }))
	w.World = durabletest.NewWorld(engine, "Own", "room")
	w.do("connect a", `frame a {"type":"rpc","id":"add","method":"addMcpServer","args":[{"name":"Real","url":"https://evil.test/mcp","headers":{"authorization":"Bearer evil"}}]}`, "tick 1s", "evict")
	a.MCP = &agent.MCP{Editable: true, Servers: []agent.MCPServer{{Name: "real", URL: "https://real.test/mcp", Header: []durable.Header{{Name: "x-key", Secret: "KEY"}}}}}
	a.Tools = []agent.Tool{agent.NewTool("visit", "", func(c *agent.Context, in struct{ Name string }) (string, error) {
		r, err := c.MCP(in.Name).Call("search", struct{}{})
		return r.Text, err
	})}
	deployed = chattest.Class(a)
	w.lines = nil
	w.do("connect b", `say b R1 u1: call visit {"Name":"real"}`, "tick 5s", `say b R2 u2: call visit {"Name":"Real 2"}`, "tick 5s")
	for _, line := range w.lines {
		if !strings.Contains(line, "fetch ") {
			continue
		}
		if key := strings.Contains(line, "secret:KEY"); key != strings.Contains(line, "https://real.test/mcp") || key == strings.Contains(line, "Bearer evil") {
			t.Errorf("sent was %s", line)
		}
	}
	w.wants(`"name":"Real 2"`, "POST https://real.test/mcp", "POST https://evil.test/mcp", `it is \"x\"`)
}

// TestHeadersOfEarlierRows checks that a header which an earlier version has let a client set is not sent.
func TestHeadersOfEarlierRows(t *testing.T) {
	a := agent.Agent{Name: "Own", Model: chattest.Calling{}, MCP: &agent.MCP{Editable: true}}
	engine := durabletest.NewNative(1, chattest.Class(a))
	defer engine.Close()
	w := newRemote(t, a, docs(func(rpc) (int, string) { return 200, said("x") }))
	w.World = durabletest.NewWorld(engine, "Own", "room")
	w.do("connect a", `frame a {"type":"rpc","id":"add","method":"addMcpServer","args":[{"name":"mine","url":"https://mine.test/mcp","headers":{"X-Api-Key":"k"}}]}`, "tick 1s", "evict")
	db, err := engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	rowsIn(t, db, `UPDATE mcp_secret SET value = '{"Cookie":"c=1","x_forwarded_for":"127.0.0.1","X-Api-Key":"k"}' WHERE name = 'headers'`)
	w.lines = nil
	w.do("jump 25h", "connect a", "say a R1 u1: hello", "tick 5s")
	w.wants(`x-api-key="k"`)
	if text := w.text(); strings.Contains(text, "c=1") || strings.Contains(text, "127.0.0.1") {
		t.Errorf("sent was %s", text)
	}
	for header, words := range map[string]string{
		`{"Cookie":"a=b"}`: `the header \"Cookie\" cannot be set`, `{"X-Forwarded-For":"1.2.3.4"}`: "cannot be set", `{"cf-connecting-ip":"1.2.3.4"}`: "cannot be set",
		`{"X_Real_IP":"1"}`: "cannot be set", `{"Expect":"100-continue"}`: "cannot be set", `{"x-a":"1","X-A":"2"}`: "cannot be set",
	} {
		w.lines = nil
		w.do(`frame a {"type":"rpc","id":"add","method":"addMcpServer","args":[{"name":"other","url":"https://mine.test/mcp","headers":` + header + `}]}`)
		w.wants(words, `"success":false`)
	}
}

// TestClassChecksSecrets checks that a class refuses a deployment whose secret is for nobody who is named.
func TestClassChecksSecrets(t *testing.T) {
	if c := chattest.Class(agent.Agent{Name: "Own", Model: chattest.Calling{}}); c.Check != nil {
		t.Error("an agent without servers checks something")
	}
	a := agent.Agent{Name: "Own", Model: chattest.Calling{}, MCP: &agent.MCP{Servers: []agent.MCPServer{
		{Name: "my-docs", URL: "https://docs.test/mcp"},
		{Name: "own", URL: "https://own.test/mcp", Client: agent.MCPRegistration{ID: "i", Secret: "OWN"}},
	}}}
	vars := map[string]string{}
	check := func() string {
		err := chattest.Class(a).Check(func(name string) string { return vars[name] }, func(name string) bool { return name == "MCP_CLIENT_MY_DOCS_SECRET" })
		return fmt.Sprint(err)
	}
	for _, want := range []string{"the secret MCP_CLIENT_MY_DOCS_SECRET, for signing in to the server my-docs,", "set the variable MCP_CLIENT_MY_DOCS_ISSUER", "the secret OWN, for signing in to the server own,"} {
		if got := check(); !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	vars["MCP_CLIENT_MY_DOCS_ISSUER"], vars["MCP_CLIENT_OWN_ISSUER"] = "https://login.test", "https://login.test"
	if got := check(); got != "<nil>" {
		t.Errorf("got %s", got)
	}
}
