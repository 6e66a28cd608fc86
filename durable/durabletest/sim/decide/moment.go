package decide

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/login"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/people"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/program"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// This file is about short opportunities that a random decision would miss: a call that is under
// way, or a running helper whose page is open.

// perMoment is how many decisions there are, on average, until an opportunity is used.
const perMoment = 6

// moment returns a decision that uses an opportunity, on seeds that use them, or "".
func (c *Chooser) moment() string {
	for _, what := range c.Profile.Moments {
		if !c.dice.Chance(perMoment) || len(c.People.Tabs) == 0 {
			continue
		}
		if decision := c.opportunity(what, c.anyTab()); decision != nothing {
			return decision
		}
	}
	return ""
}

func (c *Chooser) opportunity(what string, t *people.Tab) string {
	switch what {
	case "program":
		return line(what, c.dice.Pick(program.Verbs))
	case "sign":
		return c.signIn(t)
	case "above":
		return c.loseAbove()
	case "tidy":
		return c.clearHelper(t)
	case "meddle":
		return c.meddle()
	case "mute":
		if c.dice.Chance(3) {
			return c.mute()
		}
		return nothing
	}
	if c.Mode.ShakyUntil > c.World.Now() || !slices.ContainsFunc(c.World.Lanes(), IsSupervision) {
		return nothing
	}
	return line("shaky", strconv.Itoa(10_000*(1+c.dice.Under(4))))
}

// signIn has a person press a link to sign in to a server, or go on with that.
func (c *Chooser) signIn(t *people.Tab) string {
	away, back := c.Visits()
	switch {
	case len(away) > 0 && !c.dice.Chance(4):
		return line("sign", c.dice.Pick(login.Verbs), strconv.Itoa(away[c.dice.Under(len(away))]))
	case t.Link != "":
		return line("sign", "press", t.Name)
	case len(back) > 0 && c.dice.Chance(4):
		return line("sign", c.dice.Pick(login.Verbs), strconv.Itoa(back[c.dice.Under(len(back))]))
	}
	return nothing
}

// loseAbove takes the memory of a root that makes a request for a helper.
func (c *Chooser) loseAbove() string {
	if !slices.ContainsFunc(c.Lanes.Names(), func(l string) bool { return strings.HasPrefix(l, "/mcp//below/") }) {
		return nothing
	}
	return line("evict", "")
}

// mute makes a link fall silent that its requester supervises.
func (c *Chooser) mute() string {
	var some []string
	for _, lane := range c.World.Lanes() {
		if IsSupervision(lane) {
			some = append(some, lane)
		}
	}
	if len(some) == 0 {
		return nothing
	}
	if rare := slices.DeleteFunc(slices.Clone(some), c.isTail); len(rare) > 0 {
		some = rare
	}
	return line("mute", some[c.dice.Under(len(some))])
}

// isTail says whether a lane carries the stream of a run that its helper has taken. The stream of a
// run that is only being handed over is rare.
func (c *Chooser) isTail(lane string) bool {
	_, id, tail := strings.Cut(lane, ":tail/")
	root := c.World.Object("")
	return tail && !(c.Stored.Made(root) && slices.ContainsFunc(c.Stored.Runs(root), func(r stored.Run) bool { return r.ID == id && r.Status == "starting" }))
}

// IsSupervision says whether a lane is a parent's own link to its helper. Such a link is repeated
// by a schedule when it fails. The links of people are not.
func IsSupervision(lane string) bool {
	_, name, _ := strings.Cut(lane, ":")
	kind, _, _ := strings.Cut(name, "/")
	return slices.Contains([]string{"cancel", "answer", "page", "waken", "tail"}, kind)
}

// clearHelper clears the page of a running helper, or opens that page. While a helper's page is
// open, it sometimes clears the conversation of a tab.
func (c *Chooser) clearHelper(t *people.Tab) string {
	root := c.World.Object("")
	if !c.Stored.Made(root) {
		return nothing
	}
	tabs := c.People.Tabs
	open := slices.ContainsFunc(tabs, func(t *people.Tab) bool { return t.Path != "" && t.Connected() })
	if open && c.dice.Chance(6) {
		return line("clear", t.Name)
	}
	for _, run := range c.Stored.Runs(root) {
		class := stored.Kebab(run.Class)
		if stored.Final(run.Status) {
			continue
		}
		i := slices.IndexFunc(tabs, func(t *people.Tab) bool { return t.Path == people.HelperPath(class, run.ID) })
		if i < 0 && len(tabs) >= c.Profile.Tabs {
			return line("close", t.Name)
		}
		if i < 0 {
			return line("drill", class, run.ID)
		}
		if tabs[i].Connected() && tabs[i].Page.Identified {
			return line("clear", tabs[i].Name)
		}
	}
	return nothing
}

// meddle makes a tab send a result for a call of a tool of the server, preferably one that waits
// for approval.
func (c *Chooser) meddle() string {
	var some []string
	for _, t := range c.People.Tabs {
		for _, call := range c.People.ServerCalls(t) {
			if slices.Contains(t.Page.Asks(), call) {
				return line("meddle", t.Name, call)
			}
			some = append(some, line("meddle", t.Name, call))
		}
	}
	if len(some) == 0 {
		return nothing
	}
	return some[c.dice.Under(len(some))]
}
