package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/once"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Undo says how a call of a tool with [Once] that is done can be undone: the function gets the
// call's input and output. Its error says that the call is not undone. The function is called at
// most five times, until it succeeds, as a step of the code, see flow.Do. If it fails, and what it has
// begun may have had its effect, then that call was the last: a request was sent and not answered, a
// time limit was over, or the error is one of [MayHaveHappened]. What the journal knows of its requests
// counts, whatever the error says. A request with [Idempotent] has a key of its own there.
//
// The function can ask a person by [Ask] if a tool or a workflow undoes the call, as with [Compensate].
// Where [Conversation.UndoCall] or [Conversation.UndoRun] has queued the undoing, Ask is an error, and
// the call is not undone: the conversation would stand still until the answer.
func Undo[In, Out any](undo func(c *Context, in In, out Out) error) ToolOption {
	return func(t *Tool) {
		a, decode := t.change("Undo"), inputOf[In](t, "Undo")
		author.Linked.Job = runUndoJob
		a.Undo = func(c *author.Context, input, output json.RawMessage) error {
			in, err := decode(input)
			if err != nil {
				return err
			}
			var out Out
			if err := json.Unmarshal(output, &out); err != nil {
				return fmt.Errorf("the output: %w", err)
			}
			return undo(contextOf(c), in, out)
		}
	}
}

// UndoCall undoes an action, by its id in [Conversation.Actions], and waits until that is done. The
// agent has to have the tool, and the tool an [Undo]. The code needs the scopes of [Tool.Requires]. The
// key of the action is free then. The error says why the action is not undone.
func (c *Context) UndoCall(id string) error {
	seq, err := actionID(id)
	if err != nil {
		return err
	}
	return once.Undo(c.of, undoTools(c.of.Object), seq)
}

// UndoCall is [Context.UndoCall] for code that cannot wait: it queues a turn that undoes the action,
// and says in the chat what became of it. The turn works for the claims of the caller. The error says
// that the action is not done, which scope the caller lacks, or that no turn can be queued.
func (c *Conversation) UndoCall(id string) error {
	seq, err := actionID(id)
	if err != nil {
		return err
	}
	a, ok := action.Find(c.tx, seq)
	undoable, scopes := undoTools(c.object)(a.Tool)
	switch missing := once.Lacks("to undo", a, c.Claims().read(), scopes); {
	case !ok:
		return fmt.Errorf("there is no action %s", id)
	case a.State != action.Done:
		return fmt.Errorf("the action %s is %s: only what is done can be undone", id, a.State)
	case !undoable.IsUndoable():
		return once.ErrNoUndo(a.Tool)
	case missing != nil:
		return missing
	}
	return c.object.QueueJob(c.tx, string(limit.MustMarshal(undoJob{Actions: []action.Did{{Seq: seq}}})))
}

// UndoRun undoes what a run of the agent has done, the last first: the actions of tools with
// [Tool.Across]. It queues a turn for that, as [Conversation.UndoCall] does. It is for the run of a
// workflow that was stopped, whose own code cannot run any more: see [Agent.AfterRun]. It does
// nothing if the run has done nothing, or if the caller lacks a scope for one of the actions, which
// the error names.
func (c *Conversation) UndoRun(id string) error {
	list := action.DoneOf(c.tx, id, "")
	if len(list) == 0 {
		return nil
	}
	for _, did := range list {
		a, _ := action.Find(c.tx, did.Seq)
		_, scopes := undoTools(c.object)(a.Tool)
		if err := once.Lacks("to undo", a, c.Claims().read(), scopes); err != nil {
			return err
		}
	}
	return c.object.QueueJob(c.tx, string(limit.MustMarshal(undoJob{Actions: list})))
}

// UndoCall is a [Method] that undoes an action, by its id. It is answered when the undoing is
// queued. The undoing works for the claims of the caller, who needs the scopes of [Tool.Requires].
func UndoCall(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.UndoCall(id) })
}

// Compensate undoes what the code of a run has done with tools that have [Once], the last first. It
// is for a workflow that fails:
//
//	if err := ship(c); err != nil {
//		return nil, errors.Join(err, agent.Compensate(c))
//	}
//
// What cannot be undone is named in the error, and stays done. Actions of tools with [Tool.Across] are
// undone too, by the helper whose code has done them.
func Compensate(c *Context) error {
	list, err := once.Done(c.of)
	if err != nil {
		return err
	}
	_, err = once.UndoAll(c.of, undoTools(c.of.Object), list)
	return err
}

// undoJob is a turn that undoes action.
type undoJob struct {
	Actions []action.Did `json:"actions"`
}

func runUndoJob(c any, text string) (json.RawMessage, error) {
	var e undoJob
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return nil, err
	}
	of := c.(*Context).of
	undone, err := once.UndoAll(of, undoTools(of.Object), e.Actions)
	said := ""
	if len(undone) > 0 {
		said = "Undone: " + strings.Join(undone, ", ") + "."
	}
	if err != nil {
		said = strings.TrimSpace(said + " Not undone: " + err.Error() + ".")
	}
	return limit.Marshal(said)
}

// undoTools finds the tools of a conversation for package once.
func undoTools(o author.Object) once.Tools {
	return func(name string) (*once.Action, []string) {
		t, _ := toolOf(o, name)
		if t.keyed == nil {
			return nil, t.Scopes
		}
		return &t.keyed.Action, t.Scopes
	}
}

// toolOf returns a tool of the agent, or one that only the agent's code tool has.
func toolOf(o author.Object, name string) (Tool, bool) {
	if t, ok := o.Tool(name).(Tool); ok {
		return t, true
	}
	with, _ := o.Tool(CodeTool).(Tool)
	if with.code == nil {
		return Tool{}, false
	}
	for _, t := range with.code.tools {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}
