package agent

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/coderun"
	"github.com/tributary-agents/tributary/durable/internal/inspection"
	"github.com/tributary-agents/tributary/durable/limit"
)

// CodeTool is the name of the tool that [Code] makes.
const CodeTool = "code"

// Code makes a tool with which the model runs JavaScript over other tools: some of the agent's, tools
// of its own, or, with no argument, all of the agent's tools. The code calls tools.NAME(input), and
// gets a promise of the output. It can make several calls at once, and what it does not return does
// not reach the model.
//
// The calls are those of the model in every respect. Scopes, hooks and approvals apply to them, tools
// with [Once] act once, and each call is a part of the message. A call that is denied, or fails,
// rejects with its words. While calls wait for a person, and nothing else is under way, nothing is kept
// in memory.
//
// Every call is journaled. If the instance is lost, the code is run again over its journal, and no call
// that has ended is made again. The code has no network, no clock and no chance of its own. Its work, its
// memory and its time are limited, see [Tool.Limits].
//
// Tools in the browser that a page offers are left out, and so are tools that the deployment does not
// enable. Code panics if it is given itself, or two tools with one name.
func Code(tools ...Tool) Tool {
	for i, t := range tools {
		switch {
		case t.code != nil:
			panic(errors.New("agent: Code cannot be given to Code"))
		case slices.ContainsFunc(tools[:i], func(have Tool) bool { return have.Name == t.Name }):
			panic(fmt.Errorf("agent: Code is given two tools named %s", t.Name))
		}
	}
	inspection.ShowCode()
	author.Linked.EndCalls = author.Object.EndCalls
	return (&code{tools: tools, limits: CodeLimits{}.usual()}).tool(Tool{
		Name:        CodeTool,
		Description: "Runs JavaScript that calls tools.",
		Schema:      json.RawMessage(codeSchema),
	})
}

// codeSchema is the JSON Schema of the input of the tool that runs code.
const codeSchema = `{"type":"object","properties":{"code":{"type":"string","description":"JavaScript: an async arrow function, or statements that return something"}},"required":["code"],"additionalProperties":false}`

// code is what makes a tool run code of the model. A tool holds it by a pointer, and it never changes.
type code struct {
	// tools are those that the code can call. Nil means all tools of the agent.
	tools  []Tool
	limits CodeLimits
}

// tool returns a tool that runs the code of a model.
func (k *code) tool(t Tool) Tool {
	t.code, t.Run, t.Describe = k, k.run, k.describe
	return t
}

// describe returns what the model is told of the tools at hand.
func (k *code) describe(vars map[string]string, atHand []Tool) string {
	return coderun.Describe(codeTools(k.enabled(vars, atHand)))
}

// run runs the code in a call's input.
func (k *code) run(c *Context, input json.RawMessage) (json.RawMessage, error) {
	return (&coderun.Code{Limits: coderun.Limits(k.limits), Tools: k.now, Tool: k.find}).Run(c.of, input)
}

// now returns the tools that the code can call now. They are not kept: a server may offer others a moment later.
func (k *code) now(o author.Object, tx *durable.Tx) []coderun.Tool {
	atHand, _ := o.Tools(tx).([]Tool)
	return codeTools(k.enabled(o.Vars(), atHand))
}

// find returns the tool of a name that the code can call now.
func (k *code) find(o author.Object, tx *durable.Tx, name string) (coderun.Tool, bool) {
	from, vars := k.tools, o.Vars()
	if from == nil {
		from, _ = o.Tools(tx).([]Tool)
	}
	i := slices.IndexFunc(from, func(have Tool) bool { return have.Name == name && have.usable(vars) })
	if i < 0 {
		return coderun.Tool{}, false
	}
	return codeTools(from[i : i+1])[0], true
}

// enabled returns the tools that the code can call in a deployment, of those at hand.
func (k *code) enabled(vars map[string]string, atHand []Tool) (tools []Tool) {
	from := k.tools
	if from == nil {
		from = atHand
	}
	for _, t := range from {
		if t.usable(vars) && !slices.ContainsFunc(tools, func(have Tool) bool { return have.Name == t.Name }) {
			tools = append(tools, t)
		}
	}
	return tools
}

// usable says whether code can call a tool in a deployment.
func (t *Tool) usable(vars map[string]string) bool {
	return t.code == nil && !t.Client && t.Run != nil && (t.Enabled == nil || t.Enabled(vars))
}

// codeTools returns tools as code calls them.
func codeTools(tools []Tool) (list []coderun.Tool) {
	for _, t := range tools {
		list = append(list, coderun.Tool{
			Name: t.Name, Description: t.Description, Schema: t.Schema, Input: t.input, Output: t.Output, Promise: t.outputSchema(),
			Scopes: t.Scopes, Approval: t.Approval, Real: t,
			Run: func(c *author.Context, input json.RawMessage) (json.RawMessage, error) {
				return t.Run(contextOf(c), input)
			},
		})
	}
	return list
}

// CodeLimits limit the code of a tool that [Code] has made. A field that is 0 has the value that is
// named first beside it. The second one is the largest.
type CodeLimits struct {
	// Calls is how many calls one run of code can make: 200, at most 5,000. Further calls reject. Parallel
	// is how many are under way at once: 16, at most 64. More wait in their order.
	Calls, Parallel int
	// Time is how long the code may take, without the time in which it waits for persons only, and
	// without that of pauses: a minute, at most a day.
	Time time.Duration
	// Work is how many units of work the code may do: 200 million, at most 2,000 million. Stretch is how
	// many it may do without an answer to a call: 50 million, at most 200 million. Fifty million units are
	// up to a quarter of a second.
	Work, Stretch int64
	// Memory is what the values of the code may take, in bytes: 16 MiB, at most 64 MiB.
	Memory int
	// Answer is how much the model is told of what the code has returned and written to its console, in
	// characters: 24,000, at most 262,144. More is cut.
	Answer int
}

// Limits returns a copy of a tool that [Code] has made, with limits. It panics if the tool is another
// one, or if a limit is negative or larger than the largest.
func (t Tool) Limits(l CodeLimits) Tool {
	if t.code == nil {
		panic(fmt.Errorf("agent: the tool %s runs no code that could be limited: only a tool that Code has made does", t.Name))
	}
	l.check()
	return (&code{tools: t.code.tools, limits: l.usual()}).tool(t)
}

// check panics if a limit is out of its range.
func (l CodeLimits) check() {
	for _, field := range []struct {
		name      string
		got, most int64
	}{
		{"Calls", int64(l.Calls), 5_000},
		{"Parallel", int64(l.Parallel), 64},
		{"Time", int64(l.Time), int64(24 * time.Hour)},
		{"Work", l.Work, 2_000_000_000},
		{"Stretch", l.Stretch, 200_000_000},
		{"Memory", int64(l.Memory), 64 << 20},
		{"Answer", int64(l.Answer), limit.Output},
	} {
		if field.got < 0 || field.got > field.most {
			panic(fmt.Errorf("agent: the limit %s of code is %d: it can be 1 to %d, or 0 for the usual one", field.name, field.got, field.most))
		}
	}
}

// usual returns l with the usual limits in place of those that are 0.
func (l CodeLimits) usual() CodeLimits {
	return CodeLimits{
		Calls: cmp.Or(l.Calls, 200), Parallel: cmp.Or(l.Parallel, 16), Time: cmp.Or(l.Time, time.Minute),
		Work: cmp.Or(l.Work, 200_000_000), Stretch: cmp.Or(l.Stretch, 50_000_000),
		Memory: cmp.Or(l.Memory, 16<<20), Answer: cmp.Or(l.Answer, 24_000),
	}
}
