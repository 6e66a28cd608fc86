package sim

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// This file is about what only some seeds have: providers that are odd but not at fault, and people who do what few
// people do.

// serverHabits are those of a seed's model server.
type serverHabits struct {
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
	rareActions = []choice{{"tidy", 14}, {"meddle", 16}, {"resend", 14}}
	rareMethods = []choice{{"again", 16}, {"quitting", 16}}
)

// rare adds, to every fourth seed each, a habit of the model's server or of people.
func (p *profile) rare(d dice, methods bool) {
	p.serverHabits = serverHabits{counts: d.chance(4), interleaves: d.chance(4), resets: d.chance(4)}
	for _, c := range rareActions {
		if d.chance(4) {
			p.actions = append(p.actions, c)
		}
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

// silent adds, to every fourth seed each, answers that never end, and links that fall silent.
func (p *profile) silent(d dice) {
	p.dawdles = d.chance(4)
	if d.chance(4) {
		p.faults = append(p.faults, choice{"mute", 16})
	}
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
	if looked && s.dice.chance(4) {
		return line("clear", t.name)
	}
	for _, r := range s.runs(root) {
		class := strings.ToLower(r.class)
		if final(r.status) {
			continue
		}
		i := slices.IndexFunc(s.tabs, func(t *tab) bool { return t.path == drillPath(class, r.id) })
		if i < 0 {
			return line("drill", class, r.id)
		}
		if s.tabs[i].connected() && s.dice.chance(2) {
			return line("clear", s.tabs[i].name)
		}
	}
	return "tick"
}

// chooseMeddling has a tab give a result for a call that is the server's.
func (s *Sim) chooseMeddling(t *tab) string {
	open := serverCalls(t)
	if len(open) == 0 {
		return "tick"
	}
	return line("meddle", t.name, open[s.dice.under(len(open))])
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
