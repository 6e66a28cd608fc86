package sim

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/browser"
)

// This file is about habits of people that only some seeds have.

// habits are those habits. Each has dice of its own.
type habits struct {
	// tidy says that people clear the conversation when an answer has failed, and look again.
	tidy bool
	// rush says that several people ask at once, and that one of them submits something in between.
	rush bool
	// doubt says that people answer helpers otherwise than others just have, and that the word of a
	// helper that it was answered is lost.
	doubt bool
}

// learn adds them to a profile.
func (p *profile) learn(seed uint32, methodCalls *MethodCalls) {
	p.tidy = newDice(seed, "tidy").chance(5)
	if p.doubt = newDice(seed, "doubt").chance(5); p.doubt {
		p.actions = append(p.actions, choice{"answer", 20})
		p.people, p.length = max(p.people, 2), p.length+150
		p.planned = append(p.planned, "plans")
	}
	overtakes := methodCalls != nil && slices.Contains([]string{"latest", "merge", "debounce"}, methodCalls.Policy)
	if p.rush = overtakes && newDice(seed, "rush").chance(2); p.rush {
		p.people = 4
		p.planned = append(p.planned, "open", "open", "open")
	}
}

// chooseHabit returns what people do by habit, or "".
func (s *Sim) chooseHabit() string {
	if t := s.failed(); t != nil && s.dice.chance(4) {
		s.planned = append(s.planned, line("reload", t.name))
		return line("clear", t.name)
	}
	if s.profile.rush && s.dice.chance(8) {
		return s.chooseRush()
	}
	if s.profile.doubt {
		return s.chooseDoubt()
	}
	return ""
}

// failed returns a tab that shows a failure, where people clear those away.
func (s *Sim) failed() *tab {
	i := slices.IndexFunc(s.tabs, func(t *tab) bool {
		return t.path == "" && t.connected() && t.page.Identified && t.page.Status == browser.Failed
	})
	if !s.profile.tidy || i < 0 {
		return nil
	}
	return s.tabs[i]
}

// chooseRush has three people ask, one of whom submits something before the last one has asked. Now
// and then that is cancelled.
func (s *Sim) chooseRush() string {
	var ready []*tab
	for _, t := range s.tabs {
		if t.callsMethods() && t.connected() && patient(t.page) && !t.page.Busy() && !t.page.Buffered() {
			ready = append(ready, t)
		}
	}
	if len(ready) < 3 {
		return ""
	}
	say := func(t *tab) {
		s.planned = append(s.planned, line("say", t.name, "tell me of "+s.dice.word()), line("deliver", string(t.conn)+">"))
	}
	say(ready[0])
	say(ready[1])
	first, id := ready[0], "s-"+s.dice.word()
	s.planned = append(s.planned, line("submit", first.name, "submit", id, absent, "work out "+s.dice.word()), line("deliver", string(first.conn)+">"))
	say(ready[2])
	if s.dice.chance(2) {
		s.planned = append(s.planned, line("withdraw", first.name, id), line("deliver", string(first.conn)+">"))
	}
	next := s.planned[0]
	s.planned = s.planned[1:]
	return next
}

// chooseDoubt loses the word of a helper that it was answered, now and then, or has a person answer
// what a tab shows to be open.
func (s *Sim) chooseDoubt() string {
	lanes := s.lanes()
	if i := slices.IndexFunc(lanes, func(l string) bool { return strings.HasPrefix(l, ":answer/") }); i >= 0 && s.dice.chance(2) {
		return line("sever", lanes[i])
	}
	i := slices.IndexFunc(s.tabs, func(t *tab) bool { return t.path == "" && t.connected() && len(t.page.Asks()) > 0 })
	if i >= 0 && s.dice.chance(6) {
		return s.chooseAnswer(s.tabs[i])
	}
	return ""
}

// doubted has somebody else answer a call otherwise, where people do so.
func (s *Sim) doubted(by *tab, call, answer string) {
	i := slices.IndexFunc(s.tabs, func(t *tab) bool {
		return t != by && t.path == "" && t.connected() && slices.Contains(t.page.Asks(), call)
	})
	if !s.profile.doubt || i < 0 {
		return
	}
	other := map[string]string{"yes": "no", "no": "yes"}[answer]
	t := s.tabs[i]
	s.planned = append(s.planned, line("deliver", string(by.conn)+">"), line("answer", t.name, call, other), line("deliver", string(t.conn)+">"))
}

// planning returns the tool whose helper asks people, if it is one of some tools, or else all of them.
func planning(tools []tool) []tool {
	if i := slices.IndexFunc(tools, func(t tool) bool { return t.Function.Name == "plan" }); i >= 0 {
		return tools[i : i+1]
	}
	return tools
}
