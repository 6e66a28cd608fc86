//go:build !wasip1

package chat_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/internal/share/sharetest"
)

// restTool waits for long, and is a task for a client that takes one. endTool is one and ends within a second.
var (
	restTool   = agent.NewTool("rest", "", func(c *agent.Context, _ struct{}) (string, error) { return "rested", flow.Sleep(c, 1<<50) })
	endTool    = agent.NewTool("end", "", func(c *agent.Context, _ struct{}) (string, error) { return "ended", flow.Sleep(c, 1<<28) })
	chooseTool = agent.NewTool("pick", "", func(c *agent.Context, _ struct{}) (string, error) {
		a, err := agent.Ask[string](c, agent.Question{Title: "Which?"})
		return "it is " + a.Value, err
	})
)

// offering is an agent with these tools, for programs.
func offering() agent.Agent {
	return agent.Agent{Tools: []agent.Tool{restTool, endTool, chooseTool}, Expose: &agent.Expose{
		Tools: []string{"rest", "end", "pick"}, Tasks: []string{"rest", "end"},
	}}
}

// as has a program ask with some claims, and returns the refusal.
func (p *program) as(claims, method, params string) (string, error) {
	p.t.Helper()
	p.claims = claims
	request, lines := p.send(method, params)
	if !strings.Contains(strings.Join(lines, "\n"), "respond "+request) {
		return "", nil // it waits, or is a stream
	}
	got := p.answer(request, lines)
	if strings.HasPrefix(got, "error ") {
		return got, errors.New(got)
	}
	return got, nil
}

func (p *program) call(claims, tool string) (string, error) {
	p.t.Helper()
	return p.as(claims, "tools/call", `"name":"`+tool+`","arguments":{}`)
}

// stored counts rows of the object.
func (p *program) stored(statement string) int {
	p.t.Helper()
	if err := p.w.Do("tick 1ms"); err != nil {
		p.t.Fatal(err)
	}
	return int(sql(p.t, p.engine, statement)[0].Int(0))
}

const taskable = takesTasks

var taskID = regexp.MustCompile(`"taskId":"(mcp_[^"]+)"`)

// TestProgramsAreShared has people's programs begin calls, as tasks that are stored, and as requests that
// wait. Each is counted once.
func TestProgramsAreShared(t *testing.T) {
	for name, capabilities := range map[string]string{"tasks": taskable, "requests": `{}`} {
		t.Run(name, func(t *testing.T) {
			p, begun := exposed(t, offering()), 0
			p.capabilities = capabilities
			sharetest.Check(t, share.Programs, func(claims string) error {
				if claims == sharetest.Nobody && name == "tasks" {
					claims = sharetest.Of("somebody") // nobody has no tasks
				}
				_, err := p.call(claims, "rest")
				if err == nil {
					begun++
				}
				return err
			}, func() int { return begun })
		})
	}
}

// TestOneProgramLocksOutNobody has a program take as many tasks as it can. Another one begins calls all the
// same, and what it had goes on. The first one ends its own tasks, one by one, and a person by Clear.
func TestOneProgramLocksOutNobody(t *testing.T) {
	p := exposed(t, offering())
	p.capabilities = taskable
	m, a := sharetest.Of("m"), sharetest.Of("a")
	task := func(claims, tool string) string {
		t.Helper()
		got, err := p.call(claims, tool)
		if err != nil {
			t.Fatal(err)
		}
		return taskID.FindStringSubmatch(got)[1]
	}
	had, tasks := task(a, "rest"), []string{}
	for range share.Programs.Each {
		tasks = append(tasks, task(m, "rest"))
	}
	const refused = "64 calls are under way already for one person, who can have 64 of 256"
	for i := range 300 {
		if i%200 == 0 { // a person may make 300 requests a second
			act(t, p.w, "tick 1s")
		}
		if _, err := p.call(m, "rest"); err == nil || !strings.Contains(err.Error(), refused) {
			t.Fatalf("one more: %v", err)
		}
	}
	task(a, "rest")
	status := func(claims, task string) string {
		got, _ := p.as(claims, "tasks/get", `"taskId":"`+task+`"`)
		return got
	}
	has(t, status(a, had), `"status":"working"`)
	has(t, status(m, had), "unknown task")

	if got, _ := p.as(a, "tasks/cancel", `"taskId":"`+tasks[0]+`"`); !strings.Contains(got, "unknown task") {
		t.Errorf("another person has ended a task: %s", got)
	}
	p.as(m, "tasks/cancel", `"taskId":"`+tasks[0]+`"`)
	has(t, status(m, tasks[0]), `"status":"cancelled"`)
	task(m, "rest")
	has(t, status(m, tasks[0]), "unknown task")
	if _, err := p.call(m, "rest"); err == nil {
		t.Error("a place was given twice")
	}

	p.do("connect c", `frame c {"type":"cf_agent_chat_clear"}`)
	for _, of := range []struct{ by, task string }{{a, had}, {m, tasks[1]}} {
		has(t, status(of.by, of.task), "unknown task")
	}
	if n := p.stored(`SELECT (SELECT COUNT(*) FROM mcp_call) + (SELECT COUNT(*) FROM await) + (SELECT COUNT(*) FROM schedule WHERE kind LIKE 'mcp%')`); n != 0 {
		t.Errorf("%d rows are left behind", n)
	}
	for range share.Programs.Each {
		task(m, "rest")
	}
}

// TestEndsThatAreKnownMakeRoom has tasks end. One of which the program knows the end makes room for a new
// call, the oldest first, and one of which it does not know stays.
func TestEndsThatAreKnownMakeRoom(t *testing.T) {
	for _, loss := range losses {
		p := exposed(t, offering())
		p.capabilities = taskable
		m := sharetest.Of("m")
		var tasks []string
		for range share.Programs.Each {
			got, err := p.call(m, "end")
			if err != nil {
				t.Fatal(err)
			}
			tasks = append(tasks, taskID.FindStringSubmatch(got)[1])
		}
		p.do("tick 1s")
		if _, err := p.call(m, "rest"); err == nil {
			t.Fatal("the end of a task that nobody knows was forgotten")
		}
		get := func(i int) string {
			got, _ := p.as(m, "tasks/get", `"taskId":"`+tasks[i]+`"`)
			return got
		}
		for _, i := range []int{9, 7} {
			has(t, get(i), `"status":"completed"`)
			has(t, get(i), `"status":"completed"`)
		}
		p.do(loss)
		for _, i := range []int{7, 9} {
			if _, err := p.call(m, "rest"); err != nil {
				t.Fatalf("%s: %v", loss, err)
			}
			has(t, get(i), "unknown task")
		}
		if _, err := p.call(m, "rest"); err == nil {
			t.Error("there is room for one more")
		}
		has(t, get(0), `"status":"completed"`)
	}
}

// TestClearEndsRequests has a person clear the conversation while programs wait for answers.
func TestClearEndsRequests(t *testing.T) {
	o := initializedBy(t, offering(), `{"elicitation":{}}`, sharetest.Of("s"))
	o.call(1, "pick", `{}`)
	o.call(2, "rest", `{}`)
	o.program.capabilities = `{"elicitation":{}}`
	got, _ := o.program.call(sharetest.Of("m"), "pick")
	has(t, got, "input_required")
	o.program.call(sharetest.Of("a"), "rest")
	out := strings.Join(o.program.do("connect c", `frame c {"type":"cf_agent_chat_clear"}`), "\n")
	if n := strings.Count(out, "the conversation was cleared"); n != 3 {
		t.Errorf("%d requests are told so, want 3: %s", n, out)
	}
	if n := o.stored(`SELECT COUNT(*) FROM mcp_call`); n != 0 {
		t.Errorf("%d calls are left", n)
	}
	o.claims = sharetest.Of("s")
	has(t, o.rpc(`{"jsonrpc":"2.0","id":9,"method":"ping"}`), `"id":9`)
}

// begin has a program of 2025 begin a session, and returns its id.
func (p *program) begin(claims string) (string, error) {
	p.t.Helper()
	p.requests++
	header := map[string]string{"content-type": "application/json", "accept": "application/json, text/event-stream", "host": "own.example"}
	p.claims = claims
	lines := strings.Join(p.post(fmt.Sprint("http", p.requests), header,
		`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"p","version":"1"}}}`), "\n")
	if m := sessionID.FindStringSubmatch(lines); m != nil {
		return m[1], nil
	}
	if strings.Contains(lines, `"error"`) {
		return "", errors.New(lines)
	}
	return "", nil
}

// of returns a program of 2025 that has a session.
func (p *program) of(session, claims string) *older {
	q := *p
	q.claims = claims
	q.requests += 10_000 * (1 + len(p.w.Lanes())) // the names of requests are not used twice
	return &older{program: &q, session: session}
}

// TestSessionsAreShared has people's programs begin sessions of which something is under way.
func TestSessionsAreShared(t *testing.T) {
	p := exposed(t, offering())
	n := 0
	sharetest.Check(t, share.Sessions, func(claims string) error {
		if claims == sharetest.Nobody {
			claims = sharetest.Of("somebody") // nobody has no sessions
		}
		session, err := p.begin(claims)
		if err != nil {
			return err
		}
		n++
		o := p.of(session, claims)
		o.requests = 100_000 + n
		o.call(n, "rest", `{}`)
		return nil
	}, func() int { return p.stored(`SELECT COUNT(*) FROM mcp_session`) })
}

// TestSessionsThatRestMakeRoom has a program begin far more sessions than it can have, and use none of them.
// Its own that was idle for longest ends, and none of others, and none of which a call or a stream is under
// way.
func TestSessionsThatRestMakeRoom(t *testing.T) {
	p := exposed(t, offering())
	m, a := sharetest.Of("m"), sharetest.Of("a")
	begin := func(claims string) string {
		t.Helper()
		s, err := p.begin(claims)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	idle, calls, listens := begin(a), begin(m), begin(m)
	older := p.of(calls, m)
	older.call(1, "rest", `{}`)
	older.session = listens
	older.get()
	sessions := []string{}
	for range 3 * share.Sessions.Most {
		sessions = append(sessions, begin(m))
	}
	lives := func(session, claims string) bool {
		older.session, older.claims = session, claims
		return !strings.Contains(older.rpc(`{"jsonrpc":"2.0","id":9,"method":"ping"}`), " 404 ")
	}
	for name, session := range map[string]string{"another person's": idle, "one with a call": calls, "one with a stream": listens, "the newest": sessions[len(sessions)-1]} {
		by := m
		if session == idle {
			by = a
		}
		if !lives(session, by) {
			t.Errorf("%s has ended", name)
		}
	}
	if n := p.stored(`SELECT COUNT(*) FROM mcp_session`); n != share.Sessions.Each+1 || lives(sessions[0], m) {
		t.Errorf("there are %d sessions", n)
	}
}

// TestServersAreShared has people add servers, each with a header and a client of its own.
func TestServersAreShared(t *testing.T) {
	engine := durabletest.NewNative(1, chattest.Class(agent.Agent{Name: "Crowd", Model: wisher{}, MCP: &agent.MCP{Editable: true}}))
	t.Cleanup(func() { engine.Close() })
	c := &crowd{t: t, w: durabletest.NewWorld(engine, "Crowd", "room"), engine: engine}
	if err := c.open("a", ""); err != nil {
		t.Fatal(err)
	}
	sharetest.Check(t, share.Servers, func(claims string) error {
		c.sent++
		server := map[string]any{"name": fmt.Sprint("s", c.sent), "url": fmt.Sprintf("https://s%d.example/mcp", c.sent), "headers": map[string]string{"x-key": "k"}, "client": map[string]string{"id": "me"}}
		lines := c.frame("a", claims, map[string]any{"type": "rpc", "id": fmt.Sprint("r", c.sent), "method": "addMcpServer", "args": []any{server}})
		return failure(lines, `"success":false,"error":"([^"]*)`)
	}, func() int { return c.number(`SELECT COUNT(*) FROM mcp_server`) })
	c.run()
	if n := c.number(`SELECT COUNT(*) FROM mcp_secret`); n > 14*share.Servers.Most {
		t.Errorf("%d secrets are kept", n)
	}
	if n := c.number(`SELECT COUNT(*) FROM mcp_catalogue`); n > share.Servers.Most {
		t.Errorf("%d catalogues are kept", n)
	}
}

// TestStreamsAreShared has people's programs listen, with a request each.
func TestStreamsAreShared(t *testing.T) {
	p, open := exposed(t, offering()), 0
	sharetest.Check(t, share.Streams, func(claims string) error {
		_, err := p.as(claims, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`)
		if err == nil {
			open++
		}
		return err
	}, func() int { return open })
}

// TestClientsWithoutSubject checks what clients have whose tokens name no person: those of one token belong
// together, and those of whom nothing is known have no session, no task and no question, and go on without.
func TestClientsWithoutSubject(t *testing.T) {
	one, two, nobody := `{"sub":"","scopes":[],"sender":"one"}`, `{"sub":"","scopes":[],"sender":"two"}`, `{"sub":"","scopes":[]}`
	p := exposed(t, offering())
	p.capabilities = taskable
	session, err := p.begin(one)
	if err != nil || session == "" {
		t.Fatal("no session:", err)
	}
	o := p.of(session, one)
	for _, c := range []struct {
		claims string
		good   bool
	}{{one, true}, {two, false}, {nobody, false}, {sharetest.Of("one"), false}, {"", false}} {
		o.claims = c.claims
		if got := o.rpc(`{"jsonrpc":"2.0","id":9,"method":"ping"}`); strings.Contains(got, " 404 ") == c.good {
			t.Errorf("with %s the session is answered: %s", c.claims, got)
		}
	}
	if session, err := p.begin(nobody); err != nil || session != "" {
		t.Errorf("nobody has the session %q, %v", session, err)
	}

	got, err := p.call(one, "rest")
	if err != nil {
		t.Fatal(err)
	}
	task := `"taskId":"` + taskID.FindStringSubmatch(got)[1] + `"`
	for _, c := range []struct{ claims, want string }{{one, "working"}, {two, "unknown task"}, {nobody, "unknown task"}} {
		got, _ := p.as(c.claims, "tasks/get", task)
		has(t, got, c.want)
	}
	if got, err := p.call(nobody, "rest"); err != nil || got != "" {
		t.Errorf("nobody has a task: %s", got)
	}

	got, err = p.call(one, "pick")
	if err != nil {
		t.Fatal(err)
	}
	state := regexp.MustCompile(`"requestState":"[^"]+"`).FindString(got)
	key := regexp.MustCompile(`"inputRequests":\{"([^"]+)"`).FindStringSubmatch(got)[1]
	answer := `"name":"pick","arguments":{},"inputResponses":{"` + key + `":{"action":"accept","content":{"value":"red"}}},` + state
	for _, claims := range []string{two, nobody} {
		got, _ := p.as(claims, "tools/call", answer)
		has(t, got, "requestState is not valid")
	}
	got, _ = p.as(one, "tools/call", answer)
	has(t, got, "it is red")
	got, _ = p.call(nobody, "pick")
	has(t, got, "an authorization that says who you are")

	again := exposed(t, offering()) // as in development
	again.capabilities = taskable
	if session, err := again.begin(""); err != nil || session == "" {
		t.Errorf("there is no session in development: %v", err)
	}
	if got, err := again.call("", "rest"); err != nil || !strings.Contains(got, "taskId") {
		t.Errorf("there is no task in development: %s, %v", got, err)
	}
}
