package coderun

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/codemode"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/internal/validator"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/script"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about the calls that code makes. Each is a branch of the code's routine, in which the
// tool's own code runs.

// The calls that are no calls of tools.
const (
	callSearch = "$search"
	callHelp   = "$help"
	callSleep  = "$sleep"
)

// longestSleep is the longest sleep of code.
const longestSleep = 24 * time.Hour

// The work that the calls of one run of code may make. maxLooks is how many calls of search and help, and of tools
// that there are not, are answered. maxChecks is how many steps all checks of inputs have together.
const (
	maxLooks  = 32
	maxChecks = 10 * validator.MaxSteps
)

// start begins a call, or goes on with it over the journal.
func (r *program) start(call script.Call) {
	name, input := call.Name, json.RawMessage(call.JSON)
	real := r.realName(name)
	key := codemode.Key(cmp.Or(real, name), input)
	if was, ok := flow.Recorded(r); ok && was != key {
		r.end(r.fail(fmt.Sprintf("the code did something else when it was run again after an interruption: its call %d was %s, and is %s now", call.Number, was, key)))
	}
	var notes flow.Notes
	var f func() (outcome, error)
	switch {
	case name == callSleep:
		f = func() (outcome, error) { return r.sleep(input) }
	case real == "":
		f = func() (outcome, error) { return r.look(name, input) }
	default:
		t := r.toolCall(call.Number, real, input)
		notes, f = t.notes(), t.run
	}
	if notes.Begin == nil {
		notes = flow.Notes{Begin: func(*durable.Tx) {}, Cancel: func(*durable.Tx, flow.Reason) {}, Fail: func(*durable.Tx, error) {}}
	}
	r.open = append(r.open, openCall{call.Number, flow.GoNoted(r, key, notes, f)})
}

// realName returns the name of a tool that has a name in JavaScript, or "".
func (r *program) realName(name string) string {
	for _, t := range r.begun.Tools {
		if t[0] == name {
			return t[1]
		}
	}
	return ""
}

// answerNow returns an answer at the time of the event.
func (r *program) answerNow(output json.RawMessage, err error) (outcome, error) {
	a := outcome{OK: err == nil, JSON: output, At: flow.EventTime(r)}
	if err != nil {
		a.JSON = limit.MustMarshal(protocol.CutOff(cmp.Or(err.Error(), "the tool failed"), limit.HookWords))
	}
	return a, nil
}

// sleep is the call sleep(ms).
func (r *program) sleep(input json.RawMessage) (outcome, error) {
	var ms float64
	if json.Unmarshal(input, &ms) != nil || ms < 0 || ms > float64(longestSleep.Milliseconds()) {
		return r.answerNow(nil, fmt.Errorf("sleep takes a number of milliseconds, at most %d", longestSleep.Milliseconds()))
	}
	err := flow.Sleep(r, time.Duration(ms)*time.Millisecond)
	return r.answerNow(json.RawMessage("null"), err)
}

// look is the call search(words) or help(name), or that of a tool that there is not.
func (r *program) look(name string, input json.RawMessage) (outcome, error) {
	var text string
	if r.looks++; r.looks > maxLooks {
		return r.answerNow(nil, fmt.Errorf("search and help were called %d times", maxLooks))
	}
	catalog := r.catalog(flow.Event(r))
	switch isText := json.Unmarshal(input, &text) == nil; {
	case name != callSearch && name != callHelp:
		return r.answerNow(nil, fmt.Errorf("there is no tool %.80q: await search(\"words\") finds tools", name))
	case !isText:
		return r.answerNow(nil, errors.New(name[1:]+" takes a text"))
	case name == callSearch:
		return r.answerNow(limit.MustMarshal(catalog.Search(text)), nil)
	}
	help, ok := catalog.Help(text)
	if !ok {
		return r.answerNow(nil, fmt.Errorf("there is no tool %.80q: await search(\"words\") finds tools", text))
	}
	return r.answerNow(limit.MustMarshal(help), nil)
}

// toolCall is a call of a tool that code has made.
type toolCall struct {
	*program
	call turn.Call
	// tool is the tool as it was when the call began, or was approved, if there is one.
	tool Tool
	ok   bool
}

func (r *program) toolCall(number int64, name string, input json.RawMessage) *toolCall {
	id := r.Code.Call.ID + "/" + strconv.FormatInt(number, 10)
	return &toolCall{program: r, call: turn.Call{ID: id, Name: name, Input: input}}
}

// find finds the tool as it is now. Its error says that there is none.
func (t *toolCall) find() error {
	if t.tool, t.ok = t.k.Tool(t.Object, flow.Event(t), t.call.Name); !t.ok {
		return fmt.Errorf("there is no tool named %s any more", t.call.Name)
	}
	return nil
}

// notes shows the call as a part of the message.
func (t *toolCall) notes() flow.Notes {
	parent := t.Code.Call.ID
	return flow.Notes{
		Begin: func(tx *durable.Tx) {
			if !t.Object.ChangesCalls() {
				t.Object.ShowCall(tx, parent, t.call)
			}
		},
		Cancel: func(tx *durable.Tx, why flow.Reason) {
			t.Object.EndCall(tx, parent, t.call, cancelled(why))
		},
		Fail: func(tx *durable.Tx, err error) { t.Object.EndCall(tx, parent, t.call, err.Error()) },
	}
}

// cancelled are the words for a call that has not ended.
func cancelled(why flow.Reason) string {
	switch why {
	case flow.Left:
		return "the code has ended without waiting for it"
	case flow.TimedOut:
		return "the time is over"
	}
	return "it was " + string(why)
}

// run is the code of the branch.
func (t *toolCall) run() (outcome, error) {
	output, err := t.change()
	if err == nil {
		output, err = t.attempt()
	}
	tx := flow.Event(t)
	output, err = t.Object.ReturnCall(tx, t.Code.Call.ID, t.call, t.tool.Output, output, err)
	return t.answerNow(output, err)
}

// change has the agent's hook change the input. What it says is journaled.
func (t *toolCall) change() (json.RawMessage, error) {
	if !t.Object.ChangesCalls() {
		return nil, nil
	}
	input, err := flow.Step(t, "before the call", func(tx *durable.Tx) (json.RawMessage, error) {
		call := t.call
		input, err := t.Object.ChangeCall(tx, call)
		if err == nil {
			call.Input = input
		}
		t.Object.ShowCall(tx, t.Code.Call.ID, call)
		return input, err
	})
	if err == nil {
		t.call.Input = input
	}
	return nil, err
}

// attempt runs the tool, if it may.
func (t *toolCall) attempt() (json.RawMessage, error) {
	if err := t.find(); err != nil {
		return nil, err
	}
	if missing := t.Claims().Missing(t.tool.Scopes); len(missing) > 0 {
		return nil, author.LacksScope(t.tool.Name, missing)
	}
	if err := t.fits(); err != nil {
		return nil, err
	}
	code := t.Code
	code.Call, code.ApprovedBy, code.Shown, code.ByCode = t.call, "", "", true
	if t.asks() {
		answer, err := t.approve()
		if err == nil {
			t.told, err = nil, t.find() // a person may have taken a week
		}
		if err != nil {
			return nil, err
		}
		code.ApprovedBy, code.Shown = answer.By, t.Object.Shown(flow.Event(t), t.Code.Call.ID, t.call.ID)
	}
	return t.tool.Run(t.ForCall(code), t.call.Input)
}

// asks says whether a person has to approve the call. What it was when the call began counts in every life of the code:
// a tool that needs approval by now is looked at when its own code goes on.
func (t *toolCall) asks() bool {
	if was, begun := flow.RecordedAwait(t); begun {
		return was == questionOfCall
	}
	return t.tool.Approval != nil && t.tool.Approval(t.call.Input)
}

// questionOfCall is the name of the await of an approval.
const questionOfCall = "question approval"

// fits says whether the input fits the tool's schema. Nobody is asked about an input that does not.
func (t *toolCall) fits() error {
	schema, what := t.tool.Input, "input"
	if schema == nil {
		if len(t.tool.Schema) == 0 {
			return nil
		}
		what = "the input"
		if t.checks.Left <= 0 {
			return fmt.Errorf("the input %w", validator.ErrSpent)
		}
		compiled, err := validator.Compile(t.tool.Schema)
		if err != nil {
			t.checks.Left -= validator.MaxSteps
			return fmt.Errorf("the schema of the input %w", err)
		}
		schema = compiled
	}
	if err := schema.CheckWithin(t.call.Input, &t.checks); err != nil {
		return fmt.Errorf("%s %w", what, err)
	}
	return nil
}

// approve asks a person whether the call may run. The error is that of a call that may not.
func (t *toolCall) approve() (a question.Answer, err error) {
	data, err := t.Await(flow.Op{
		Name:   questionOfCall,
		Person: true,
		Begin: func(tx *durable.Tx, key flow.Key) {
			t.Object.AskApproval(tx, key, t.Code.Call.ID, t.call, t.tool.Real)
		},
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { t.Object.Withdraw(tx, key) },
	}).Wait()
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(data, &a); err != nil {
		return a, err
	}
	switch {
	case a.Expired:
		return a, errors.New(cmp.Or(a.Reason, "nobody has answered in time"))
	case a.Denied && a.Reason != "":
		return a, fmt.Errorf("a person has denied this call: %s", a.Reason)
	case a.Denied:
		return a, errors.New("a person has denied this call")
	}
	return a, nil
}
