package program

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// message is what a program reads of an answer.
type message struct {
	ID     *int
	Method string
	Params struct{ Progress float64 }
	Error  *struct {
		Code    int
		Message string
	}
	Result *struct {
		ResultType, TaskID, Status, RequestState string
		InputRequests                            map[string]json.RawMessage
		IsError                                  bool
		Content                                  []struct{ Text string }
		Result                                   json.RawMessage
		Tools                                    []struct{ Name string }
	}
}

// find returns the request with a name, or nil.
func (p *Programs) find(name string) *request {
	for _, q := range p.waiting {
		if q.name == name {
			return q
		}
	}
	return nil
}

func (p *Programs) done(q *request) {
	p.waiting = slices.DeleteFunc(p.waiting, func(have *request) bool { return have == q })
}

// Respond gives a program the answer to its request.
func (p *Programs) Respond(name string, status int, body []byte) {
	q := p.find(name)
	if q == nil {
		return
	}
	p.done(q)
	if status >= 500 {
		p.lost(q)
		return
	}
	if q.purpose == strays {
		p.View.Checks++
		if status < 400 {
			p.fail("what is no request is answered with %d: %s", status, body)
		}
		return
	}
	p.hear(q, body)
}

// Begin says that the answer to a request is a stream.
func (p *Programs) Begin(name string) {
	if q := p.find(name); q != nil {
		q.streams = true
	}
}

// Read gives a program what comes on a stream.
func (p *Programs) Read(e durable.Event) {
	switch e := e.(type) {
	case durable.StreamData:
		if q := p.find(e.Stream); q != nil {
			q.text += string(e.Data)
			p.readEvents(q)
		}
	case durable.StreamEnded:
		if q := p.find(e.Stream); q != nil {
			p.done(q)
			p.fail("the stream of %s ends without an answer: %q", q.name, q.text)
		}
	case durable.StreamFailed:
		if q := p.find(e.Stream); q != nil {
			p.done(q)
			p.lost(q)
		}
	}
}

func (p *Programs) readEvents(q *request) {
	for {
		event, rest, whole := strings.Cut(q.text, "\n\n")
		if !whole {
			return
		}
		q.text = rest
		_, data, ok := strings.Cut(event, "data: ")
		if !ok { // it says that it is alive
			continue
		}
		var m message
		if err := json.Unmarshal([]byte(data), &m); err != nil {
			p.fail("an event is %q", event)
			return
		}
		if m.Method == "" {
			p.done(q)
			p.hear(q, []byte(data))
			return
		}
		if m.Params.Progress <= q.progress {
			p.fail("the progress of %s is %v behind %v", q.name, m.Params.Progress, q.progress)
		}
		q.progress = m.Params.Progress
	}
}

// Lose has all requests fail that the root was told of, except one.
func (p *Programs) Lose(except string) {
	for _, q := range slices.Clone(p.waiting) {
		if q.told && q.name != except {
			p.done(q)
			p.lost(q)
		}
	}
}

// Crash has all requests fail, also those that are on their way.
func (p *Programs) Crash() {
	for _, q := range slices.Clone(p.waiting) {
		p.Lanes.Drop(q.name + ">")
		p.done(q)
		p.lost(q)
	}
}

// lost gives a call up that may or may not go on. One that has a task has only to ask again.
func (p *Programs) lost(q *request) {
	switch q.purpose {
	case calls, answers:
		q.call.over = true
	case updates:
		q.call.asked = 0
	}
}

func (p *Programs) fail(format string, args ...any) { p.View.Fail("program", format, args...) }

// taskAge is for how long a task is kept, and roundAge a question, in milliseconds.
const taskAge, roundAge = 24 * 3_600_000, 3_600_000

// hear takes a message that answers a request.
func (p *Programs) hear(q *request, body []byte) {
	p.View.Checks++
	var m message
	if err := json.Unmarshal(body, &m); err != nil || m.ID == nil || *m.ID != q.id || (m.Error == nil) == (m.Result == nil) {
		p.fail("%s is answered with %.300s", q.name, body)
		return
	}
	if m.Error != nil {
		p.refused(q, m.Error.Code, m.Error.Message)
		return
	}
	c := q.call
	switch q.purpose {
	case forges:
		p.fail("a call with a state that is not good is answered: %.300s", body)
	case lists:
		var names []string
		for _, t := range m.Result.Tools {
			names = append(names, t.Name)
		}
		if !slices.Equal(names, contract.ProgramTools) {
			p.fail("the tools are %q", names)
		}
	case gets:
		p.state(c, m, body)
	case updates:
		c.keys, c.asked = nil, 0
	case cancels:
		c.asked = 0
	default:
		if q.state != "" {
			c.used, c.state, c.keys = append(c.used, q.state), "", nil
		}
		p.answered(c, m, body)
	}
}

// passed is the clock as it would be if it had never been set back. What had a time to end may have ended before that.
func (p *Programs) passed() int64 { return p.World.Now() + p.View.SetBack }

// refused takes an error.
func (p *Programs) refused(q *request, code int, words string) {
	c := q.call
	now := p.passed()
	switch q.purpose {
	case forges:
		if code != -32602 {
			p.fail("a state that is not good is refused with %d", code)
		}
		return
	case gets, updates, cancels, answers, calls:
		if c.cleared {
			c.over = true
			return
		}
	}
	switch q.purpose {
	case gets, updates, cancels:
		if now < c.begun+taskAge {
			p.fail("the task of %s %q, begun %d ms ago, is refused: %d %s", c.tool, c.query, now-c.begun, code, words)
		}
	case answers:
		if now < c.since+roundAge && !(code == -32021 && !c.forms) {
			p.fail("the answer to a question of %s %q, asked %d ms ago, is refused: %d %s", c.tool, c.query, now-c.since, code, words)
		}
	case calls:
		if code != -32021 || c.forms {
			p.fail("the call of %s is refused: %d %s", c.tool, code, words)
		}
	default:
		p.fail("a list is refused: %d %s", code, words)
	}
	c.over = true
}

// answered takes the result of a call.
func (p *Programs) answered(c *call, m message, body []byte) {
	switch m.Result.ResultType {
	case "task":
		c.task, c.begun, c.status = m.Result.TaskID, p.passed(), "working"
		if c.task == "" || !c.tasks {
			p.fail("a program is given a task that it has not asked for: %s", body)
		}
	case "input_required":
		c.state, c.since = m.Result.RequestState, p.passed()
		c.keys = slices.Sorted(maps.Keys(m.Result.InputRequests))
		if c.state == "" || len(c.keys) == 0 || !c.forms {
			p.fail("a program is asked: %s", body)
		}
	default:
		c.over = true
		p.judge(c, m.Result.IsError, m.Result.Content, body)
	}
}

// state takes what a task is.
func (p *Programs) state(c *call, m message, body []byte) {
	c.status = m.Result.Status
	end := c.status + string(m.Result.Result)
	if c.end != "" && c.end != end {
		p.fail("a task that was over as %s is %s", c.end, end)
	}
	c.keys = slices.Sorted(maps.Keys(m.Result.InputRequests))
	if c.status == "working" || c.status == "input_required" {
		return
	}
	c.end, c.over = end, true
	if c.status != "completed" {
		return
	}
	var r struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(m.Result.Result, &r); err != nil {
		p.fail("the result of a task is %s", body)
		return
	}
	p.judge(c, r.IsError, r.Content, body)
}

// judge checks a result: what is said to have happened has happened.
func (p *Programs) judge(c *call, failed bool, content []struct{ Text string }, body []byte) {
	text := ""
	if len(content) == 1 {
		text = content[0].Text
	}
	switch {
	case failed && c.tool == contract.Quick:
		p.fail("the call of %s has failed: %s", c.tool, body)
	case failed, text == "nothing is chosen for "+c.query && c.tool == contract.Choose:
	case c.tool == contract.Quick && text == contract.Hasted(c.query):
	case c.tool != contract.Quick && text == contract.Stamped(c.query) && p.Stamped(c.query):
	default:
		p.fail("the result of %s %q is %s", c.tool, c.query, body)
	}
}

// GoOn has programs go on with a call that is not over, in a world that comes to rest, and says whether one
// did. A task is asked for again when time has passed.
func (p *Programs) GoOn() bool {
	for _, c := range p.calls {
		switch {
		case c.over || p.isBusy(c):
		case len(c.keys) > 0:
			p.answer(c, true)
			return true
		case c.task != "" && p.World.Now() > c.asked:
			c.asked = p.World.Now()
			p.post(gets, c, "tasks/get", object{"taskId": c.task})
			return true
		}
	}
	return false
}

// EveryCallIsOver checks I6 in a world at rest: each call that was accepted has one end, of which its
// program has learned.
func (p *Programs) EveryCallIsOver() {
	for _, c := range p.calls {
		if !c.over {
			p.View.Fail("I6", "in a world at rest, the call of %s %q by a program is not over: %s", c.tool, c.query, fmt.Sprint(c.status, " ", c.task))
		}
	}
	for _, q := range p.waiting {
		p.View.Fail("I6", "in a world at rest, the request %s that %s is not answered", q.name, q.purpose)
	}
}
