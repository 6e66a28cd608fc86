package sim

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// This file is about moments that do not last, which a decision that is picked at random would miss: a call that is
// under way, a helper at work that somebody looks at.

// eagerness is in how many decisions, on the average, an occasion is taken.
const eagerness = 6

// seize takes an occasion that does not last, on the seeds that are eager for it, or returns "".
func (s *Sim) seize() string {
	for _, what := range s.profile.eager {
		if !s.dice.chance(eagerness) || len(s.tabs) == 0 {
			continue
		}
		t := s.tabs[s.dice.under(len(s.tabs))]
		if decision := s.occasion(what, t); decision != "tick" {
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
