package sim

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// told is one model call, over all attempts at it: the steps of a turn have names of their own.
func told(object, fetch string) string {
	return object + " " + fetch[:max(strings.LastIndexByte(fetch, '-'), 0)]
}

// checkTold is I8 for what a model is told: what it had said already when its answer broke
// off, and nothing of a run that has brought a result but that.
func (e *endpoint) checkTold(v *serving) {
	e.sim.checked++
	if got, want := v.question.said(), e.said[told(v.object, v.fetch)]; got != want {
		e.sim.fail("I8", "the model is told to go on behind %q, and had said %q", got, want)
	}
	made := e.made(v.question)
	for _, m := range v.question.Messages[v.question.asked():] {
		if slices.Contains(workshop, made[m.ToolCallID].name) { // it does more than its runs
			continue
		}
		if v.question.madeBeside(m.ToolCallID, Mine) { // the step's code was not called again
			continue
		}
		if m.Role == "tool" && strings.Contains(m.Content, `"ok":false`) && e.allCompleted(v.object, m.ToolCallID) {
			e.sim.fail("I8", "the model is told that %s has failed, which is completed: %.200s", m.ToolCallID, m.Content)
		}
	}
}

// madeBeside says whether a step that has made a call has also called a tool.
func (q question) madeBeside(call, tool string) bool {
	return slices.ContainsFunc(q.Messages, func(m questionMessage) bool {
		has, beside := false, false
		for _, c := range m.ToolCalls {
			has, beside = has || c.ID == call, beside || c.Function.Name == tool
		}
		return has && beside
	})
}

// allCompleted says whether a call has runs, and all of them brought a result.
func (e *endpoint) allCompleted(object, call string) bool {
	row := e.sim.rows(object, `SELECT COUNT(*), COALESCE(SUM(status = 'completed'), 0) FROM run WHERE tool_call = ?`, call)[0]
	return row.Int(0) > 0 && row.Int(0) == row.Int(1)
}

// said is what the model had said before its answer broke off.
func (q question) said() string {
	if n := len(q.Messages); n > 1 && strings.HasPrefix(q.Messages[n-1].Content, goOn) {
		return q.Messages[n-2].Content
	}
	return ""
}

// heard notes what of an answer has arrived.
func (e *endpoint) heard(v *serving, piece durable.Event) {
	c, ok := piece.(durable.FetchChunk)
	if !ok {
		return
	}
	v.begun += string(c.Data)
	for {
		event, rest, whole := strings.Cut(v.begun, "\n\n")
		if !whole {
			return
		}
		v.begun = rest
		said := content(event)
		e.said[told(v.object, v.fetch)] += said.Content
		if said.Content != "" {
			e.spoke(v.object, v.fetch)
		}
		if said.words() {
			e.worded(v)
		}
	}
}

// answerContent is what an event of an answer brings.
type answerContent struct {
	Content  string
	Thought  string `json:"reasoning_content"`
	Fragment []any  `json:"tool_calls"`
}

// words says whether it is more of the answer, of a thought, or of a call.
func (b answerContent) words() bool { return b.Content != "" || b.Thought != "" || len(b.Fragment) > 0 }

func content(event string) answerContent {
	var said struct {
		Choices []struct{ Delta answerContent }
	}
	if json.Unmarshal([]byte(strings.TrimPrefix(event, "data: ")), &said) != nil || len(said.Choices) == 0 {
		return answerContent{}
	}
	return said.Choices[0].Delta
}
