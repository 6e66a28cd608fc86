package chat_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
)

// TestRefresh checks that a token is renewed behind a refusal and before its end, each time by one request, and
// what becomes of a refresh token that is not good.
func TestRefresh(t *testing.T) {
	a := docsAgent()
	a.Tools = []agent.Tool{agent.NewTool("twice", "", func(c *agent.Context, _ struct{}) (string, error) {
		first := flow.Go(c, "search", func() (agent.MCPResult, error) { return c.MCP("docs").Call("search", struct{}{}) })
		second := flow.Go(c, "write", func() (agent.MCPResult, error) { return c.MCP("docs").Call("write", struct{}{}) })
		x, err := first.Wait()
		if err != nil {
			return "", err
		}
		y, err := second.Wait()
		return x.Text + y.Text, err
	})}
	for _, early := range []bool{false, true} {
		l := newLogin(t, a)
		w := l.w
		w.do("connect a", "say a R1 u1: hello", "tick 1s")
		l.signIn()
		w.do("tick 2m", "say a R2 u2: hello", "tick 1s")
		if early {
			w.do("jump 59m50s")
		} else {
			l.good = map[string]string{}
		}
		seen := len(l.seen)
		l.calls = nil
		w.do("say a R3 u3: call twice {}", "tick 5s")
		w.wants(`it is \"donedone\"`)
		if refreshes := len(l.seen) - seen; refreshes != 1 || len(l.calls) != 2 {
			t.Errorf("early %v: %d refreshes, %v calls", early, refreshes, l.calls)
		}
		l.good, l.refreshes = map[string]string{}, nil
		w.do("tick 2m", "say a R4 u4: call docs_search {}", "tick 5s")
		if w.state() != "authenticating" || w.link() == "" {
			t.Errorf("the state is %s", w.state())
		}
		w.lines = nil
		w.do("evict", "connect b", "jump 20h")
		l.signIn()
		w.do("tick 5s")
		w.wants(`it is \"done\"`)
	}
}

// TestStepUp checks that a call goes on behind a person's signing in with more scopes, a day later and in another
// life, that the turn does not wait, and that nobody is asked without end.
func TestStepUp(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	l.needs["write"] = "write"
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	l.signIn()
	w.do("tick 1s", `say a R2 u2: call docs_write {}`, "tick 5s")
	w.wants(`"id":"R2","body":"","done":true,"outcome":"completed"`)
	if w.state() != "authenticating" || len(l.calls) > 0 {
		t.Fatalf("the state is %s", w.state())
	}
	w.do(`say a R3 u3: call docs_search {}`, "tick 5s")
	if fmt.Sprint(l.calls) != "[search]" {
		t.Errorf("a call that needs no more scopes waits: %v", l.calls)
	}
	w.do("evict", "jump 24h", "connect b")
	w.lines = slices.Clip(w.lines)
	a := w.press(w.link())
	if !strings.Contains(a.location, "scope=read+write") {
		t.Errorf("the person is sent to %s", a.location)
	}
	w.get(l.approve(a))
	w.do("tick 5s")
	if fmt.Sprint(l.calls) != "[search write]" {
		t.Errorf("the calls are %v, the state is %s", l.calls, w.state())
	}
	l.needs["book"] = "never"
	l.good["TOKEN-access-9"] = ""
	w.do(`say b R4 u4: call docs_book {}`, "tick 5s")
	pressed := 0
	for ; w.state() == "authenticating" && pressed < 9; pressed++ {
		callback, cookie := l.approve(w.press(w.link()))
		for code, c := range l.codes {
			l.codes[code] = [2]string{c[0], "read write"}
		}
		w.get(callback, cookie)
		w.do("tick 5s")
	}
	w.wants("it still refuses, behind 3 times of signing in")
	if pressed != 3 {
		t.Errorf("pressed %d times", pressed)
	}
}

// TestServerThatNeverLetsIn checks that nobody signs in without end.
func TestServerThatNeverLetsIn(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	w.server = func(q rpc) (int, string) { return 401, docsChallenge }
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	pressed := 0
	for ; w.state() == "authenticating" && pressed < 9; pressed++ {
		l.signIn()
		w.do("tick 1s")
	}
	if w.wants("a person has signed in three times"); pressed != 3 || w.state() != "failed" {
		t.Errorf("pressed %d times, the state is %s", pressed, w.state())
	}
}

// TestTokensStayInTheirRows searches all that leaves the object, and all rows, for tokens and secrets.
func TestTokensStayInTheirRows(t *testing.T) {
	a := docsAgent()
	a.Name, a.Model = "Own", chattest.Calling{}
	engine := durabletest.NewNative(1, chattest.Class(a))
	defer engine.Close()
	l := newLogin(t, a)
	l.w.World = durabletest.NewWorld(engine, "Own", "room")
	w := l.w
	l.needs["write"] = "write"
	w.do("var TRIBUTARY_ENV=development", "connect a", "say a R1 u1: hello", "tick 1s")
	l.signIn()
	w.do("tick 2m", `say a R2 u2: call docs_write {}`, "tick 5s", "evict", "connect b")
	l.signIn()
	w.do("tick 2m")
	l.good = map[string]string{}
	w.do(`say a R3 u3: call docs_search {}`, "tick 5s")
	l.good = map[string]string{}
	l.refusal = "invalid_grant"
	w.do("tick 2m", `say a R4 u4: call docs_search {}`, "tick 5s")
	w.do(`frame a {"type":"rpc","id":"1","method":"inspect","args":[]}`, `frame a {"type":"rpc","id":"2","method":"mcpServers","args":[]}`)
	w.wants("mcp_server", `"done":true,"outcome":"completed"`)
	secret := regexp.MustCompile(`TOKEN-|SECRET-|CODE-`)
	for _, line := range w.lines {
		if !strings.HasPrefix(strings.TrimSpace(line), "fetch ") && secret.MatchString(line) {
			t.Errorf("a secret leaves the object: %.600s", line)
		}
	}
	db, err := engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	rows := func(statement string) []durable.Row {
		list, err := db.SQL(statement, nil)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	found := 0
	for _, table := range rows(`SELECT name FROM sqlite_schema WHERE type = 'table'`) {
		name := table.Text(0)
		for _, row := range rows(`SELECT * FROM "` + name + `"`) {
			if text := fmt.Sprint(row); secret.MatchString(text) {
				found++
				if name != "mcp_secret" {
					t.Errorf("the table %s has a secret: %.300s", name, text)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no row has a secret")
	}
}

// TestRemovingForgetsTokens checks that nothing is left of a server that was removed.
func TestRemovingForgetsTokens(t *testing.T) {
	l := newLogin(t, agent.Agent{MCP: &agent.MCP{Editable: true}})
	w := l.w
	w.do("connect a", `frame a {"type":"rpc","id":"1","method":"addMcpServer","args":[{"name":"mine","url":"https://docs.test/mcp"}]}`, "tick 1s")
	l.signIn()
	w.do("tick 1s")
	id := regexp.MustCompile(`"result":\{"id":"([^"]+)"`).FindStringSubmatch(w.text())
	w.do(`frame a {"type":"rpc","id":"2","method":"removeMcpServer","args":["`+id[1]+`"]}`,
		`frame a {"type":"rpc","id":"3","method":"addMcpServer","args":[{"name":"mine","url":"https://docs.test/mcp"}]}`, "tick 1s")
	if w.state() != "authenticating" || !strings.Contains(w.press(w.link()).location, "client-2") {
		t.Errorf("the state is %s", w.state())
	}
}
