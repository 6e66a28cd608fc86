package sim

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// submissionsAreKept is I6 for submissions: one has one turn, under its id and under its key,
// and stays to be asked for.
func submissionsAreKept(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" || h.Trap != nil {
		return
	}
	seen := map[string]bool{}
	for _, t := range s.checks.turns {
		if t.submission == "" {
			continue
		}
		for _, name := range []string{"the id " + t.submission, "the key " + t.key, "the text " + t.asked} {
			if seen[name] && name != "the key " {
				s.fail("submission", "%s has two turns", name)
			}
			seen[name] = true
		}
		s.checks.submissions[t.submission] = true
		if final(t.status) && !t.begun {
			s.checks.unbegun[t.asked] = true
		}
	}
	for _, id := range sortedKeys(s.checks.submissions) {
		if !seen["the id "+id] && s.made(h.Object) {
			s.fail("submission", "%s is gone", id)
		}
	}
}

// submissionsStay is that a submission gives way to no message: only clearing skips it.
func submissionsStay(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" || h.Trap != nil {
		return
	}
	m, _ := h.Event.(durable.SocketMessage)
	for _, t := range s.checks.turns {
		if t.submission == "" || t.status != "skipped" || s.checks.gaveWay[t.submission] {
			continue
		}
		s.checks.gaveWay[t.submission] = true
		if !strings.Contains(m.Text, "cf_agent_chat_clear") {
			s.fail("submission", "%s is skipped, and the conversation was not cleared", t.submission)
		}
	}
}

// turnsBeginInOrder is that who came first begins first, however long it has waited.
func turnsBeginInOrder(s *Sim, h durabletest.HandledEvent) {
	for _, t := range s.checks.turns {
		if !t.begun || t.seq <= s.checks.begun[h.Object] {
			continue
		}
		if i := slices.IndexFunc(s.checks.turns, func(o turnRow) bool { return o.seq < t.seq && o.status == "queued" }); i >= 0 {
			s.fail("order", "%s has begun, and %s waits for longer", t.request, s.checks.turns[i].request)
		}
		s.checks.begun[h.Object] = t.seq
	}
	for _, t := range s.checks.turns {
		if t.seq < s.checks.begun[h.Object] && t.status == "queued" {
			s.fail("order", "%s waits, and later ones have begun", t.request)
		}
	}
}

// laterOnesGetTheirWay is what a policy says of messages that wait.
func laterOnesGetTheirWay(s *Sim, h durabletest.HandledEvent) {
	if s.methodCalls == nil || s.methodCalls.Policy == "" || h.Slot != "" {
		return
	}
	most := 1
	if s.methodCalls.Policy == "drop" {
		most = 0
	}
	plain := 0
	for _, t := range s.checks.turns {
		switch {
		case t.status == "queued" && t.plain:
			plain++
		case t.status == "queued":
			plain = 0
		}
	}
	if plain > most {
		s.fail("policy", "%d messages wait one behind the other, where the policy is %s", plain, s.methodCalls.Policy)
	}
}
