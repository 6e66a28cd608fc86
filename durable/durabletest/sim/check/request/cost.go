package request

import (
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/model"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// answerCost is the cost of each answer.
var answerCost = stored.Tokens{Input: model.InputTokens, Output: model.OutputTokens}

// answerIsCounted checks that an object that has taken a complete answer counts its cost.
func (r *Rules) answerIsCounted(object string) {
	r.Checks++
	before, after := r.costBefore, r.Cost(object)
	if more := (stored.Tokens{Input: after.Input - before.Input, Output: after.Output - before.Output}); more != answerCost {
		r.Fail("cost", "%s counts %d and %d tokens for an answer, which costs %d and %d", object, more.Input, more.Output, answerCost.Input, answerCost.Output)
	}
}

// answerIsBoughtOnce checks I8 for costs: an answer that was stored is not requested again.
func (r *Rules) answerIsBoughtOnce(x *model.Exchange) {
	request, question := x.Object+"\x00"+x.Fetch, x.Question.Identity()
	r.bought[request]++
	r.bought[question]++
	r.Checks++
	if n := r.bought[request]; n > 1 {
		r.Fail("I8", "the answer of %s to %s was bought %d times", x.Object, x.Fetch, n)
	}
	if n := r.bought[question]; n > 1 && !r.Regenerated && r.Mode.Own == nil && !r.forgets(x) { // other agents may ask the same again
		r.Fail("I8", "the answer to %q, step %d, was bought %d times", x.Question.Text(), x.Question.Steps(), n)
	}
}

// forgets says whether an object may ask the same again because its model is told little: when a question of
// a server or of code has come in between, the turn that goes on may be told no more than the first one.
func (r *Rules) forgets(x *model.Exchange) bool {
	return x.Slot == "" && (r.Mode.Servers || r.Mode.Code) && r.MethodCalls.History > 0
}

// RunsCostTheirAnswers checks that a parent counts for a run the tokens of a whole number of
// answers, and no more answers than model calls.
func (r *Rules) RunsCostTheirAnswers(e check.Event) {
	for _, run := range e.Runs {
		answers := run.Cost.Input / answerCost.Input
		if run.Cost != (stored.Tokens{Input: answers * answerCost.Input, Output: answers * answerCost.Output}) || answers > run.ModelCalls {
			r.Fail("cost", "%d and %d tokens are counted for the %d model calls of %s", run.Cost.Input, run.Cost.Output, run.ModelCalls, run.ID)
		}
	}
}
