package request

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/code"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/model"
)

// Stamped checks I8 for the calls that code makes: what has had its effect is not asked for again. Each
// text is used in one call.
func (r *Rules) Stamped(what string) {
	r.Checks++
	if r.stamped[what] {
		r.Fail("I8", "%q is stamped twice", what)
	}
	r.stamped[what] = true
}

// IsStamped says whether something was stamped.
func (r *Rules) IsStamped(what string) bool { return r.stamped[what] }

// patience is how often an instance may be lost in one stretch of code before the code is given up.
const patience = 3

// programIsTrue checks what a model is told of code that it has written: it follows from the code and from
// what became of the calls, as the message shows them.
func (r *Rules) programIsTrue(object, call string, p *code.Program, told string) {
	if strings.Contains(told, `"ok":false`) { // the turn was stopped, or has failed
		return
	}
	r.Checks++
	var calls []code.Call
	for _, c := range r.CodeCalls(object, call) {
		made := code.Call{Tool: c.Tool, Input: c.Input, State: c.State, Output: c.Output, Words: c.Words}
		if wrong := outcome(made); wrong != "" {
			r.Fail("I8", "the call of %s %s by %s %s", c.Tool, c.Input, call, wrong)
			return
		}
		calls = append(calls, made)
	}
	if wrong := p.Judge(told, calls, code.Trouble{Lost: r.Openings[object] > patience, SetBack: r.SetBack > 0}); wrong != "" {
		r.Fail("code", "the model is told %.600s of its code %s: %s\n%s", told, call, wrong, p.Text)
	}
}

// outcome returns what is wrong about the output of a call, as far as it follows from the input.
func outcome(c code.Call) string {
	var input struct{ Query string }
	if c.State != "output-available" || json.Unmarshal(c.Input, &input) != nil {
		return ""
	}
	want := ""
	switch {
	case c.Tool == contract.Stamp:
		want = contract.Stamped(input.Query)
	case c.Tool == contract.Permit:
		want = contract.Permitted(input.Query)
	default:
		if want = contract.Result(c.Tool, input.Query); want == "" || sameJSON(string(c.Output), want) {
			return ""
		}
		return "has the output " + string(c.Output)
	}
	if got := ""; json.Unmarshal(c.Output, &got) != nil || got != want {
		return "has the output " + string(c.Output)
	}
	return ""
}

// toolsAreHidden checks that a model is not told of tools that only code reaches.
func (r *Rules) toolsAreHidden(x *model.Exchange) {
	if x.Slot != "" || r.MethodCalls == nil || !r.MethodCalls.TellCode {
		return
	}
	for _, t := range x.Question.Tools {
		if name := t.Function.Name; contract.IsServed(name) && !contract.Sends(name) {
			r.Fail("mcp", "the model is told of %s, and code alone reaches it", name)
		}
	}
}
