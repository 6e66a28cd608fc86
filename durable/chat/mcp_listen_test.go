//go:build !wasip1

package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// listen begins a stream of notifications.
func (p *program) listen(filter string) (request string, lines []string) {
	p.t.Helper()
	request, lines = p.send("subscriptions/listen", `"notifications":{`+filter+`}`)
	has(p.t, strings.Join(lines, "\n"), "begin "+request+" 200", "notifications/subscriptions/acknowledged")
	return request, lines
}

func lacks(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%s is in\n%s", part, text)
		}
	}
}

// sets returns the frame of a browser that sets the state.
func sets(n int) string { return fmt.Sprintf(`frame A {"type":"cf_agent_state","state":{"n":%d}}`, n) }

// TestStreamsLiveAsLongAsTheirToken checks the comments of a stream of notifications, and that it ends with
// its authorization: nothing is told behind that.
func TestStreamsLiveAsLongAsTheirToken(t *testing.T) {
	for _, changes := range []bool{false, true} {
		p := exposed(t, agent.Agent{Tools: []agent.Tool{echoTool}, Expose: &agent.Expose{Tools: []string{"echo"}, Resources: true}})
		p.do("connect A")
		p.claims = fmt.Sprintf(`{"sub":"ann","scopes":[],"exp":%d}`, p.w.Now()/1000+100)
		request, _ := p.listen(`"resourceSubscriptions":["agent://state"]`)
		has(t, strings.Join(p.do(sets(1)), "\n"), "read "+request, `"method":"notifications/resources/updated","params":{"uri":"agent://state"`)
		comment := "read " + request + " :"
		lacks(t, strings.Join(p.do("tick 29s"), "\n"), comment)
		has(t, strings.Join(p.do("tick 1s"), "\n"), comment)
		if got := strings.Count(strings.Join(p.do("tick 60s"), "\n"), comment); got != 2 {
			t.Errorf("%d comments in a minute, want 2", got)
		}
		p.w.Advance(p.w.Now() + 11_000) // the token has ended a second ago, and no timer has gone off
		var end string
		if changes {
			end = strings.Join(p.do(sets(2)), "\n")
			lacks(t, end, "resources/updated")
		} else {
			end = strings.Join(p.do("tick 30s"), "\n")
		}
		has(t, end, `"result":{`, "subscriptionId", "end "+request)
		lacks(t, strings.Join(p.do(sets(3), "tick 2m"), "\n"), request)
	}
}

// TestStreamWatchesFewAndShortURIs checks how many resources a stream is kept for, and how long their URIs are: at the
// limit, beyond it, and far beyond it. Its client is told which they are.
func TestStreamWatchesFewAndShortURIs(t *testing.T) {
	for _, tt := range []struct {
		name          string
		n, size, kept int
	}{
		{"at the limits", 64, 2_048, 64},
		{"one too many", 65, 20, 64},
		{"far too many", 5_000, 20, 64},
		{"one byte too long", 3, 2_049, 0},
		{"far too long", 3, 300_000, 0},
	} {
		p := exposed(t, agent.Agent{Tools: []agent.Tool{echoTool}, Expose: &agent.Expose{Tools: []string{"echo"}, Resources: true}})
		var uris []string
		for i := range tt.n {
			uri := fmt.Sprintf("agent://x/%d/", i)
			uris = append(uris, `"`+uri+strings.Repeat("y", tt.size-len(uri))+`"`)
		}
		_, lines := p.listen(`"resourceSubscriptions":["agent://state",` + strings.Join(uris, ",") + `]`)
		told := strings.Join(lines, "\n")
		if kept := strings.Count(told, "agent://x/"); kept != min(tt.kept, 63) || !strings.Contains(told, `"agent://state"`) {
			t.Errorf("%s: the stream is kept for %d resources, want %d, and the state: %.200s", tt.name, kept, min(tt.kept, 63), told)
		}
	}
}

// TestStreamsAreLimited checks that an object has 32 streams of notifications, and that one which is left
// makes room.
func TestStreamsAreLimited(t *testing.T) {
	p := exposed(t, agent.Agent{Tools: []agent.Tool{echoTool}, Expose: &agent.Expose{Tools: []string{"echo"}}})
	first, _ := p.listen(`"toolsListChanged":true`)
	for range 31 {
		p.listen(`"toolsListChanged":true`)
	}
	request, lines := p.send("subscriptions/listen", `"notifications":{"toolsListChanged":true}`)
	has(t, p.answer(request, lines), "32 streams are open already")
	p.do("leave " + first)
	p.listen(`"toolsListChanged":true`)
}

// TestRunsAreTold checks that a program is told of what becomes of a run that it watches.
func TestRunsAreTold(t *testing.T) {
	b, p := worked(t)
	task := b.begin(p, `"name":"book","arguments":{"to":"A","amount":1}`)
	uri := regexp.MustCompile(`agent://runs/[A-Za-z0-9_-]+`).FindString(p.ask("resources/list", ""))
	if uri == "" {
		t.Fatal("no run is listed")
	}
	request, _ := p.listen(fmt.Sprintf(`"resourceSubscriptions":[%q]`, uri) + `,"taskIds":[` + strings.TrimPrefix(task, `"taskId":`) + `]`)
	b.lines = nil
	text := ""
	for n := 0; n < 200 && !strings.Contains(text, `"status":"completed"`) && b.step(); n++ { // comments are sent without end
		text = strings.Join(b.lines, "\n")
	}
	has(t, text, "read "+request, `"method":"notifications/resources/updated","params":{"uri":"`+uri+`"`, `"method":"notifications/tasks"`, `"status":"completed"`)
	has(t, p.ask("resources/read", fmt.Sprintf(`"uri":%q`, uri)), "completed")
}

// TestToolsOfADeployment checks that programs are told that the tools have changed with a deployment: those
// that come back within an hour, and nobody if the tools are the same.
func TestToolsOfADeployment(t *testing.T) {
	class := func(tools ...agent.Tool) durable.Class {
		var names []string
		for _, tool := range tools {
			names = append(names, tool.Name)
		}
		return chattest.Class(agent.Agent{Name: "Own", Model: chattest.Coding{}, Tools: tools, Expose: &agent.Expose{Tools: names}})
	}
	deployed := class(echoTool)
	running := deployed
	running.New = func() durable.Object { return deployed.New() }
	engine := durabletest.NewNative(1, running)
	t.Cleanup(func() { _ = engine.Close() })
	p := &program{t: t, w: durabletest.NewWorld(engine, "Own", "room"), capabilities: `{}`}
	const told = `"method":"notifications/tools/list_changed"`
	for _, tt := range []struct {
		title string
		tools []agent.Tool
		pause string
		told  bool
	}{
		{"the first", []agent.Tool{echoTool}, "tick 1s", false},
		{"the same", []agent.Tool{echoTool}, "tick 1s", false},
		{"another tool", []agent.Tool{echoTool, failTool}, "tick 1s", true},
		{"the same, soon after", []agent.Tool{echoTool, failTool}, "tick 1s", true},
		{"the same, an hour later", []agent.Tool{echoTool, failTool}, "tick 1h", false},
		{"another description", []agent.Tool{echoTool, agent.NewTool("fail", "Other words.", echo)}, "tick 1s", true},
	} {
		deployed = class(tt.tools...)
		p.do("crash", tt.pause)
		_, lines := p.listen(`"toolsListChanged":true`)
		if got := strings.Contains(strings.Join(lines, "\n"), told); got != tt.told {
			t.Errorf("%s: told %v, want %v", tt.title, got, tt.told)
		}
		_, lines = p.listen(`"resourcesListChanged":true`)
		lacks(t, strings.Join(lines, "\n"), told)
	}
}

// TestAnswersAheadOfQuestions checks answers that come with a call, before anything is asked.
func TestAnswersAheadOfQuestions(t *testing.T) {
	p := exposed(t, agent.Agent{Tools: []agent.Tool{asker}, Expose: &agent.Expose{Tools: []string{"asker"}}})
	p.capabilities = hasForms
	call := `"name":"asker","arguments":{"word":"yes"}`
	key := keysOf(t, p.ask("tools/call", call))[0]
	ahead := func(key, response string) string {
		return p.ask("tools/call", fmt.Sprintf(`%s,"inputResponses":{%q:%s}`, call, key, response))
	}
	want(t, ahead(key, `{"action":"accept"}`), textResult("true false"))
	want(t, ahead(key, `{"action":"decline"}`), textResult("false true"))
	for title, asked := range map[string]string{
		"a foreign key":      ahead("foreign", `{"action":"accept"}`),
		"what is no answer":  ahead(key, `{"action":"perhaps"}`),
		"no answers":         p.ask("tools/call", call+`,"inputResponses":{}`),
		"an answer too much": "",
	} {
		if title == "an answer too much" {
			want(t, p.ask("tools/call", fmt.Sprintf(`%s,"inputResponses":{%q:{"action":"accept"},"b":{"action":"accept"}}`, call, key)), textResult("true false"))
			continue
		}
		has(t, asked, `"resultType":"input_required"`, "Go on?")
		want(t, p.repeat(call, asked, `{"action":"accept"}`), textResult("true false"))
	}
}
