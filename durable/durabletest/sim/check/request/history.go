package request

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/model"
)

// historyIsTrue checks I8 for the history that a model is told: each call has a result, and the
// result is that of this call.
func (r *Rules) historyIsTrue(x *model.Exchange) {
	q := x.Question
	r.Checks++
	if err := q.Validate(); err != nil && !r.isHooked() {
		r.Fail("I8", "a provider would refuse the request: %v", err)
		return
	}
	if r.withdrawn[q.Text()] && !r.Regenerated {
		r.Fail("submission", "the model is asked a text that was cancelled: %s", q.Text())
	}
	if r.Mode.Own != nil {
		r.codeIsSound(q)
		return
	}
	made := r.callsIn(q)
	r.stepsStayApart(q, made)
	r.failuresStay(q, made)
	for _, m := range q.Messages[q.Last():] {
		if m.Role != "tool" {
			continue
		}
		c, known := made[m.ToolCallID]
		switch {
		case !known:
			r.Fail("I8", "the model is told of a call that it did not make: %s", m.ToolCallID)
		case c.byName && (unfinished(m.Content) || strings.Contains(m.Content, "The input was: ")):
		case c.Garbled:
			if !strings.Contains(m.Content, "The input was: ") && !unfinished(m.Content) {
				r.Fail("I8", "the input of %s is no object, and the model is told %.300s", c.Name, m.Content)
			}
		case c.Program != nil:
			r.programIsTrue(x.Object, m.ToolCallID, c.Program, m.Content)
		case c.expectedResult() != "":
			if want := c.expectedResult(); !sameJSON(m.Content, want) && !unfinished(m.Content) {
				r.Fail("I8", "the result of %s is %s, and has to be %s", c.Name, m.Content, want)
			}
		case strings.Contains(m.Content, `"ok":false`):
		case strings.Contains(m.Content, `"runId":`): // the run is detached, and ends later
		default:
			r.resultFits(c, m.Content)
		}
	}
}

// isHooked says whether hooks may change what a model is told.
func (r *Rules) isHooked() bool { return r.Mode.Own != nil && r.Mode.Own.Hooked }

// mistakes are in the errors of tools that no input and no trouble explains.
var mistakes = []struct{ said, means string }{
	{" diverged when it was run again", "the code depends on something that is not in its journal"},
	{" has no handler named ", "no handler would be given the end of a run"},
}

// codeIsSound checks that no tool of an author has failed by such a mistake.
func (r *Rules) codeIsSound(q model.Question) {
	for _, m := range q.Messages {
		for _, mistake := range mistakes {
			if m.Role == "tool" && strings.Contains(m.Content, mistake.said) {
				r.Fail("code", "%s: %s", mistake.means, m.Content)
			}
		}
	}
}

// stepsStayApart checks that the calls of one message are calls of one step.
func (r *Rules) stepsStayApart(q model.Question, made map[string]toolCall) {
	for _, m := range q.Messages {
		step := ""
		for _, t := range m.ToolCalls {
			c, known := made[t.ID]
			if !known || t.Function.Arguments == "{}" || contract.IsAction(c.Name) { // it may be another call: it broke off, or its input is not its own
				continue
			}
			if step != "" && c.step != "" && c.step != step {
				r.Fail("I8", "the model is told as one step what it has called in %s and in %s", step, c.step)
			}
			step = cmp.Or(c.step, step)
		}
	}
}

// failuresStay checks that the model is told in later turns too why a call of [contract.Vain] has
// failed.
func (r *Rules) failuresStay(q model.Question, made map[string]toolCall) {
	for _, m := range q.Messages[:q.Last()] {
		if made[m.ToolCallID].Name == contract.Vain && strings.Contains(m.Content, "was interrupted") {
			r.Fail("I8", "the model is told of a call that has failed: %s", m.Content)
		}
	}
}

// resultFits checks that a result speaks of the input of its call.
func (r *Rules) resultFits(c toolCall, result string) {
	for _, value := range c.Values {
		if !strings.Contains(result, value) && !strings.Contains(result, model.Mark(value)) {
			r.Fail("I8", "the result of %s %s does not speak of %q: %.300s", c.Name, c.ID, value, result)
		}
	}
}

// historyIsShort checks that the model is told no more of a conversation than the root's author
// allows, at three bytes a token. The last question and the last step are always told, and so are the
// words behind it at which an answer broke off.
func (r *Rules) historyIsShort(q model.Question) {
	if r.MethodCalls == nil || r.MethodCalls.History == 0 {
		return
	}
	upTo := len(q.Whole())
	for i, m := range q.Whole() {
		if m.Role == "assistant" {
			upTo = i
		}
	}
	told := 0
	for i, m := range q.Messages[:upTo] {
		if i > 0 && i != q.Last() {
			told += len(m.Content)
		}
	}
	if told > 3*r.MethodCalls.History {
		r.Fail("history", "the model is told %d bytes, and may be told %d tokens", told, r.MethodCalls.History)
	}
}

// unfinished says whether a result reports that its call has not ended, because its turn ended
// before or the answer with the call broke off.
func unfinished(result string) bool {
	return slices.ContainsFunc([]string{`"the turn failed"`, `"the turn was stopped"`, `"the model's answer broke off here"`}, func(why string) bool {
		return strings.Contains(result, why)
	})
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}
