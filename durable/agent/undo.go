package agent

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	actions "github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
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
		author.Job = runUndoJob
		a.undo = func(c *Context, input, output json.RawMessage) error {
			in, err := decode(input)
			if err != nil {
				return err
			}
			var out Out
			if err := json.Unmarshal(output, &out); err != nil {
				return fmt.Errorf("the output: %w", err)
			}
			return undo(c, in, out)
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
	return c.undo(seq)
}

// UndoCall is [Context.UndoCall] for code that cannot wait: it queues a turn that undoes the action,
// and says in the chat what became of it. The turn works for the claims of the caller. The error says
// that the action is not done, which scope the caller lacks, or that no turn can be queued.
func (c *Conversation) UndoCall(id string) error {
	seq, err := actionID(id)
	if err != nil {
		return err
	}
	a, ok := actions.Find(c.tx, seq)
	tool, _ := toolOf(c.object, a.Tool)
	switch missing := lacks("to undo", a, c.Claims(), tool.Scopes); {
	case !ok:
		return fmt.Errorf("there is no action %s", id)
	case a.State != actions.Done:
		return fmt.Errorf("the action %s is %s: only what is done can be undone", id, a.State)
	case !undoable(tool):
		return errNoUndo(a.Tool)
	case missing != nil:
		return missing
	}
	return c.object.QueueJob(c.tx, string(limit.MustMarshal(undoJob{Actions: []actions.Did{{Seq: seq}}})))
}

// UndoRun undoes what a run of the agent has done, the last first: the actions of tools with
// [Tool.Across]. It queues a turn for that, as [Conversation.UndoCall] does. It is for the run of a
// workflow that was stopped, whose own code cannot run any more: see [Agent.AfterRun]. It does
// nothing if the run has done nothing, or if the caller lacks a scope for one of the actions, which
// the error names.
func (c *Conversation) UndoRun(id string) error {
	list := actions.DoneOf(c.tx, id, "")
	if len(list) == 0 {
		return nil
	}
	for _, did := range list {
		a, _ := actions.Find(c.tx, did.Seq)
		tool, _ := toolOf(c.object, a.Tool)
		if err := lacks("to undo", a, c.Claims(), tool.Scopes); err != nil {
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
	list, err := flow.Step(c, "action list", func(tx *durable.Tx) ([]actions.Did, error) {
		return actions.DoneOf(tx, c.code.Run, c.code.Call.ID), nil
	})
	if err != nil {
		return err
	}
	if c.object.Runs().IsHelper() {
		above, err := ledger{c, true}.doneAtRoot()
		if err != nil {
			return err
		}
		list = append(list, above...)
		slices.SortStableFunc(list, func(a, b actions.Did) int { return cmp.Compare(b.Position, a.Position) })
	}
	_, err = c.undoAll(list)
	return err
}

// undoJob is a turn that undoes actions.
type undoJob struct {
	Actions []actions.Did `json:"actions"`
}

func runUndoJob(c any, text string) (json.RawMessage, error) {
	var e undoJob
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return nil, err
	}
	undone, err := c.(*Context).undoAll(e.Actions)
	said := ""
	if len(undone) > 0 {
		said = "Undone: " + strings.Join(undone, ", ") + "."
	}
	if err != nil {
		said = strings.TrimSpace(said + " Not undone: " + err.Error() + ".")
	}
	return limit.Marshal(said)
}

// undoAll undoes actions one after the other, and returns the keys of those that are undone.
func (c *Context) undoAll(list []actions.Did) (undone []string, err error) {
	for _, did := range list {
		key, failed := c.undoOne(ledger{c, did.AtRoot}, did.Seq)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		undone = append(undone, key)
	}
	return undone, err
}

func (c *Context) undo(seq int64) error {
	_, err := c.undoOne(ledger{c: c}, seq)
	return err
}

// taken is an action that is being undone.
type taken struct {
	Key    string          `json:"key"`
	Tool   string          `json:"tool"`
	Sent   string          `json:"sent"`
	Input  json.RawMessage `json:"input,omitempty"`
	Output json.RawMessage `json:"output,omitempty"`
}

// undoOne undoes an action of a ledger, and returns its key.
func (c *Context) undoOne(l ledger, seq int64) (key string, err error) {
	t, err := l.beginUndo(seq)
	if err != nil {
		return "", err
	}
	held := l.takeUndoLease(seq)
	err = c.tryUndo(t)
	failure := ""
	if err != nil {
		failure = err.Error()
	}
	return t.Key, errors.Join(err, l.endUndo(held, seq, failure))
}

// beginUndo takes an action that is done for its undoing.
func (l ledger) beginUndo(seq int64) (taken, error) {
	c := l.c
	if l.atRoot {
		return l.beginUndoAtRoot(seq)
	}
	return flow.Step(c, "action undo", func(tx *durable.Tx) (taken, error) {
		if a, ok := actions.Find(tx, seq); ok {
			tool, _ := toolOf(c.object, a.Tool)
			if err := lacks("to undo", a, c.Claims(), tool.Scopes); err != nil {
				return taken{}, err
			}
		}
		a, err := actions.BeginUndo(tx, seq, c.Routine())
		return takenOf(a), err
	})
}

func takenOf(a actions.Action) taken {
	return taken{Key: a.Key, Tool: a.Tool, Sent: a.Sent, Input: a.Input, Output: a.Result}
}

// endUndo notes whether the action is undone.
func (l ledger) endUndo(held *lease, seq int64, failure string) error {
	c := l.c
	if l.atRoot {
		err := l.changeAtRoot("action undone", actions.UndoneAtRoot(seq, c.code.Run, c.code.Call.ID, failure))
		l.release(held)
		return err
	}
	_, err := flow.Step(c, "action undone", func(tx *durable.Tx) (any, error) {
		flow.Complete(tx, held.key, nil, "")
		actions.EndUndo(tx, seq, c.Routine(), failure)
		return nil, nil
	})
	return err
}

// takeUndoLease notes that the code is undoing an action.
func (l ledger) takeUndoLease(seq int64) *lease {
	h := &lease{}
	note := func(_ *durable.Tx, key flow.Key) { h.key = key }
	h.Pending = l.c.Await(flow.Op{
		Name: flow.ActionLease, Begin: note, Again: note, Around: true,
		Cancel: func(tx *durable.Tx, key flow.Key, why flow.Reason) {
			words := "the undoing was given up: " + string(why)
			switch {
			case h.over:
			case l.atRoot:
				l.c.object.Runs().AskLedger(tx, rootRequest(tx, actions.AbandonUndoAtRoot(tx, seq, key.Routine, words)))
			default:
				actions.EndUndo(tx, seq, key.Routine, words)
			}
		},
	})
	return h
}

// tryUndo calls the tool's function until it succeeds, as a step of the code. An attempt of which it is
// not known whether it has undone the action is the last.
func (c *Context) tryUndo(t taken) error {
	tool, ok := toolOf(c.object, t.Tool)
	if !ok || !undoable(tool) {
		return fmt.Errorf("undo %s: %w", t.Key, errNoUndo(t.Tool))
	}
	inner := *c
	inner.acting = true
	_, err := flow.Do(c, "undo "+t.Key, func(*flow.Attempt) (any, error) {
		begun := c.Await(flow.Op{Name: "action attempt", Begin: func(*durable.Tx, flow.Key) {}, Around: true})
		before := flow.SetKey(c, "undo:"+t.Sent)
		err := tool.action.undo(&inner, t.Input, t.Output)
		flow.SetKey(c, before)
		if err != nil && c.inDoubt(begun, err) {
			err = flow.Permanent(err)
		}
		return nil, err
	}, flow.Retry{Attempts: actions.MaxAttempts, Timeout: undoWithin})
	return err
}

// undoWithin limits one attempt to undo an action. It may ask a person, see [Undo].
const undoWithin = 365 * 24 * time.Hour

func undoable(t Tool) bool {
	return t.action != nil && t.action.undo != nil
}

func errNoUndo(tool string) error {
	return fmt.Errorf("the agent has no tool %s that can be undone", tool)
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
