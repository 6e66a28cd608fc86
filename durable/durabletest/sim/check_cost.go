package sim

import "github.com/tributary-agents/tributary/durable/durabletest"

// This file adds up what models cost: each answer of the endpoint costs as much as any other.
// Checks know the keys input_tokens and output_tokens of the table setting.

// tokens is what something has cost.
type tokens struct{ input, output int64 }

// answerCost is what each answer costs.
var answerCost = tokens{7, 3}

// costOf is what an object's own model calls have cost.
func (s *Sim) costOf(object string) (t tokens) {
	for _, row := range s.rows(object, `SELECT key, CAST(value AS INTEGER) FROM setting WHERE key IN ('input_tokens', 'output_tokens')`) {
		if row.Text(0) == "input_tokens" {
			t.input = row.Int(1)
		} else {
			t.output = row.Int(1)
		}
	}
	return t
}

// costs holds that an object which has taken a whole answer counts what that costs.
func (e *endpoint) costs(object string, before tokens) {
	e.sim.checked++
	after := e.sim.costOf(object)
	if more := (tokens{after.input - before.input, after.output - before.output}); more != answerCost {
		e.sim.fail("cost", "%s counts %d and %d tokens for an answer, which costs %d and %d", object, more.input, more.output, answerCost.input, answerCost.output)
	}
}

// runsCostWhatTheyGot is that a parent counts of a run as many whole answers, input and output, and
// no more of them than model calls.
func runsCostWhatTheyGot(s *Sim, _ durabletest.HandledEvent) {
	for _, r := range s.checks.runs {
		answers := r.cost.input / answerCost.input
		if r.cost != (tokens{answers * answerCost.input, answers * answerCost.output}) || answers > r.modelCalls {
			s.fail("cost", "%d and %d tokens are counted for the %d model calls of %s", r.cost.input, r.cost.output, r.modelCalls, r.id)
		}
	}
}
