package sim

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// This file is about what only some seeds have: providers that are odd but not at fault, and people who do what few
// people do.

// habits are those of a seed's model server.
type habits struct {
	// counts has it count the ids of its calls from nought in each answer.
	counts bool
	// interleaves has the pieces of several calls come by turns.
	interleaves bool
	// resets has a connection break when the answer is whole, in place of its end.
	resets bool
	// dawdles has some answers never end.
	dawdles bool
}

// rareActions are what people do on some seeds, with their weights. Those of rareMethods need a root with methods.
var (
	rareActions = []choice{{"tidy", 4}, {"meddle", 4}, {"resend", 14}}
	rareMethods = []choice{{"again", 16}, {"quitting", 16}}
)

// rare adds, to every fourth seed each, a habit of the model's server or of people.
func (p *profile) rare(d dice, methods bool) {
	p.habits = habits{counts: d.chance(4), interleaves: d.chance(4), resets: d.chance(4)}
	for _, c := range rareActions {
		if d.chance(4) {
			p.actions = append(p.actions, c)
		}
	}
	if p.does("meddle") && !slices.Contains(p.planned, "questions") { // a call that waits for a person waits for long
		p.planned = append(p.planned, "questions")
	}
	if p.does("tidy") {
		p.people = max(p.people, 3)
		p.eager = append(p.eager, "tidy")
	}
	if p.does("meddle") {
		p.eager = append(p.eager, "meddle")
	}
	if p.counts { // an id comes back whose call the model is told of no more; behind a clear it may serve again, as one that is new
		p.actions = append(p.actions, choice{"regenerate", 10})
		p.actions = slices.DeleteFunc(p.actions, func(c choice) bool { return c.name == "clear" || c.name == "tidy" })
	}
	for _, c := range rareMethods {
		if d.chance(4) && methods {
			p.actions = append(p.actions, c)
		}
	}
}

// does says whether people do something on the seed.
func (p *profile) does(action string) bool {
	return slices.ContainsFunc(p.actions, func(c choice) bool { return c.name == action })
}

// silent adds, to every fourth seed each, answers that never end, links that fall silent, and that keep breaking.
func (p *profile) silent(d dice) {
	p.dawdles = d.chance(4) || p.does("tidy") // a helper is at work for long enough to be looked at
	if d.chance(4) {
		p.eager = append(p.eager, "mute")
	}
	if d.chance(4) {
		p.eager = append(p.eager, "shaky")
	}
}

// eagerness is in how many decisions, on the average, an occasion is taken.
const eagerness = 6

// seize takes an occasion that does not last, on the seeds that are eager for it, or returns "".
func (s *Sim) seize() string {
	for _, what := range s.profile.eager {
		if !s.dice.chance(eagerness) || len(s.tabs) == 0 {
			continue
		}
		t := s.tabs[s.dice.under(len(s.tabs))]
		switch decision := s.occasion(what, t); decision {
		case "tick":
		default:
			return decision
		}
	}
	return ""
}

// occasion returns what can be made of the moment, or "tick".
func (s *Sim) occasion(what string, t *tab) string {
	switch what {
	case "tidy":
		return s.chooseTidy(t)
	case "meddle":
		return s.chooseMeddling()
	case "mute":
		if s.dice.chance(3) {
			return s.chooseMuted()
		}
		return "tick"
	}
	if s.shaky > s.world.Now() || !slices.ContainsFunc(s.world.Lanes(), isLookedAfter) {
		return "tick"
	}
	return line("shaky", strconv.Itoa(10_000*(1+s.dice.under(4))))
}

// chooseMuted has a call or a stream fall silent that its requester looks after.
func (s *Sim) chooseMuted() string {
	var some []string
	for _, lane := range s.world.Lanes() {
		if isLookedAfter(lane) {
			some = append(some, lane)
		}
	}
	if len(some) == 0 {
		return "tick"
	}
	if rare := slices.DeleteFunc(slices.Clone(some), func(l string) bool { return strings.Contains(l, ":tail/") }); len(rare) > 0 {
		some = rare
	}
	return line("mute", some[s.dice.under(len(some))])
}

// isLookedAfter says whether a lane is a parent's own way to its helper, and no person's.
func isLookedAfter(lane string) bool {
	_, name, _ := strings.Cut(lane, ":")
	kind, _, _ := strings.Cut(name, "/")
	return slices.Contains([]string{"start", "cancel", "answer", "page", "waken", "tail"}, kind)
}

// chooseRepeated orders again what was ordered before, or something whose callback cancels its own schedule.
func (s *Sim) chooseRepeated(action string, t *tab) string {
	if action == "quitting" {
		o := ScheduleRequest{ID: "o-" + s.dice.word(), Kind: Every, MS: int64(20_000 + s.dice.under(60_000)), Does: Quit}
		return o.decision(t)
	}
	if len(s.orders) == 0 {
		return "tick"
	}
	return s.orders[s.dice.under(len(s.orders))].decision(t)
}

// decision is the one by which a tab orders it.
func (o ScheduleRequest) decision(t *tab) string {
	return line("schedule", t.name, o.ID, string(o.Kind), strconv.FormatInt(o.MS, 10), string(o.Does))
}

// chooseTidy clears the page of a helper that is at work, if there is one, or opens one. Now and then it clears the
// conversation while a helper's page is open.
func (s *Sim) chooseTidy(t *tab) string {
	root := s.world.Object("")
	if !s.made(root) {
		return "tick"
	}
	looked := slices.ContainsFunc(s.tabs, func(t *tab) bool { return t.path != "" && t.connected() })
	if looked && s.dice.chance(6) {
		return line("clear", t.name)
	}
	for _, r := range s.runs(root) {
		class := strings.ToLower(r.class)
		if final(r.status) {
			continue
		}
		i := slices.IndexFunc(s.tabs, func(t *tab) bool { return t.path == drillPath(class, r.id) })
		if i < 0 && len(s.tabs) >= s.profile.people {
			return line("close", t.name)
		}
		if i < 0 {
			return line("drill", class, r.id)
		}
		if s.tabs[i].connected() && s.tabs[i].page.Identified {
			return line("clear", s.tabs[i].name)
		}
	}
	return "tick"
}

// chooseMeddling has a tab give a result for a call that is the server's, and best for one that waits for a person.
func (s *Sim) chooseMeddling() string {
	var at []string
	for _, t := range s.tabs {
		for _, call := range serverCalls(t) {
			if slices.Contains(t.page.Asks(), call) {
				return line("meddle", t.name, call)
			}
			at = append(at, line("meddle", t.name, call))
		}
	}
	if len(at) == 0 {
		return "tick"
	}
	return at[s.dice.under(len(at))]
}

// serverCalls returns the calls of tools of the server that a tab shows to be open: at work, or to be approved.
func serverCalls(t *tab) []string {
	if !t.connected() || !t.page.Identified {
		return nil
	}
	var open []string
	for _, m := range t.page.Messages {
		for _, p := range m.Parts {
			waits := p.State == "approval-requested" || p.State == "input-available" && !slices.Contains(asksPeople, toolName(p))
			if waits {
				open = append(open, p.ToolCallID)
			}
		}
	}
	return open
}

// meddle sends a result for such a call, which the server refuses.
func (s *Sim) meddle(t *tab, call string) {
	if !slices.Contains(serverCalls(t), call) {
		return
	}
	frame, err := json.Marshal(map[string]any{
		"type": "cf_agent_tool_result", "toolCallId": call, "toolName": "meddle", "output": "made up in a tab", "autoContinue": true,
	})
	if err != nil {
		panic("sim: " + err.Error())
	}
	s.post(t, string(frame))
}
