package mcp

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// This file is about helpers that call servers through the root. It reads the tables mcp_up (n) of a helper
// and mcp_below (id, body, reply, again) of the root.

// asksItself says whether an object asks a server that has to have the root ask.
func (r *Rules) asksItself(slot string) bool { return contract.AsksAbove(r.runOf(slot).Class) }

// nothingIsAskedAbove checks in a world at rest that no helper waits for the root, and that the root has
// told all helpers what they wait for.
func (r *Rules) nothingIsAskedAbove(slot, object string) {
	run := r.runOf(slot)
	if r.has(object, "mcp_up") && run.ID != "" && !stored.Final(run.Status) && r.Number(object, `SELECT COUNT(*) FROM mcp_up`) > 0 {
		r.Fail("I6", "in a world at rest, %q waits for a request that the root makes", slot)
	}
	if slot != "" || !r.has(object, "mcp_below") {
		return
	}
	for _, row := range r.Rows(object, `SELECT id, body, reply FROM mcp_below WHERE body <> '' OR reply <> '' AND again < ?`, never) {
		r.Fail("I6", "in a world at rest, the request %d of a helper waits: %.200s, and is answered: %.200s", row.Int(0), row.Text(1), row.Text(2))
	}
}

// WaitsForPerson says whether code waits until a person has signed in to a server. It reads the table mcp_waiter
// (server, person) of the root.
func (r *Rules) WaitsForPerson(object string) bool {
	return r.has(object, "mcp_waiter") && r.Number(object, `SELECT COUNT(*) FROM mcp_waiter WHERE person = 1`) > 0
}

// never is the time of a reply that a helper is told only when it asks.
const never = 1 << 53

// DelegatesAreTold checks in a world at rest that helpers were told what the root was told of their calls, and
// nothing else.
func (r *Rules) DelegatesAreTold() {
	for _, slot := range r.World.Slots() {
		object := r.World.Object(slot)
		if !r.Mode.Servers || !r.Made(object) {
			continue
		}
		for _, row := range r.Rows(object, `SELECT id, output FROM run WHERE class IN (?, ?) AND status = 'completed'`, contract.DelegateClass, contract.AideClass) {
			var calls []contract.ServerCall
			if err := json.Unmarshal([]byte(row.Text(1)), &calls); err != nil {
				r.Fail("mcp", "the report of %s is %.200s", row.Text(0), row.Text(1))
			}
			for _, c := range calls {
				r.isTold(row.Text(0), c)
			}
		}
	}
}

func (r *Rules) isTold(run string, c contract.ServerCall) {
	r.Checks++
	told := r.told[contract.ServerCall{Server: c.Server, Tool: c.Tool, Text: c.Text}]
	if c.Tool == contract.Slow && told == "" && c.Said != "" { // a task has told it
		told = contract.Served(c.Tool, c.Text)
	}
	if c.Said != told || c.Said == "" && c.Failed == "" {
		r.Fail("mcp", "%s was told %q and %q of a call of %s %s %s, and the root was told %q", run, c.Said, c.Failed, c.Server, c.Tool, c.Text, told)
	}
}
