package decide

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/browser"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/people"
)

// habit returns what people do by habit, or "".
func (c *Chooser) habit() string {
	if t := c.failedTab(); t != nil && c.dice.Chance(4) {
		c.Plan(line("reload", t.Name))
		return line("clear", t.Name)
	}
	if c.Profile.Habits.Rush && c.dice.Chance(8) {
		return c.rush()
	}
	if c.Profile.Habits.Doubt {
		return c.doubt()
	}
	return ""
}

// failedTab returns a tab that shows a failure, if people clear failures, or nil.
func (c *Chooser) failedTab() *people.Tab {
	i := slices.IndexFunc(c.People.Tabs, func(t *people.Tab) bool {
		return t.Path == "" && t.Connected() && t.Page.Identified && t.Page.Status == browser.Failed
	})
	if !c.Profile.Habits.Tidy || i < 0 {
		return nil
	}
	return c.People.Tabs[i]
}

// rush makes three people ask. One of them submits something before the last one has asked, and
// cancels it half of the time.
func (c *Chooser) rush() string {
	var ready []*people.Tab
	for _, t := range c.People.Tabs {
		if t.CallsMethods() && t.Connected() && t.CanType() {
			ready = append(ready, t)
		}
	}
	if len(ready) < 3 {
		return ""
	}
	say := func(t *people.Tab) {
		c.Plan(line("say", t.Name, "tell me of "+c.dice.Word()), line("deliver", t.Out()))
	}
	say(ready[0])
	say(ready[1])
	first, id := ready[0], "s-"+c.dice.Word()
	c.Plan(line("submit", first.Name, "submit", id, people.Absent, "work out "+c.dice.Word()), line("deliver", first.Out()))
	say(ready[2])
	if c.dice.Chance(2) {
		c.Plan(line("withdraw", first.Name, id), line("deliver", first.Out()))
	}
	return c.nextPlanned()
}

// doubt breaks the acknowledgement of an answer that a helper was told, or makes a person answer a
// question that a tab shows.
func (c *Chooser) doubt() string {
	lanes := c.lanes()
	if i := slices.IndexFunc(lanes, func(l string) bool { return strings.HasPrefix(l, ":answer/") }); i >= 0 && c.dice.Chance(2) {
		return line("sever", lanes[i])
	}
	i := slices.IndexFunc(c.People.Tabs, func(t *people.Tab) bool { return t.Path == "" && t.Connected() && len(t.Page.Asks()) > 0 })
	if i >= 0 && c.dice.Chance(6) {
		return c.answer(c.People.Tabs[i])
	}
	return ""
}

// contradict makes another person give the opposite answer, on seeds where people do so.
func (c *Chooser) contradict(by *people.Tab, call, answer string) {
	i := slices.IndexFunc(c.People.Tabs, func(t *people.Tab) bool {
		return t != by && t.Path == "" && t.Connected() && slices.Contains(t.Page.Asks(), call)
	})
	if !c.Profile.Habits.Doubt || i < 0 {
		return
	}
	opposite := map[string]string{"yes": "no", "no": "yes"}[answer]
	t := c.People.Tabs[i]
	c.Plan(line("deliver", by.Out()), line("answer", t.Name, call, opposite), line("deliver", t.Out()))
}

// question returns what a person types, with a word that no other question has.
func (c *Chooser) question() string {
	text := " tell me of " + c.dice.Word()
	if c.Mode.Workshop && c.dice.Chance(12) {
		text += ", " + contract.Breaks
	}
	return text
}
