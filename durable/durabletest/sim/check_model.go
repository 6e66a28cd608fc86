package sim

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// check is I8 as the model sees it: what it had called has results, and they are what
// came of these calls.
func (e *endpoint) check(q question) {
	e.sim.checked++
	if err := q.wellFormed(); err != nil {
		e.sim.fail("I8", "the model is told nonsense: %v", err)
		return
	}
	if e.sim.checks.unbegun[q.text()] && !e.sim.checks.anew {
		e.sim.fail("submission", "the model is asked what was cancelled: %s", q.text())
	}
	made := e.made(q)
	e.stepsAreTold(q, made)
	e.rememberFailures(q, made)
	for _, m := range q.Messages[q.asked():] {
		if m.Role != "tool" {
			continue
		}
		c, known := made[m.ToolCallID]
		switch {
		case !known:
			e.sim.fail("I8", "the model is told of a call that it did not make: %s", m.ToolCallID)
		case workshopResult(c) != "":
			if want := workshopResult(c); !sameJSON(m.Content, want) && !unfinished(m.Content) {
				e.sim.fail("I8", "the result of %s is %s, and has to be %s", c.name, m.Content, want)
			}
		case strings.Contains(m.Content, `"ok":false`):
		case strings.Contains(m.Content, `"runId":`): // of a detached run: what comes of it comes later
		default:
			e.checkResult(c, m.Content)
		}
	}
}

// made returns the calls that a question tells of and that the model has made, by their ids in the
// question.
func (e *endpoint) made(q question) map[string]toolCall {
	made := map[string]toolCall{}
	for _, m := range q.Messages {
		for _, t := range m.ToolCalls {
			c, known := e.calls[t.ID]
			if !known {
				c, known = e.calls[toolCall{name: t.Function.Name, input: t.Function.Arguments}.content()]
			}
			if known {
				made[t.ID] = c
			}
		}
	}
	return made
}

// checkHistory is that the model is told no more of a conversation than the root's author
// wants, by three bytes to a token. The last question stays in any case, and the last step.
func (e *endpoint) checkHistory(q question) {
	if e.sim.methodCalls == nil || e.sim.methodCalls.History == 0 {
		return
	}
	upTo := len(q.Messages)
	for i, m := range q.Messages {
		if m.Role == "assistant" {
			upTo = i
		}
	}
	told := 0
	for i, m := range q.Messages[:upTo] {
		if i > 0 && i != q.asked() {
			told += len(m.Content)
		}
	}
	if told > 3*e.sim.methodCalls.History {
		e.sim.fail("history", "the model is told %d bytes, and %d tokens are all that it shall be told", told, e.sim.methodCalls.History)
	}
}

// checkResult checks that a result speaks of what was asked.
func (e *endpoint) checkResult(c toolCall, result string) {
	for _, value := range c.values {
		if !strings.Contains(result, value) && !strings.Contains(result, mark(value)) {
			e.sim.fail("I8", "the result of %s %s does not speak of %q: %.300s", c.name, c.id, value, result)
		}
	}
}

// keptOnce is I8 as the bill sees it: an answer that was kept is not asked for again.
func (e *endpoint) keptOnce(v *serving) {
	e.sim.checked++
	if n := e.bought[v.object+"\x00"+v.fetch]; n > 1 {
		e.sim.fail("I8", "the answer of %s to %s was bought %d times", v.object, v.fetch, n)
	}
	if n := e.bought[v.question.identity()]; n > 1 && !e.sim.checks.anew {
		e.sim.fail("I8", "the answer to %q, step %d, was bought %d times", v.question.text(), v.question.rounds(), n)
	}
}

// abandon forgets what an object is being answered: its memory is gone.
func (e *endpoint) abandon(slot string) {
	e.excuse(e.sim.world.Object(slot))
	for _, l := range slices.Clone(e.sim.inFlight.lanes) {
		if at, _, ok := fetchOf(l); ok && at == slot {
			e.sim.inFlight.lose(l)
		}
	}
	e.stopDawdling(slot, "")
	e.hanging = slices.DeleteFunc(e.hanging, func(v *serving) bool { return v.slot == slot })
}

// abandonAll forgets everything.
func (e *endpoint) abandonAll() {
	for _, slot := range e.sim.world.Slots() {
		e.abandon(slot)
	}
}

// cut breaks an answer, and says whether the lane is one.
func (e *endpoint) cut(l string) bool {
	slot, fetch, ok := fetchOf(l)
	if !ok || len(e.sim.inFlight.items[l]) == 0 {
		return false
	}
	e.sim.inFlight.lose(l)
	e.sim.inFlight.post(l, func() {
		e.failed[e.sim.world.Object(slot)] = true
		e.excuse(e.sim.world.Object(slot))
		e.stopDawdling(slot, fetch)
		e.sim.world.Fetched(slot, fetch, durable.FetchFailed{Fetch: fetch, Error: "connection reset"})
	})
	return true
}

// fetchOf takes the lane of an answer apart.
func fetchOf(l string) (slot, fetch string, ok bool) {
	at := strings.LastIndexByte(l, '/')
	if at < 0 || strings.Contains(l, ":") {
		return "", "", false
	}
	return l[:at], l[at+1:], true
}
