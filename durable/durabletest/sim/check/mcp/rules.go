// Package mcp holds the rules about servers of the Model Context Protocol, and about programs that use a
// root as one.
package mcp

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/servers"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// Rules are the rules about the servers of one root and its helpers.
type Rules struct {
	*check.View
	// runOf returns the run that an object works for, if there is one.
	runOf func(slot string) stored.Run
	// applied counts the effects, and answered are the requests whose answers an object has taken, each
	// by the run and what is asked for. over are the tasks whose end an object has taken.
	applied        map[string]int
	answered, over map[string]bool
	// told are the texts of the results that objects have taken.
	told map[contract.ServerCall]string
}

// New returns the rules. runOf returns the run that an object works for, if there is one: one that is run
// again makes the same calls.
func New(v *check.View, runOf func(slot string) stored.Run) *Rules {
	return &Rules{View: v, runOf: runOf, applied: map[string]int{}, answered: map[string]bool{}, over: map[string]bool{}, told: map[contract.ServerCall]string{}}
}

func (r *Rules) key(q servers.Request) string { return r.runOf(q.Slot).ID + " " + q.Key() }

// Requested checks a request: a call that was answered is not made again, and the token is in one header
// alone.
func (r *Rules) Requested(q servers.Request) {
	r.Checks++
	if strings.Contains(q.Body, contract.TokenMark) {
		r.Fail("secret", "the body of a request to %s has its token: %.300s", q.Server, q.Body)
	}
	r.shownIsCalled(q)
	switch {
	case r.asksItself(q.Slot):
		r.Fail("mcp", "%q makes a request of %s itself, and has to have the root make it", q.Slot, q.Server)
	case q.Method == "tools/call" && r.answered[r.key(q)]:
		r.Fail("I8", "%q calls %s again, and was answered", q.Slot, r.key(q))
	case q.Method == "tasks/get" && r.over[q.Task]:
		r.Fail("I8", "%q asks for the task %s again, which was over", q.Slot, q.Task)
	}
}

// Applied checks an effect: it happens once, unless the server says that it can be repeated.
func (r *Rules) Applied(q servers.Request) {
	r.Checks++
	key := fmt.Sprint(r.runOf(q.Slot).ID, " ", q.Server, " ", q.Tool, " ", q.Text)
	if r.applied[key]++; r.applied[key] > 1 && !contract.Repeatable(q.Tool) {
		r.Fail("effect", "%s has happened %d times", key, r.applied[key])
	}
}

// Answered notes that an object has taken the answer to a request.
func (r *Rules) Answered(q servers.Request, again, over bool) {
	if !again {
		r.answered[r.key(q)] = true
	}
	if q.Said != "" {
		r.told[contract.ServerCall{Server: q.Server, Tool: q.Tool, Text: q.Text}] = q.Said
	}
	if over {
		r.over[q.Task] = true
	}
}

// Wrong reports what a client does that it must not do.
func (r *Rules) Wrong(words string) { r.Fail("mcp", "%s", words) }

// SecretsStay checks that a token leaves an object in a request alone.
func (r *Rules) SecretsStay(e check.Event) {
	if !r.Mode.Servers || e.Trap != nil {
		return
	}
	for _, c := range e.Commands {
		text := ""
		switch c := c.(type) {
		case durable.Send:
			text = c.Text
		case durable.Fetch:
			if _, ofServer := contract.ServerOf(c); !ofServer && !contract.ToLogin(c) {
				text = c.URL + string(c.Body)
			}
		case durable.Log:
			text = c.Message + strings.Join(c.Fields, " ")
		case durable.Respond:
			text = string(c.Body)
		case durable.Emit:
			text = string(c.Data)
		case durable.Call:
			text = string(c.Data)
		case durable.Answer:
			text = string(c.Data) + c.Error
		}
		if strings.Contains(text, contract.TokenMark) {
			r.Fail("secret", "%q shows a token: %.300s", e.Slot, text)
		}
	}
}

// SecretsAreNotStored checks in a world at rest that no row has a token, but for those of the table for secrets
// of the root.
func (r *Rules) SecretsAreNotStored() {
	for _, slot := range r.World.Slots() {
		object := r.World.Object(slot)
		if r.Mode.Servers && r.Made(object) && strings.Contains(r.Dump(object, secrets[slot == ""]...), contract.TokenMark) {
			r.Fail("secret", "%q has stored a token", slot)
		}
	}
}

// secrets are the tables that hold tokens, of the root and of others.
var secrets = map[bool][]string{true: {"mcp_secret"}}

// NothingIsAsked checks in a world at rest that no server is being asked, and that no code waits for one.
func (r *Rules) NothingIsAsked() {
	for _, slot := range r.World.Slots() {
		object := r.World.Object(slot)
		if !r.Mode.Servers || !r.Made(object) {
			continue
		}
		if slot == "" && r.has(object, "mcp_server") { // a helper that has nothing more to do is not woken to ask
			for _, row := range r.Rows(object, `SELECT id, state FROM mcp_server WHERE state IN ('connecting', 'discovering')`) {
				r.Fail("I6", "in a world at rest, the server %s of %q is %s", row.Text(0), slot, row.Text(1))
			}
		}
		r.nothingIsAskedAbove(slot, object)
		if r.has(object, "mcp_waiter") && r.Number(object, `SELECT COUNT(*) FROM mcp_waiter`) > 0 {
			r.Fail("I6", "in a world at rest, code of %q waits for a server", slot)
		}
	}
}

// has says whether an object has made a table.
func (r *Rules) has(object, table string) bool {
	return r.Number(object, `SELECT COUNT(*) FROM sqlite_master WHERE name = ?`, table) > 0
}

// Hidden returns the tools of servers that code of an object reaches, and that its model is not told of.
func (r *Rules) Hidden(slot string) (names []string) {
	root := r.World.Object("")
	if slot != "" || r.MethodCalls == nil || !r.MethodCalls.TellCode || !r.Made(root) || !r.has(root, "mcp_server") {
		return nil
	}
	for _, row := range r.Rows(root, `SELECT name FROM mcp_server WHERE read_at > 0 ORDER BY name`) {
		for _, tool := range contract.ServerTools {
			names = append(names, row.Text(0)+"_"+tool)
		}
	}
	return names
}
