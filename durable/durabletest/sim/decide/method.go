package decide

import (
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/people"
)

// does are the actions of callbacks.
var does = dice.Options{{string(contract.Note), 4}, {string(contract.Ask), 6}, {string(contract.Fail), 2}, {string(contract.Break), 1}}

const minute = 60_000

// methodCall makes a connected tab call a method.
func (c *Chooser) methodCall(action string) string {
	i := slices.IndexFunc(c.People.Tabs, (*people.Tab).CallsMethods)
	if i < 0 {
		return nothing
	}
	t := c.People.Tabs[i]
	switch action {
	case "submit":
		return c.submission(t)
	case "withdraw":
		if n := len(c.People.Submitted); n > 0 {
			return line(action, t.Name, c.People.Submitted[n-1-c.dice.Under(min(n, 3))].ID)
		}
	case "schedule":
		return c.schedule(t)
	case "quitting":
		return scheduling(t, contract.ScheduleRequest{
			ID: "o-" + c.dice.Word(), Kind: contract.Every, MS: int64(20_000 + c.dice.Under(60_000)), Does: contract.Quit,
		})
	case "again":
		if n := len(c.People.Schedules); n > 0 {
			return scheduling(t, c.People.Schedules[c.dice.Under(n)])
		}
	case "unschedule":
		if n := len(c.People.Ordered); n > 0 {
			return line(action, t.Name, c.People.Ordered[c.dice.Under(n)])
		}
	}
	return nothing
}

// submission submits something new, repeats an earlier submission, or submits another text under an
// earlier key.
func (c *Chooser) submission(t *people.Tab) string {
	mode := []string{"submit", "wait", "stream"}[c.dice.Under(3)]
	it := people.Submission{ID: "s-" + c.dice.Word(), Key: people.Absent, Text: "work out " + c.dice.Word()}
	if n := len(c.People.Submitted); n > 0 && c.dice.Chance(3) {
		before := c.People.Submitted[c.dice.Under(n)]
		switch c.dice.Under(4) {
		case 0:
			it = before
		case 1:
			it.Key = before.Key
		default:
			it.Key, it.Text = before.Key, before.Text
		}
		if it.Key == people.Absent { // without a key, only the same id makes it the same submission
			it = before
		}
	} else if c.dice.Chance(2) {
		it.Key = "k-" + c.dice.Word()
	}
	return line("submit", t.Name, mode, it.ID, it.Key, it.Text)
}

// schedule makes a schedule, sometimes under an id that is in use.
func (c *Chooser) schedule(t *people.Tab) string {
	o := contract.ScheduleRequest{ID: "o-" + c.dice.Word(), Kind: contract.Once, MS: int64(c.dice.Under(120_000)), Does: contract.Action(c.dice.Pick(does))}
	if n := len(c.People.Ordered); n > 0 && c.dice.Chance(4) {
		o.ID = c.People.Ordered[c.dice.Under(n)]
	}
	switch c.dice.Under(4) {
	case 0:
		o.Kind, o.MS = contract.Every, int64(20_000+c.dice.Under(200_000))
		if o.Does != contract.Note { // so that the world rests in between
			o.MS += 300_000
		}
	case 1:
		o.Kind, o.MS = contract.Cron, minute*[]int64{4, 5, 10}[c.dice.Under(3)]
	}
	return scheduling(t, o)
}

// scheduling is the decision that makes a schedule.
func scheduling(t *people.Tab, o contract.ScheduleRequest) string {
	return line("schedule", t.Name, o.ID, string(o.Kind), strconv.FormatInt(o.MS, 10), string(o.Does))
}
