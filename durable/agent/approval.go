package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/run"
)

// Explanation tells a person what a call that needs approval would do.
type Explanation struct {
	// Title is one line of at most 128 bytes, and Text has at most 4 KiB. What is longer is cut off.
	Title, Text string
	// Risk is "" if nothing is said about it.
	Risk Risk
}

// Risk says how much harm a call can do.
type Risk string

// The risks.
const (
	RiskLow    Risk = "low"
	RiskMedium Risk = "medium"
	RiskHigh   Risk = "high"
)

// DefaultExpiry is how long a question of [Ask], or one with an explanation, waits for its answer: 7 days.
const DefaultExpiry = author.DefaultExpiry

// Explain is an option of [Tool.With] that explains the question of a tool that needs approval. f is
// called once for a call, and must decide by the input alone.
func Explain[In any](f func(in In) Explanation) ToolOption {
	return func(t *Tool) {
		decode := inputOf[In](t, "Explain")
		t.Explain = func(input json.RawMessage) (Explanation, error) {
			in, err := decode(input)
			if err != nil {
				return Explanation{}, err
			}
			return f(in), nil
		}
	}
}

// Requires returns a copy of the tool that runs for turns with these scopes only, see [Claims]. The
// scopes are checked when the model has asked for the call, before a person is asked to approve it.
// The model is told which scope is missing. Who undoes a call needs them too, see [UndoCall].
func (t Tool) Requires(scopes ...string) Tool {
	t.Scopes = scopes
	if t.keyed != nil {
		t.change("Requires")
	}
	return t
}

// Approver returns a copy of the tool whose calls only a person with these scopes can approve, or
// deny. Anybody else is told so, and the question stays open. It does not say that the tool needs
// approval: [Tool.NeedsApproval] does. Only such a person can say whether a call has happened, see
// [Once]. Without Approver, that takes the scopes of [Tool.Requires].
func (t Tool) Approver(scopes ...string) Tool {
	t.ApproverScopes = scopes
	if t.keyed != nil {
		t.change("Approver")
	}
	return t
}

// resolverScopes are the scopes of a person who says whether a call has happened.
func (t Tool) resolverScopes() []string {
	if len(t.ApproverScopes) > 0 {
		return t.ApproverScopes
	}
	return t.Scopes
}

// AnswerWithin returns a copy of the tool whose calls are denied if nobody answers in time.
// The model is told so. A negative time means never. Without AnswerWithin, the time is
// [DefaultExpiry] for a tool with [Explain] or [Tool.Approver], and the questions of other tools
// wait for ever.
func (t Tool) AnswerWithin(d time.Duration) Tool {
	t.Expiry = d
	return t
}

// PendingApprovals lists what people are asked and have not answered: in the conversation, and in
// all helpers below it, as far as their runs wait. The list is never nil. No helper is woken for it.
func (c *Conversation) PendingApprovals() []run.Pending { return c.object.Pending(c.tx) }

// Answered is what has come of an answer to a question. Its JSON is public.
type Answered struct {
	ID string `json:"id"`
	// Status is approved or denied if the answer was taken, and over if another one was taken before.
	Status string `json:"status"`
	// Approved, By, Reason and At are the answer that counts. By is the subject of the claims of the
	// person who gave it, or "". At is when, in milliseconds since 1970.
	Approved bool   `json:"approved"`
	By       string `json:"by,omitempty"`
	Reason   string `json:"reason,omitempty"`
	At       int64  `json:"at"`
}

// Approve approves the call of a question, by its id, in the name of the caller. The error says that
// there is no such question, or which scope the caller lacks. The question then stays open.
func (c *Call) Approve(id string) (Answered, error) { return c.decide(id, true, "") }

// Deny is [Call.Approve] for the other answer. The model is told the reason, of at most 1 KiB, unless the tool
// has no [Tool.Approver] and the claims of the caller differ from those of the turn that has made the call.
func (c *Call) Deny(id, reason string) (Answered, error) { return c.decide(id, false, reason) }

func (c *Call) decide(id string, approved bool, reason string) (Answered, error) {
	outcome := c.object.Decide(c.tx, author.Verdict{Conn: c.call.Conn, Call: id, Approved: approved, Reason: reason, Claims: c.acting(), Continues: true})
	return answered(outcome)
}

// answered returns the public view of what has come of an answer.
func answered(o author.Outcome) (Answered, error) {
	a := Answered{ID: o.Past.Call, Status: "denied", Approved: o.Past.Approved, By: o.Past.Person, Reason: o.Past.Reason, At: o.Past.At}
	switch {
	case len(o.Missing) > 0:
		return a, fmt.Errorf("the answer to %.80q needs the scope %s", o.Past.Call, strings.Join(o.Missing, ", "))
	case o.Refused != nil:
		return a, o.Refused
	case o.Unknown:
		return a, fmt.Errorf("there is no question %.80q", o.Past.Call)
	case o.Over:
		a.Status = "over"
	case a.Approved:
		a.Status = "approved"
	}
	return a, nil
}

// PendingApprovals is a [Method] that returns what people are asked and have not answered, whoever has asked.
func PendingApprovals(call *Call) (any, error) { return call.PendingApprovals(), nil }

// Approve is a [Method] that approves a call, by its id. It returns an [Answered]. The call runs for the
// claims of the turn that has made it. The caller needs the scopes of [Tool.Approver], if the tool has any.
func Approve(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return call.Approve(id) })
}

// Deny is a [Method] that denies a call, by its id, with a reason in words, which is optional. It
// returns an [Answered]. The caller needs the scopes of [Tool.Approver], if the tool has any.
func Deny(call *Call) (any, error) {
	var reason string
	if call.Len() > 1 {
		if err := call.Arg(1, &reason); err != nil {
			return nil, err
		}
	}
	return about(call, func(id string) (any, error) { return call.Deny(id, reason) })
}
