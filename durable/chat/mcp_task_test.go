//go:build !wasip1

package chat_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

const takesTasks = `{"extensions":{"io.modelcontextprotocol/tasks":{}},"elicitation":{"form":{}}}`

// taskOf returns the id and the status of a task in an answer.
func taskOf(t *testing.T, answer string) (id, status string) {
	t.Helper()
	var task struct{ TaskID, Status string }
	if err := json.Unmarshal([]byte(answer), &task); err != nil || task.TaskID == "" {
		t.Fatalf("%s is no task", answer)
	}
	return task.TaskID, task.Status
}

// slowTask calls a tool that takes long, and returns its task.
func (p *program) slowTask(params string) string {
	p.t.Helper()
	request, lines := p.send("tools/call", params)
	if strings.Contains(strings.Join(lines, "\n"), "respond") {
		p.t.Fatalf("it is answered at once: %q", lines)
	}
	lines = p.do("tick 2s")
	for _, line := range lines {
		if strings.Contains(line, "respond "+request) && !strings.Contains(line, `"resultType":"task"`) {
			p.t.Fatalf("it is answered with no task: %s", line)
		}
	}
	id, _ := taskOf(p.t, p.answer(request, lines))
	return id
}

func (p *program) status(id string) string {
	p.t.Helper()
	_, status := taskOf(p.t, p.ask("tasks/get", fmt.Sprintf(`"taskId":%q`, id)))
	return status
}

// TestSlowCallsBecomeTasks checks the life of a task, also if the instance is lost in between.
func TestSlowCallsBecomeTasks(t *testing.T) {
	for _, loss := range []string{"tick 1ms", "evict", "crash"} {
		t.Run(loss, func(t *testing.T) {
			p := exposed(t, agent.Agent{Tools: []agent.Tool{napTool}, Expose: &agent.Expose{Tools: []string{"nap"}}})
			p.capabilities = takesTasks
			id := p.slowTask(`"name":"nap","arguments":{"word":"hi"}`)
			want(t, p.status(id), "working")
			p.do(loss, "tick 30s")
			want(t, p.status(id), "working")
			p.do("tick 40s", loss)
			answer := p.ask("tasks/get", fmt.Sprintf(`"taskId":%q`, id))
			if _, status := taskOf(t, answer); status != "completed" || !strings.Contains(answer, `"structuredContent":{"word":"hi"}`) {
				t.Errorf("got %s", answer)
			}
			p.do("tick 24h")
			want(t, p.ask("tasks/get", fmt.Sprintf(`"taskId":%q`, id)), `error {"code":-32602,"message":"unknown task"}`)
		})
	}
}

// TestTasksAreCancelled checks that a task which is cancelled does nothing more.
func TestTasksAreCancelled(t *testing.T) {
	for _, loss := range []string{"tick 1ms", "evict"} {
		p := exposed(t, agent.Agent{Tools: []agent.Tool{napTool}, Expose: &agent.Expose{Tools: []string{"nap"}}})
		p.capabilities = takesTasks
		id := p.slowTask(`"name":"nap","arguments":{"word":"hi"}`)
		p.do(loss)
		want(t, p.ask("tasks/cancel", fmt.Sprintf(`"taskId":%q`, id)), `{"resultType":"complete"}`)
		want(t, p.status(id), "cancelled")
		p.do("tick 2m")
		want(t, p.status(id), "cancelled")
	}
}

// TestTasksAreTheirClients checks that a task is shown to whom it belongs to, and to a client that has
// declared tasks.
func TestTasksAreTheirClients(t *testing.T) {
	p := exposed(t, agent.Agent{Tools: []agent.Tool{napTool}, Expose: &agent.Expose{Tools: []string{"nap"}}})
	p.capabilities, p.claims = takesTasks, `{"sub":"ann","scopes":[]}`
	id := fmt.Sprintf(`"taskId":%q`, p.slowTask(`"name":"nap","arguments":{"word":"hi"}`))
	p.claims = `{"sub":"eve","scopes":[]}`
	for _, method := range []string{"tasks/get", "tasks/cancel"} {
		want(t, p.ask(method, id), `error {"code":-32602,"message":"unknown task"}`)
	}
	p.claims, p.capabilities = `{"sub":"ann","scopes":[]}`, `{}`
	if got := p.ask("tasks/get", id); !strings.Contains(got, "-32021") {
		t.Errorf("a client without tasks gets %s", got)
	}
}

// TestTasksAsk checks that a task asks its client's person.
func TestTasksAsk(t *testing.T) {
	color := agent.NewTool("color", "", func(c *agent.Context, _ struct{}) (string, error) {
		if err := flow.Sleep(c, 5e9); err != nil {
			return "", err
		}
		a, err := agent.Ask[string](c, agent.Question{Title: "Which color?"})
		return "it is " + a.Value, err
	})
	for _, loss := range []string{"tick 1ms", "evict"} {
		p := exposed(t, agent.Agent{Tools: []agent.Tool{color}, Expose: &agent.Expose{Tools: []string{"color"}}})
		p.capabilities = takesTasks
		id := fmt.Sprintf(`"taskId":%q`, p.slowTask(`"name":"color"`))
		p.do("tick 5s", loss)
		answer := p.ask("tasks/get", id)
		if !strings.Contains(answer, `"status":"input_required"`) || !strings.Contains(answer, "Which color?") {
			t.Fatalf("got %s", answer)
		}
		want(t, p.ask("tasks/update", id+`,"inputResponses":{"foreign":{"action":"accept"}}`), `{"resultType":"complete"}`)
		want(t, p.ask("tasks/update", id+`,"inputResponses":{"`+keysOf(t, answer)[0]+`":{"action":"accept","content":{"value":"red"}}}`), `{"resultType":"complete"}`)
		if answer = p.ask("tasks/get", id); !strings.Contains(answer, `"completed"`) || !strings.Contains(answer, "it is red") {
			t.Errorf("got %s", answer)
		}
	}
}
