package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/internal/once"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// Action is one call of a tool with [Once], as the agent's ledger has it. Its JSON is public. Times
// are in milliseconds since 1970.
type Action struct {
	ID    string      `json:"id"`
	Tool  string      `json:"tool"`
	Key   string      `json:"key"`
	State ActionState `json:"state"`
	// Working says that a call works on it: it does it, settles it, or undoes it.
	Working bool `json:"working"`
	// By is who asked for it, and ApprovedBy who approved the call, as the claims of their tokens name
	// them, or "".
	By         string `json:"by"`
	ApprovedBy string `json:"approvedBy"`
	// Request is the request of the turn, ToolCall the model's call, and Run the run that the code
	// worked on; each may be "".
	Request  string `json:"requestId"`
	ToolCall string `json:"toolCallId"`
	Run      string `json:"runId"`
	// BegunAt is when it began, and EndedAt when it came to its state, or 0.
	BegunAt int64 `json:"begunAt"`
	EndedAt int64 `json:"endedAt"`
	// Digest is the SHA-256 of the input in its canonical form. Preview is the beginning of the
	// result, as text.
	Digest  string `json:"digest"`
	Preview string `json:"preview"`
	// Failure says why it has failed, why it is unknown whether it happened, or why it could not be
	// undone.
	Failure string `json:"error"`
}

// ActionState says what has become of an action.
type ActionState string

// The states of an action.
const (
	// ActionBegun: it is under way.
	ActionBegun ActionState = "begun"
	// ActionDone: it has had its effect.
	ActionDone ActionState = "done"
	// ActionFailed: nothing has happened.
	ActionFailed ActionState = "failed"
	// ActionUnknown: it may or may not have happened.
	ActionUnknown ActionState = "unknown"
	// ActionUndone: it was done, and was undone.
	ActionUndone ActionState = "undone"
)

// ActionFilter chooses action. A field that is empty chooses all.
type ActionFilter struct {
	Tool     string        `json:"tool"`
	Key      string        `json:"key"`
	Run      string        `json:"runId"`
	ToolCall string        `json:"toolCallId"`
	States   []ActionState `json:"states"`
	// Cursor is that of the page before, or "". Limit is how many actions the page has, at most 100,
	// which is also what 0 means.
	Cursor string `json:"cursor"`
	Limit  int    `json:"limit"`
}

// ActionPage is a page of actions, newest first. Cursor is for the next page, and "" on the last
// one.
type ActionPage struct {
	Actions []Action `json:"actions"`
	Cursor  string   `json:"cursor"`
}

// previewed is how many characters of a result a list shows.
const previewed = 500

// Actions lists the actions of the agent's ledger. The error says that the cursor did not come with
// a page, or that the filter names states that there are not.
func (c *Conversation) Actions(f ActionFilter) (ActionPage, error) {
	page := ActionPage{Actions: []Action{}} // never null
	filter := action.Filter{Tool: f.Tool, Key: f.Key, Run: f.Run, Call: f.ToolCall, Limit: f.Limit}
	for _, s := range f.States {
		filter.States = append(filter.States, action.State(s))
	}
	if f.Cursor != "" {
		before, err := strconv.ParseInt(f.Cursor, 10, 64)
		if err != nil || before <= 0 {
			return page, fmt.Errorf("%.40q is no cursor", f.Cursor)
		}
		filter.Before = before
	}
	if err := filter.Check(); err != nil {
		return page, err
	}
	list, more := action.List(c.tx, filter, previewed)
	for _, a := range list {
		page.Actions = append(page.Actions, actionOf(a))
	}
	if more {
		page.Cursor = page.Actions[len(page.Actions)-1].ID
	}
	return page, nil
}

func actionOf(a action.Action) Action {
	preview := string(a.Result)
	if len(preview) > previewed {
		preview = protocol.CutOff(preview, previewed)
	}
	return Action{
		ID: strconv.FormatInt(a.Seq, 10), Tool: a.Tool, Key: a.Key, State: ActionState(a.State), Working: a.Owner != "",
		By: a.By, ApprovedBy: a.ApprovedBy, Request: a.Request, ToolCall: a.Call, Run: a.Run,
		BegunAt: a.At, EndedAt: a.EndedAt, Digest: a.Digest, Preview: strings.ToValidUTF8(preview, ""), Failure: a.Failure,
	}
}

// ListActions is a [Method] that returns a page of the agent's actions, newest first, as an
// [ActionPage]. Its argument, an [ActionFilter], is optional.
func ListActions(call *Call) (any, error) {
	var f ActionFilter
	if call.Len() > 0 {
		if err := call.Arg(0, &f); err != nil {
			return nil, err
		}
	}
	return call.Actions(f)
}

// SettleAction notes what a person knows of an action that is unknown: whether it has happened. If
// it has, calls with its key get {"happened":true} as their result. If it has not, its key is free.
// The error says that there is no such action, that it is not unknown, that a call is settling it, or
// which scope the caller lacks of [Tool.Approver], or of [Tool.Requires] if the tool has none of those.
func (c *Conversation) SettleAction(id string, happened bool) error {
	seq, err := actionID(id)
	if err != nil {
		return err
	}
	if a, ok := action.Find(c.tx, seq); ok {
		scopes := a.Scopes
		if tool, known := toolOf(c.object, a.Tool); known {
			scopes = tool.resolverScopes()
		}
		if err := once.Lacks("to settle", a, c.Claims().read(), scopes); err != nil {
			return err
		}
	}
	if !action.Resolve(c.tx, seq, happened, json.RawMessage(once.HappenedResult), "a person has said that it did not happen") {
		return fmt.Errorf("no action with the id %.40q is unknown and waits for an answer", id)
	}
	return nil
}

// SettleAction is a [Method] that notes what a person knows of an action that is unknown. Its
// arguments are the id of the action, and whether it has happened. The caller needs the scopes of
// [Tool.Approver], or those of [Tool.Requires]. It begins nothing.
func SettleAction(call *Call) (any, error) {
	var id string
	var happened bool
	err := errors.Join(call.Arg(0, &id), call.Arg(1, &happened))
	if err != nil {
		return nil, err
	}
	return nil, call.SettleAction(id, happened)
}

func actionID(id string) (int64, error) {
	seq, err := strconv.ParseInt(id, 10, 64)
	if err != nil || seq <= 0 {
		return 0, fmt.Errorf("%.40q is no id of an action", id)
	}
	return seq, nil
}
