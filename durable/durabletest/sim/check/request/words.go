package request

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/model"
)

// goesOnBehindWords checks I8 for an answer that broke off: the model is sent the text up to the
// break. If the object has lost its memory, that is what it had stored: words that came a moment
// before were in memory alone, and were not shown to anybody. For a run that has a result, the model
// is not sent a failure.
func (r *Rules) goesOnBehindWords(x *model.Exchange) {
	r.Checks++
	call := modelCall(x.Object, x.Fetch)
	got, want := x.Question.Said(), r.said[call]
	if least, lost := r.kept[call]; lost && len(got) >= least && strings.HasPrefix(want, got) {
		r.said[call], want = got, got
	}
	if got != want && !r.isHooked() {
		r.Fail("I8", "the model is told to go on behind %q, and had said %q", got, want)
	}
	delete(r.kept, call)
	if r.Mode.Own != nil { // a tool may fail for reasons of its own
		return
	}
	made := r.callsIn(x.Question)
	for _, m := range x.Question.Messages[x.Question.Last():] {
		if contract.InWorkshop(made[m.ToolCallID].Name) { // it may fail although its runs do not
			continue
		}
		if calledBeside(x.Question, m.ToolCallID, contract.Mine) { // the code of the step was not called again
			continue
		}
		if m.Role == "tool" && strings.Contains(m.Content, `"ok":false`) && r.runsHaveCompleted(x.Object, m.ToolCallID) {
			r.Fail("I8", "the model is told that %s has failed, and its runs have completed: %.200s", m.ToolCallID, m.Content)
		}
	}
}

// keepStored notes how many bytes of an answer an object has stored that has lost its memory.
func (r *Rules) keepStored(object string) {
	for call, said := range r.said {
		_, lost := r.kept[call]
		if lost || said == "" || !strings.HasPrefix(call, object+" ") || !r.Made(object) {
			continue
		}
		r.kept[call] = 0
		if r.Armed == check.NoSlot { // else a statement of a check would count for the trap
			r.kept[call] = r.storedWords(object, call)
		}
	}
}

// storedWords returns how many bytes of text the log of a turn has behind its last step, if the turn
// is under way and the model call is that of the step.
func (r *Rules) storedWords(object, call string) int {
	words, steps := 0, -1
	turn := turnOf(object, strings.TrimPrefix(call, object+" "))
	for _, row := range r.Rows(object, `SELECT line.value ->> 'type', line.value ->> 'delta'
		FROM turn JOIN chunk ON stream = IIF(log > 0, log, seq), json_each('[' || replace(chunk.body, char(10), ',') || ']') AS line
		WHERE seq = ? AND status = 'running' ORDER BY chunk.first, line.key`, turn.turn) {
		switch row.Text(0) {
		case "start-step":
			words, steps = 0, steps+1
		case "text-delta":
			words += len(row.Text(1))
		}
	}
	if !strings.HasSuffix(call, fmt.Sprintf("-%d", steps)) {
		return 0
	}
	return words
}

// calledBeside says whether the step that has made a call has also called a tool.
func calledBeside(q model.Question, call, tool string) bool {
	return slices.ContainsFunc(q.Messages, func(m model.Message) bool {
		has, beside := false, false
		for _, c := range m.ToolCalls {
			has, beside = has || c.ID == call, beside || c.Function.Name == tool
		}
		return has && beside
	})
}

// runsHaveCompleted says whether a call has runs, and all of them have completed.
func (r *Rules) runsHaveCompleted(object, call string) bool {
	return r.Number(object, `SELECT COUNT(*) > 0 AND SUM(status != 'completed') = 0 FROM run WHERE tool_call = ?`, call) > 0
}

// keepWords notes the words in a piece of an answer.
func (r *Rules) keepWords(x *model.Exchange, piece durable.Event) {
	c, ok := piece.(durable.FetchChunk)
	if !ok {
		return
	}
	r.bytesArrive(x)
	p := r.progress[x]
	p.event += string(c.Data)
	for {
		event, rest, whole := strings.Cut(p.event, "\n\n")
		if !whole {
			return
		}
		p.event = rest
		d := deltaOf(event)
		p.words += d.Content
		r.said[modelCall(x.Object, x.Fetch)] = together(p.before, p.words)
		if d.Content != "" {
			r.waitEnds(x.Object, x.Fetch)
		}
	}
}

// together returns what an attempt has said with what was said before it. What it says once more is said once.
func together(before, words string) string {
	switch {
	case strings.HasPrefix(before, words):
		return before
	case strings.HasPrefix(words, before):
		return words
	}
	return before + words
}

// delta is what one event of an answer adds to it.
type delta struct{ Content string }

func deltaOf(event string) delta {
	var body struct {
		Choices []struct{ Delta delta }
	}
	if json.Unmarshal([]byte(strings.TrimPrefix(event, "data: ")), &body) != nil || len(body.Choices) == 0 {
		return delta{}
	}
	return body.Choices[0].Delta
}

// keepThoughts notes what a model thinks in an answer, up to each piece.
func (r *Rules) keepThoughts(a model.Answer) {
	text := ""
	for _, piece := range a.Thoughts {
		text += piece
		r.thoughts[text] = true
	}
}

// ThoughtsStayApart checks that a stored thought comes from one answer: a thought that broke off is
// ended, and the next attempt begins another.
func (r *Rules) ThoughtsStayApart() {
	for _, slot := range r.World.Slots() {
		object := r.World.Object(slot)
		if !r.Made(object) {
			continue
		}
		for _, row := range r.Rows(object, `SELECT part.value ->> 'text' FROM message, json_each(message.body, '$.parts') AS part
			WHERE json_valid(message.body) AND part.value ->> 'type' = 'reasoning'`) {
			if !r.thoughts[row.Text(0)] {
				r.Fail("I8", "%q has stored as one thought %q, which is of no single answer", slot, row.Text(0))
			}
		}
	}
}
