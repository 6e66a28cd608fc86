// Package program is the foreign programs in a simulated world that use a root as a server of the Model
// Context Protocol. They call tools, ask for tasks, answer questions, and do what they must not.
package program

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/lane"
)

// Programs are those that use one root.
type Programs struct {
	Config
	seed uint32
	// did counts what they have done, and sent their requests.
	did, sent int
	calls     []*call
	// waiting are the requests that are not answered, in order.
	waiting []*request
}

// Config is what programs need of their world.
type Config struct {
	World *durabletest.World
	Lanes *lane.Set
	View  *check.View
	// Address is that of the root.
	Address string
	// Stamped says whether something was stamped.
	Stamped func(what string) bool
}

// New returns programs that have done nothing.
func New(seed uint32, c Config) *Programs { return &Programs{Config: c, seed: seed} }

// call is a call of a tool, over all requests that it takes.
type call struct {
	tool, query  string
	tasks, forms bool
	// task is its task, begun when that was made, status what it was last, and end what it was when it
	// was over.
	task        string
	begun       int64
	status, end string
	asked       int64
	// state and keys are those of the question that waits for an answer, since when it was asked. used are
	// the states that were taken.
	state string
	keys  []string
	since int64
	used  []string
	// cleared says that the conversation may have been cleared since it began: it has ended then.
	cleared, over bool
}

// purpose is what a request is for.
type purpose string

const (
	calls   purpose = "calls"
	answers purpose = "answers"
	gets    purpose = "gets"
	updates purpose = "updates"
	cancels purpose = "cancels"
	lists   purpose = "lists"
	// forges is for what has to be refused, and strays for what is no request.
	forges purpose = "forges"
	strays purpose = "strays"
)

// request is a request that waits for its answer.
type request struct {
	name string
	id   int
	purpose
	call *call
	// state is what is sent with it.
	state string
	// told says that the root has been told of it, and streams that its answer is a stream. text is what
	// has come of that, and progress the last progress.
	told, streams bool
	text          string
	progress      float64
}

// Verbs are what programs do.
var Verbs = dice.Options{
	{"call", 12}, {"get", 8}, {"answer", 10}, {"deny", 2}, {"repeat", 3}, {"forge", 3}, {"swap", 3}, {"cancel", 2}, {"leave", 3}, {"list", 2}, {"stray", 1},
}

// Cleared notes that a person has cleared the conversation, which ends every call.
func (p *Programs) Cleared() {
	for _, c := range p.calls {
		c.cleared = true
	}
}

// object is JSON.
type object = map[string]any

// Do has a program do something, if that is possible.
func (p *Programs) Do(verb string) {
	p.did++
	d := dice.New(p.seed, "program", strconv.Itoa(p.did))
	switch verb {
	case "call":
		p.begin(d)
	case "get":
		if c := p.some(d, func(c *call) bool { return c.task != "" }); c != nil {
			p.post(gets, c, "tasks/get", object{"taskId": c.task})
		}
	case "answer", "deny":
		if c := p.some(d, func(c *call) bool { return !c.over && len(c.keys) > 0 && !p.isBusy(c) }); c != nil {
			p.answer(c, verb == "answer")
		}
	case "repeat":
		if c := p.some(d, func(c *call) bool { return len(c.used) > 0 }); c != nil {
			p.forge(c, c.query, c.used[d.Under(len(c.used))])
		}
	case "forge":
		if c := p.some(d, func(c *call) bool { return c.state != "" }); c != nil {
			p.forge(c, c.query, changed(d, c.state))
		}
	case "swap":
		if c := p.some(d, func(c *call) bool { return c.state != "" }); c != nil {
			p.forge(c, c.query+" and more", c.state)
		}
	case "cancel":
		if c := p.some(d, func(c *call) bool { return c.task != "" && !p.isBusy(c) }); c != nil {
			p.post(cancels, c, "tasks/cancel", object{"taskId": c.task})
		}
	case "leave":
		p.leave(d)
	case "list":
		p.post(lists, &call{}, "tools/list", object{})
	case "stray":
		p.stray(d)
	}
}

// begin calls a tool.
func (p *Programs) begin(d dice.Dice) {
	c := &call{
		tool: contract.ProgramTools[d.Under(len(contract.ProgramTools))], query: "about " + d.Word() + d.Word(),
		tasks: d.Chance(2), forms: !d.Chance(5),
	}
	p.calls = append(p.calls, c)
	p.post(calls, c, "tools/call", object{"name": c.tool, "arguments": object{"query": c.query}})
}

// some returns one of the calls that a condition chooses, or nil.
func (p *Programs) some(d dice.Dice, chosen func(*call) bool) *call {
	some := slices.DeleteFunc(slices.Clone(p.calls), func(c *call) bool { return !chosen(c) })
	if len(some) == 0 {
		return nil
	}
	return some[d.Under(len(some))]
}

// isBusy says whether a call waits for an answer.
func (p *Programs) isBusy(c *call) bool {
	return slices.ContainsFunc(p.waiting, func(q *request) bool { return q.call == c && q.purpose != forges })
}

// answer answers the questions of a call.
func (p *Programs) answer(c *call, yes bool) {
	responses := object{}
	for _, key := range c.keys {
		responses[key] = object{"action": "decline"}
		if yes {
			responses[key] = object{"action": "accept", "content": object{"value": contract.Choices[0]}}
		}
	}
	if c.task != "" {
		p.post(updates, c, "tasks/update", object{"taskId": c.task, "inputResponses": responses})
		return
	}
	q := p.post(answers, c, "tools/call", object{"name": c.tool, "arguments": object{"query": c.query}, "requestState": c.state, "inputResponses": responses})
	q.state = c.state
}

// forge repeats a call with a state that is not good for it.
func (p *Programs) forge(c *call, query, state string) {
	p.post(forges, c, "tools/call", object{"name": c.tool, "arguments": object{"query": query}, "requestState": state, "inputResponses": object{}})
}

// changed returns a state of which one letter is another one.
func changed(d dice.Dice, state string) string {
	letters := []byte(state)
	at := d.Under(len(letters) - 1)
	letters[at] = map[bool]byte{true: 'A', false: 'B'}[letters[at] != 'A']
	return string(letters)
}

// leave has the reader of a stream go away.
func (p *Programs) leave(d dice.Dice) {
	var some []*request
	for _, q := range p.waiting {
		if q.streams {
			some = append(some, q)
		}
	}
	if len(some) == 0 {
		return
	}
	q := some[d.Under(len(some))]
	p.done(q)
	q.call.over = true
	p.World.Leave(q.name)
}

// stray sends what is no request.
func (p *Programs) stray(d dice.Dice) {
	bodies := []string{``, `{`, `[]`, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"dance","params":{}}`}
	p.send(&request{purpose: strays, call: &call{}}, object{"content-type": "application/json", "accept": "application/json, text/event-stream", "mcp-protocol-version": version}, bodies[d.Under(len(bodies))])
}

// version is the one that programs speak.
const version = "2026-07-28"

// post sends a request.
func (p *Programs) post(why purpose, c *call, method string, params object) *request {
	able := object{}
	if c.forms {
		able["elicitation"] = object{"form": object{}}
	}
	if c.tasks || c.task != "" {
		able["extensions"] = object{"io.modelcontextprotocol/tasks": object{}}
	}
	q := &request{purpose: why, call: c, id: p.sent + 1, progress: -1}
	params["_meta"] = object{
		"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": able,
		"io.modelcontextprotocol/clientInfo": object{"name": "program", "version": "1"}, "progressToken": q.id,
	}
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": q.id, "method": method, "params": params})
	if err != nil {
		panic("program: " + err.Error())
	}
	header := object{"content-type": "application/json", "accept": "application/json, text/event-stream", "mcp-protocol-version": version, "mcp-method": method}
	for _, name := range []string{"name", "taskId"} {
		if text, ok := params[name].(string); ok {
			header["mcp-name"] = text
		}
	}
	p.send(q, header, string(body))
	return q
}

func (p *Programs) send(q *request, header object, body string) {
	p.sent++
	q.name = "program-" + strconv.Itoa(p.sent)
	p.waiting = append(p.waiting, q)
	texts := map[string]string{}
	for name, value := range header {
		texts[name] = fmt.Sprint(value)
	}
	p.Lanes.Post(q.name+">", func() {
		q.told = true
		p.World.Tell(durable.RequestReceived{Request: q.name, Method: "POST", URL: p.Address + "/mcp", Header: texts, Body: []byte(body)})
	})
}
