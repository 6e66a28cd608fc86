// Package decide chooses what happens next in a simulated world: something arrives, time passes, a
// person does something, or trouble is made.
package decide

import (
	"fmt"
	"strconv"

	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/hostile"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/lane"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/mode"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/people"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/profile"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// Chooser chooses the decisions of one root, by the dice of its seed.
type Chooser struct {
	Config
	dice dice.Dice
	// greeting decides which pages send a message as they mount, or is nil where none does.
	greeting *dice.Dice
	// planned are the decisions that come next.
	planned []string
}

// Config is what a chooser looks at.
type Config struct {
	World   *durabletest.World
	Lanes   *lane.Set
	People  *people.People
	Profile profile.Profile
	Mode    *mode.Mode
	Stored  *stored.Reader
	// Happened says whether what was asked for under a key has happened.
	Happened func(key string) bool
	// Visits are the people who were sent on to sign in and are away, and those who have come back.
	Visits func() (away, back []int)
	// Beside are the choosers of the neighbours.
	Beside []*Chooser
}

// New returns the chooser of a seed.
func New(seed uint32, c Config) *Chooser {
	chooser := &Chooser{Config: c, dice: dice.New(seed, "decisions")}
	if greeting := dice.New(seed, "greeting"); greeting.Chance(4) {
		chooser.greeting = &greeting
	}
	return chooser
}

// Plan adds decisions that come before all others.
func (c *Chooser) Plan(decisions ...string) { c.planned = append(c.planned, decisions...) }

// nothing is the decision for an action that is not possible: time passes.
const nothing = "tick"

// Next returns the next decision.
func (c *Chooser) Next() string {
	if len(c.planned) > 0 {
		return c.nextPlanned()
	}
	if habit := c.habit(); habit != "" {
		return habit
	}
	if n := len(c.Beside); n > 0 && c.dice.Chance(3) {
		at := c.dice.Under(n)
		return line("beside", strconv.Itoa(at+1), c.Beside[at].Next())
	}
	if decision := c.moment(); decision != "" {
		return decision
	}
	if len(c.Profile.Faults) > 0 && c.dice.Chance(c.Profile.Calm) {
		return c.fault()
	}
	lanes := c.lanes()
	act, wait := 3, 1
	if len(lanes) == 0 {
		act, wait = 10, 30
	}
	switch c.dice.Pick(dice.Options{{"deliver", 10 * min(len(lanes), 3)}, {"tick", wait}, {"act", act}}) {
	case "deliver":
		return c.delivery(lanes)
	case "act":
		return c.action()
	}
	return nothing
}

func (c *Chooser) nextPlanned() string {
	next := c.planned[0]
	c.planned = c.planned[1:]
	return next
}

// lanes returns all lanes that have something on its way.
func (c *Chooser) lanes() []string { return append(c.Lanes.Names(), c.World.Lanes()...) }

func (c *Chooser) delivery(lanes []string) string {
	decision := "deliver " + lanes[c.dice.Under(len(lanes))]
	if c.dice.Chance(10) {
		decision += " " + strconv.Itoa(1+c.dice.Under(40))
	}
	return decision
}

func (c *Chooser) action() string {
	action := c.dice.Pick(c.Profile.Actions)
	if action == "open" || len(c.People.Tabs) == 0 {
		return c.open()
	}
	if action == "intrude" {
		return "drill " + c.stranger()
	}
	t := c.anyTab()
	switch action {
	case "drill":
		return c.helperPage(t)
	case "answer":
		return c.answer(t)
	case "tidy":
		return c.clearHelper(t)
	case "meddle":
		return c.meddle()
	case "signal", "misfit", "late", "pause", "resume", "cancel", "restart", "undo", "settle":
		return c.officeAction(action, t)
	case "submit", "withdraw", "schedule", "unschedule", "again", "quitting":
		return c.methodCall(action)
	}
	decision := action + " " + t.Name
	if action == "say" {
		decision += c.question()
	}
	return decision
}

// open opens a page, which may send a message as it mounts.
func (c *Chooser) open() string {
	if c.greeting == nil || !c.greeting.Chance(3) {
		return "open"
	}
	return "greet tell me of " + c.greeting.Word()
}

func (c *Chooser) anyTab() *people.Tab { return c.People.Tabs[c.dice.Under(len(c.People.Tabs))] }

// helperPage opens the page of a run that a tab shows.
func (c *Chooser) helperPage(t *people.Tab) string {
	if t.Page == nil || len(t.Page.Runs) == 0 {
		return nothing
	}
	ids := sortedIDs(t.Page.Runs)
	run := t.Page.Runs[ids[c.dice.Under(len(ids))]]
	return fmt.Sprintf("drill %s %s", stored.Kebab(run.AgentType), run.RunID)
}

// stranger returns a page that must not be reached: that of a run that does not exist, or of a run
// with the wrong class.
func (c *Chooser) stranger() string {
	for _, t := range c.People.Tabs {
		if t.Page != nil && len(t.Page.Runs) > 0 && c.dice.Chance(2) {
			return "nobody " + sortedIDs(t.Page.Runs)[0]
		}
	}
	return []string{"researcher call_nobody", "planner ../x", "nobody call_nobody"}[c.dice.Under(3)]
}

// answer answers a question that a tab shows.
func (c *Chooser) answer(t *people.Tab) string {
	if open := c.People.ClientCalls(t); len(open) > 0 && c.dice.Chance(2) {
		return line("result", t.Name, open[c.dice.Under(len(open))].ToolCallID)
	}
	if t.Page == nil || len(t.Page.Asks()) == 0 {
		return nothing
	}
	calls := t.Page.Asks()
	call, answer := calls[c.dice.Under(len(calls))], []string{"yes", "yes", "no"}[c.dice.Under(3)]
	c.contradict(t, call, answer)
	return line("answer", t.Name, call, answer)
}

// line joins the words of a decision. "" stands for the slot of the root.
func line(words ...string) string {
	out := ""
	for i, w := range words {
		if w == "" {
			w = "root"
		}
		if i > 0 {
			out += " "
		}
		out += w
	}
	return out
}

// attack chooses what a hostile root does.
func (c *Chooser) attack() string {
	kind, size := hostile.Choose(c.dice)
	return line("attack", kind, strconv.Itoa(size))
}
