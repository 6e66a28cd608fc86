package sim

import (
	"slices"
	"strconv"
)

// methodActions are the method calls that people make, with their weights.
var methodActions = []choice{{"submit", 36}, {"withdraw", 8}, {"schedule", 20}, {"unschedule", 4}}

// submission is what somebody has submitted.
type submission struct{ id, key, text string }

// absent stands in a script for an id or a key that is not given.
const absent = "-"

// chooseMethodCall has a connected tab make one.
func (s *Sim) chooseMethodCall(action string) string {
	i := slices.IndexFunc(s.tabs, (*tab).callsMethods)
	if i < 0 {
		return "tick"
	}
	t := s.tabs[i]
	switch action {
	case "submit":
		return s.chooseSubmission(t)
	case "withdraw":
		if n := len(s.submitted); n > 0 {
			return line(action, t.name, s.submitted[n-1-s.dice.under(min(n, 3))].id)
		}
	case "schedule":
		return s.chooseOrder(t)
	case "again", "quitting":
		return s.chooseRepeated(action, t)
	case "unschedule":
		if n := len(s.ordered); n > 0 {
			return line(action, t.name, s.ordered[s.dice.under(n)])
		}
	}
	return "tick"
}

// chooseSubmission submits something new, or what was submitted before, or something else
// under its key.
func (s *Sim) chooseSubmission(t *tab) string {
	mode := []string{"submit", "wait", "stream"}[s.dice.under(3)]
	it := submission{id: "s-" + s.dice.word(), key: absent, text: "work out " + s.dice.word()}
	if n := len(s.submitted); n > 0 && s.dice.chance(3) {
		was := s.submitted[s.dice.under(n)]
		switch s.dice.under(4) {
		case 0:
			it = was
		case 1:
			it.key = was.key
		default:
			it.key, it.text = was.key, was.text
		}
		if it.key == absent { // the same text alone is nothing that was there before
			it = was
		}
	} else if s.dice.chance(2) {
		it.key = "k-" + s.dice.word()
	}
	return line("submit", t.name, mode, it.id, it.key, it.text)
}

// chooseOrder has something done later, or something else under an id that is in use.
func (s *Sim) chooseOrder(t *tab) string {
	o := ScheduleRequest{ID: "o-" + s.dice.word(), Kind: Once, MS: int64(s.dice.under(120_000)), Does: Action(s.dice.pick([]choice{{"note", 4}, {"ask", 6}, {"fail", 2}, {"break", 1}}))}
	if n := len(s.ordered); n > 0 && s.dice.chance(4) {
		o.ID = s.ordered[s.dice.under(n)]
	}
	switch s.dice.under(4) {
	case 0:
		o.Kind, o.MS = Every, int64(20_000+s.dice.under(200_000))
		if o.Does != Note { // there is rest in between
			o.MS += 300_000
		}
	case 1:
		o.Kind, o.MS = Cron, minute*[]int64{4, 5, 10}[s.dice.under(3)]
	}
	return o.decision(t)
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

const minute = 60_000
