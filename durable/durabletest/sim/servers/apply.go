package servers

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// object is JSON.
type object = map[string]any

// answer is what a server answers to a request that it serves.
type answer struct {
	status int
	// result or failure is in the message. again says that the client makes the request again, and over
	// that a task has ended.
	result, failure object
	again, over     bool
	session         string
	// said is the text of the result of a tool.
	said string
}

func result(fields object) answer {
	if fields["resultType"] == nil {
		fields["resultType"] = "complete"
	}
	return answer{status: 200, result: fields}
}

func failure(code int, words string) answer {
	return answer{status: 200, failure: object{"code": code, "message": words}}
}

// round is a question of a server that waits for its answer.
type round struct {
	key, text string
	n         int
}

// task is a task of a server.
type task struct {
	text         string
	polls        int
	asks, ended  bool
	lost, failed bool
}

// apply does what a request asks for.
func (s *Server) apply(q Request) answer {
	switch q.Method {
	case "server/discover":
		if q.isLegacy() {
			return answer{status: 400, failure: object{"code": -32600, "message": "there is no session"}}
		}
		return result(object{"supportedVersions": []string{"2026-07-28"}, "capabilities": object{"tools": object{}}, "ttlMs": 60_000})
	case "initialize":
		a := result(object{"protocolVersion": "2025-11-25", "capabilities": object{"tools": object{}}, "serverInfo": object{"name": q.Server, "version": "1"}})
		a.session = s.name("session")
		s.sessions[a.session] = true
		return a
	case "notifications/initialized":
		return answer{status: 202}
	case "tools/list":
		return result(object{"tools": s.tools(q), "ttlMs": 120_000})
	case "tools/call":
		return s.call(q)
	case "tasks/get", "tasks/update", "tasks/cancel":
		return s.about(q)
	}
	return failure(-32601, "there is no method "+q.Method)
}

// tools are what a server says of its tools.
func (s *Server) tools(q Request) (list []object) {
	for _, name := range contract.ServerTools {
		words := "Does " + name + "."
		if n := s.changes[q.Server]; n > 0 && name != contract.Look {
			words += fmt.Sprint(" It was changed ", n, " times.")
		}
		t := object{"name": name, "description": words, "inputSchema": object{
			"type": "object", "properties": object{"text": object{"type": "string"}}, "required": []string{"text"},
		}}
		switch name {
		case contract.Look:
			t["annotations"] = object{"readOnlyHint": true}
		case contract.Keep:
			t["annotations"] = object{"idempotentHint": true}
		}
		if schema := costly[name]; schema != nil {
			t["outputSchema"] = schema
		}
		list = append(list, t)
	}
	return list
}

func said(text string) answer {
	a := result(object{"content": []object{{"type": "text", "text": text}}})
	a.said = text
	return a
}

// call calls a tool.
func (s *Server) call(q Request) answer {
	switch {
	case q.Tool == contract.Reserve && !q.isLegacy():
		return s.reserve(q)
	case q.Tool == contract.Slow && !q.isLegacy():
		return s.begin(q)
	}
	s.Observer.Applied(q)
	a := said(contract.Served(q.Tool, q.Text))
	if q.costs() { // nobody is told what it says
		a.result["structuredContent"], a.said = structured, ""
	}
	return a
}

// draw returns a number below n that follows from a text.
func draw(text string, n uint32) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return h.Sum32() / 7 % n
}

// reserve asks once or twice before it has its effect.
func (s *Server) reserve(q Request) answer {
	n := 0
	if q.State != "" {
		r := s.rounds[q.State]
		if r == nil || r.text != q.Text {
			s.Observer.Wrong(fmt.Sprintf("%s is sent the state %q with %q, which it has not given, or was sent before", q.Server, q.State, q.Text))
			return failure(-32602, "the state is not known")
		}
		delete(s.rounds, q.State)
		if got, ok := q.responses[r.key]; !ok || len(q.responses) != 1 {
			s.Observer.Wrong(fmt.Sprintf("%s has asked %s, and is answered %v", q.Server, r.key, q.responses))
		} else if got.Action != "accept" {
			return said("not reserved: " + q.Text)
		}
		n = r.n
	}
	if n > int(draw(q.Text, 2)) {
		s.Observer.Applied(q)
		return said(contract.Served(q.Tool, q.Text))
	}
	r := &round{key: s.name("round"), text: q.Text, n: n + 1}
	state := s.name("state \"ü\\ \u2028 ") + strings.Repeat("=", int(draw(q.Text, 4)))
	s.rounds[state] = r
	return result(object{"resultType": "input_required", "requestState": state, "inputRequests": object{r.key: question(q.Text)}})
}

// question asks for one of some choices, or for yes or no.
func question(text string) object {
	properties := object{"choice": object{"type": "string", "enum": contract.Choices}}
	if draw(text, 3) == 0 {
		properties = object{}
	}
	return object{"method": "elicitation/create", "params": object{
		"mode": "form", "message": "which one for " + text + "?", "requestedSchema": object{"type": "object", "properties": properties},
	}}
}

// begin begins a task, which is what has the effect.
func (s *Server) begin(q Request) answer {
	s.Observer.Applied(q)
	kind := draw(q.Text, 6)
	t := &task{text: q.Text, polls: int(kind), asks: kind > 2, lost: kind == 1, failed: kind == 2}
	id := s.name("task")
	s.tasks[id] = t
	return result(t.state(id, "task", "working"))
}

// state is how a task is told.
func (t *task) state(id, kind, status string) object {
	return object{
		"resultType": kind, "taskId": id, "status": status, "ttlMs": nil, "pollIntervalMs": 1_000,
		"createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z",
	}
}

// about answers a request about a task.
func (s *Server) about(q Request) answer {
	t := s.tasks[q.Task]
	switch {
	case t == nil:
		s.Observer.Wrong(q.Server + " is asked for the task " + q.Task + ", which it has not given")
		return failure(-32602, "there is no such task")
	case q.Method == "tasks/cancel":
		t.ended = true
		return result(object{})
	case q.Method == "tasks/update":
		t.asks = t.asks && len(q.responses) == 0
		return result(object{})
	case t.lost:
		a := failure(-32602, "there is no such task")
		a.over = true
		return a
	}
	t.polls--
	switch {
	case t.ended:
		return over(t.state(q.Task, "complete", "cancelled"))
	case t.polls > 0:
		return result(t.state(q.Task, "complete", "working"))
	case t.asks:
		fields := t.state(q.Task, "complete", "input_required")
		fields["inputRequests"] = object{"which": question(t.text)}
		return result(fields)
	case t.failed:
		fields := t.state(q.Task, "complete", "failed")
		fields["error"] = object{"code": -32603, "message": "the task has failed"}
		return over(fields)
	}
	fields := t.state(q.Task, "complete", "completed")
	fields["result"] = object{"content": []object{{"type": "text", "text": contract.Served(contract.Slow, t.text)}}}
	return over(fields)
}

func over(fields object) answer {
	a := result(fields)
	a.over = true
	return a
}
