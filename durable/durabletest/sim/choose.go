package sim

import (
	"fmt"
	"strconv"

	"github.com/tributary-agents/tributary/durable/durabletest/browser"
)

// choose decides what happens next, by the dice: something on its way arrives, time
// passes, a person does something, or trouble comes.
func (s *Sim) choose() string {
	if len(s.planned) > 0 {
		next := s.planned[0]
		s.planned = s.planned[1:]
		return next
	}
	if habit := s.chooseHabit(); habit != "" {
		return habit
	}
	if n := len(s.neighbours); n > 0 && s.dice.chance(3) {
		at := s.dice.under(n)
		return line("beside", strconv.Itoa(at+1), s.neighbours[at].choose())
	}
	if decision := s.seize(); decision != "" {
		return decision
	}
	if len(s.profile.faults) > 0 && s.dice.chance(s.profile.calm) {
		return s.chooseFault()
	}
	lanes := s.lanes()
	act, wait := 3, 1
	if len(lanes) == 0 {
		act, wait = 10, 30
	}
	switch s.dice.pick([]choice{{"deliver", 10 * min(len(lanes), 3)}, {"tick", wait}, {"act", act}}) {
	case "deliver":
		return s.chooseDelivery(lanes)
	case "act":
		return s.chooseAction()
	}
	return "tick"
}

// lanes are all ways on which something is under way.
func (s *Sim) lanes() []string {
	return append(append([]string{}, s.inFlight.lanes...), s.world.Lanes()...)
}

func (s *Sim) chooseDelivery(lanes []string) string {
	line := "deliver " + lanes[s.dice.under(len(lanes))]
	if s.dice.chance(10) {
		line += " " + strconv.Itoa(1+s.dice.under(40))
	}
	return line
}

func (s *Sim) chooseAction() string {
	action := s.dice.pick(s.profile.actions)
	if action == "open" || len(s.tabs) == 0 {
		return "open"
	}
	if action == "intrude" {
		return "drill " + s.chooseStranger()
	}
	t := s.tabs[s.dice.under(len(s.tabs))]
	switch action {
	case "drill":
		return s.chooseDrill(t)
	case "answer":
		return s.chooseAnswer(t)
	case "tidy":
		return s.chooseTidy(t)
	case "meddle":
		return s.chooseMeddling()
	case "submit", "withdraw", "schedule", "unschedule", "again", "quitting":
		return s.chooseMethodCall(action)
	}
	line := action + " " + t.name
	if action == "say" {
		line += " tell me of " + s.dice.word()
		if s.workshop && s.dice.chance(12) {
			line += ", " + Breaks
		}
	}
	return line
}

// chooseDrill opens the page of a run that a tab shows.
func (s *Sim) chooseDrill(t *tab) string {
	if t.page == nil || len(t.page.Runs) == 0 {
		return "tick"
	}
	ids := sortedKeys(t.page.Runs)
	run := t.page.Runs[ids[s.dice.under(len(ids))]]
	return fmt.Sprintf("drill %s %s", kebab(run), run.RunID)
}

// chooseStranger names what nobody may reach: a run that is not there, or one by another class.
func (s *Sim) chooseStranger() string {
	for _, t := range s.tabs {
		if t.page != nil && len(t.page.Runs) > 0 && s.dice.chance(2) {
			return "nobody " + sortedKeys(t.page.Runs)[0]
		}
	}
	return []string{"researcher call_nobody", "planner ../x", "nobody call_nobody"}[s.dice.under(3)]
}

// chooseAnswer approves or denies a call that a tab shows to wait for that.
func (s *Sim) chooseAnswer(t *tab) string {
	if open := s.clientCalls(t); len(open) > 0 && s.dice.chance(2) {
		return line("result", t.name, open[s.dice.under(len(open))].ToolCallID)
	}
	if t.page == nil || len(t.page.Asks()) == 0 {
		return "tick"
	}
	calls := t.page.Asks()
	call, answer := calls[s.dice.under(len(calls))], []string{"yes", "yes", "no"}[s.dice.under(3)]
	s.doubted(t, call, answer)
	return line("answer", t.name, call, answer)
}

func kebab(r *browser.Run) string { return string(r.AgentType[0]|0x20) + r.AgentType[1:] }

func (s *Sim) chooseFault() string {
	slots := s.world.Slots()
	slot := slots[s.dice.under(len(slots))]
	switch fault := s.dice.pick(s.profile.faults); fault {
	case "evict", "full":
		return line(fault, slot)
	case "trap":
		return line(fault, slot, strconv.Itoa(s.dice.under(12)))
	case "drop", "echo":
		if len(s.tabs) > 0 {
			return line(fault, s.tabs[s.dice.under(len(s.tabs))].name)
		}
		return "tick"
	case "break":
		return s.chooseBroken()
	case "cut":
		return s.chooseCut()
	case "lose":
		return s.chooseLoss(slot)
	case "sever":
		return s.chooseSevered()
	case "outage":
		return line(fault, strconv.Itoa(1_000*(10+s.dice.under(300))))
	case "hostile":
		return chooseAttack(s.dice)
	case "jump":
		return line(fault, strconv.Itoa(s.dice.under(120_000)-20_000))
	default:
		return fault
	}
}

// chooseCut breaks a link between objects, or an answer of the model.
func (s *Sim) chooseCut() string {
	lanes := s.lanes()
	if len(lanes) == 0 {
		return "tick"
	}
	return line("cut", lanes[s.dice.under(len(lanes))])
}

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
