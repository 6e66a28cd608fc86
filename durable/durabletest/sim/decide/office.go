package decide

import (
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/people"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// officeAction is what people do about the runs of clerks.
func (c *Chooser) officeAction(action string, t *people.Tab) string {
	switch action {
	case "misfit":
		for _, part := range c.People.ClientCalls(t) {
			return line(action, t.Name, part.ToolCallID)
		}
		return nothing
	case "late":
		if calls := c.People.Answered(t); len(calls) > 0 {
			return line(action, t.Name, calls[c.dice.Under(len(calls))])
		}
		return nothing
	}
	i := slices.IndexFunc(c.People.Tabs, (*people.Tab).CallsMethods)
	if i < 0 {
		return nothing
	}
	t = c.People.Tabs[i]
	switch action {
	case "signal":
		return c.signal(t)
	case "undo", "settle":
		return c.aboutAction(action, t)
	case "restart":
		if run := c.clerk(func(run stored.Run) bool { return stored.Final(run.Status) }); run != "" {
			return line(action, t.Name, run, restarts[c.dice.Under(len(restarts))])
		}
		return nothing
	}
	if run := c.runToControl(action); run != "" {
		return line(action, t.Name, run)
	}
	return nothing
}

// aboutAction undoes an action of the root that is done, or says whether one has happened that is
// unknown.
func (c *Chooser) aboutAction(what string, t *people.Tab) string {
	state := map[string]string{"undo": "done", "settle": "unknown"}[what]
	rows := c.Stored.Rows(c.World.Object(""), `SELECT seq, IIF(sent = '', key, sent) FROM action WHERE state = ? AND (tool = ? OR ? = 'unknown') ORDER BY seq`, state, contract.Pay, state)
	if len(rows) == 0 {
		return nothing
	}
	row := rows[c.dice.Under(len(rows))]
	id := strconv.FormatInt(row.Int(0), 10)
	if what == "undo" {
		return line(what, t.Name, id)
	}
	return line(what, t.Name, id, map[bool]string{true: "yes", false: "no"}[c.Happened(row.Text(1))])
}

// restarts are where runs are restarted.
var restarts = append([]string{people.Absent}, contract.Steps...)

// runToControl returns a run to pause, to resume or to cancel. Any run can be, and not only that of
// a clerk.
func (c *Chooser) runToControl(action string) string {
	root := c.World.Object("")
	if !c.Stored.Made(root) {
		return ""
	}
	var some []string
	for _, run := range c.Stored.Runs(root) {
		if stored.Final(run.Status) || (run.Status == "paused") != (action == "resume") {
			continue
		}
		some = append(some, run.ID)
	}
	if len(some) == 0 {
		return ""
	}
	return some[c.dice.Under(len(some))]
}

// signal sends a signal to a run of a clerk, or sends an earlier one again.
func (c *Chooser) signal(t *people.Tab) string {
	if n := len(c.People.Signals); n > 0 && c.dice.Chance(4) {
		again := c.People.Signals[n-1-c.dice.Under(min(n, 3))]
		return line("signal", t.Name, again.Run, again.ID)
	}
	run := c.clerk(func(run stored.Run) bool { return !stored.Final(run.Status) || c.dice.Chance(8) })
	if run == "" {
		return nothing
	}
	return line("signal", t.Name, run, "g-"+c.dice.Word())
}

// clerk returns a run of a clerk that a condition chooses, or "".
func (c *Chooser) clerk(chosen func(stored.Run) bool) string {
	root := c.World.Object("")
	if !c.Stored.Made(root) {
		return ""
	}
	var some []string
	for _, run := range c.Stored.Runs(root) {
		if run.Class == contract.Clerk && chosen(run) {
			some = append(some, run.ID)
		}
	}
	if len(some) == 0 {
		return ""
	}
	return some[c.dice.Under(len(some))]
}
