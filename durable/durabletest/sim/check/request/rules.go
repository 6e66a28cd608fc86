// Package request holds the rules about requests to models: what a model is told, when it is asked
// again, how long an object waits for it, and what its answers cost.
package request

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/model"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// Rules are the rules about the requests of one root and its helpers. They observe the model's
// server.
type Rules struct {
	*check.View
	// progress is the state of each answer.
	progress map[*model.Exchange]*progress
	// bought counts how often an answer arrived completely, by request and by question.
	bought map[string]int
	// made are the tool calls of all answers, by id and by content.
	made map[string]toolCall
	// said is what the model has said in a model call, over all attempts.
	said map[string]string
	// kept is how many bytes of that an object had stored when it lost its memory, at least.
	kept map[string]int
	// failed says whether the last answer to an object has failed.
	failed map[string]bool
	// waits are the turns that wait for their model.
	waits map[waiting]wait
	// counted are the attempts of each object's turn. attempted are the attempts for which the wait
	// was checked.
	counted, attempted map[string]attempts
	// attempts are the last requests of model calls.
	attempts map[string]*attempt
	// paid counts the attempts of each model call that were paid for and have ended.
	paid map[string]int
	// ends counts the attempts at a turn's current step that have failed or were given up for silence.
	ends map[waiting]int
	// busyUntil is when a model call that was refused may be made again.
	busyUntil map[string]int64
	// thoughts are the thoughts of one answer each, up to each piece.
	thoughts map[string]bool
	// withdrawn are the texts that were cancelled before a model was asked.
	withdrawn map[string]bool
	// asked are the objects that have asked their model.
	asked map[string]bool
	// stamped are what code has stamped.
	stamped map[string]bool
	// costBefore is the cost of an object's answers before the piece that completes an answer.
	costBefore stored.Tokens
}

// progress is the state of an answer that arrives.
type progress struct {
	// event is the beginning of an event that has not arrived completely.
	event string
	// since is when the request was made.
	since check.Moment
	// before is what was said in the model call before this attempt, and words what the attempt says.
	before, words string
}

// New returns the rules.
func New(v *check.View) *Rules {
	return &Rules{
		View: v, progress: map[*model.Exchange]*progress{}, bought: map[string]int{}, made: map[string]toolCall{}, said: map[string]string{}, kept: map[string]int{},
		failed: map[string]bool{}, waits: map[waiting]wait{}, counted: map[string]attempts{}, attempted: map[string]attempts{},
		attempts: map[string]*attempt{}, paid: map[string]int{}, ends: map[waiting]int{}, busyUntil: map[string]int64{}, thoughts: map[string]bool{}, withdrawn: map[string]bool{}, asked: map[string]bool{}, stamped: map[string]bool{},
	}
}

// modelCall names the model call that a fetch is an attempt at. A step of a turn is one model call.
func modelCall(object, fetch string) string {
	return object + " " + fetch[:max(strings.LastIndexByte(fetch, '-'), 0)]
}

// Unreadable reports a request that is no JSON.
func (r *Rules) Unreadable(err error) {
	r.Fail("I8", "a request to the model is no JSON: %v", err)
}

// Asked checks a request, and keeps what later ones are checked against.
func (r *Rules) Asked(x *model.Exchange) {
	r.asked[x.Object] = true
	r.toolsAreHidden(x)
	r.historyIsTrue(x)
	if x.Slot == "" {
		r.historyIsShort(x.Question)
	}
	r.goesOnBehindWords(x)
	r.waitBegins(turnOf(x.Object, x.Fetch), x.Fetch)
	r.hasReason(x)
	r.comesInTime(x)
	r.keepCalls(x)
	r.keepThoughts(x.Answer)
	r.progress[x] = &progress{since: r.Moment(), before: r.said[modelCall(x.Object, x.Fetch)]}
}

// Arriving notes that a piece of an answer is delivered.
func (r *Rules) Arriving(x *model.Exchange, piece int) {
	r.failed[x.Object] = x.Answer.Fault || piece < 0
	r.pieceArrives(x)
	if piece == x.Answer.Whole {
		r.costBefore = r.Cost(x.Object)
	}
}

// Arrived checks what an object does with a piece that it has taken.
func (r *Rules) Arrived(x *model.Exchange, piece int, e durable.Event) {
	r.keepWords(x, e)
	r.keepPause(x, piece)
	if piece == x.Answer.Whole {
		r.answerIsCounted(x.Object)
		r.waitEnds(x.Object, x.Fetch)
		r.answerIsBoughtOnce(x)
	}
}

// Lost notes that the requests of an object were lost with its memory.
func (r *Rules) Lost(object string) {
	r.allowRequest(object)
	r.keepStored(object)
}

// Cut notes that the connection of a request breaks.
func (r *Rules) Cut(object string) {
	r.failed[object] = true
	r.endRequests(object)
	r.allowRequest(object)
}

// HasAsked says whether an object has ever asked a model. One that runs a program does not.
func (r *Rules) HasAsked(object string) bool { return r.asked[object] }

// HasFailed says whether the last answer to an object has failed.
func (r *Rules) HasFailed(object string) bool { return r.failed[object] }

// Withdraw notes that a text was cancelled before a model was asked.
func (r *Rules) Withdraw(text string) { r.withdrawn[text] = true }

// toolCall is a tool call of an answer, with the model call that it was made in, or "" if that is not known.
type toolCall struct {
	model.ToolCall
	step string
	// byName says that only its name is known to be that of the call.
	byName bool
}

// content identifies a call whose id the core has replaced, as it does in helpers: by its name and
// its input, which hardly any other call has.
func content(name, input string) string { return name + " " + input }

// keepCalls notes the calls of an answer under each key that the model may be told of them by.
func (r *Rules) keepCalls(x *model.Exchange) {
	for _, made := range x.Answer.Calls {
		c := toolCall{ToolCall: made, step: modelCall(x.Object, x.Fetch)}
		if !c.Garbled { // the next request shows such a call without its input
			r.keepContent(c)
		}
		r.made[content(c.Name, "{}")] = c // an answer that breaks off in the middle of the input is told without it
		if !x.Answer.CountsCalls {        // else other answers have calls of the same ids
			r.made[c.ID] = c
		}
	}
}

// keepContent notes a call under its content. If calls of several steps have it, the step is not known.
func (r *Rules) keepContent(c toolCall) {
	key := content(c.Name, c.Input)
	if have, ok := r.made[key]; ok && have.step != c.step {
		c.step = ""
	}
	r.made[key] = c
}

// callsIn returns the calls of a question that a model has made, by their ids in the question.
func (r *Rules) callsIn(q model.Question) map[string]toolCall {
	made := map[string]toolCall{}
	for _, m := range q.Messages {
		for _, t := range m.ToolCalls {
			c, known := r.made[t.ID]
			if !known {
				c, known = r.made[content(t.Function.Name, t.Function.Arguments)]
				c.byName = t.Function.Arguments == "{}" && c.Input != "{}"
			}
			if known {
				made[t.ID] = c
			}
		}
	}
	return made
}

// expectedResult returns the result that the model must be told for a call, or "" if the result
// does not follow from the input.
func (c toolCall) expectedResult() string {
	if !contract.InWorkshop(c.Name) {
		return ""
	}
	return contract.Result(c.Name, c.Values[0])
}
