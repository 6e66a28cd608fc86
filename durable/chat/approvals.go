package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about what people are asked: how a question is described, the list of all of them,
// who may answer, and what happens if nobody does.

// descriptor describes a question in the part of its call, where the published client keeps it.
type descriptor struct {
	Title   string     `json:"title"`
	Text    string     `json:"text"`
	Risk    agent.Risk `json:"risk"`
	Scopes  []string   `json:"scopes"`
	Asked   int64      `json:"asked"`
	Expires int64      `json:"expires"`
	// Digest is that of the tool of a server that is shown.
	Digest string `json:"digest,omitempty"`
}

// describe returns the descriptor of a call of a tool, and when its question expires, or 0.
func describe(now int64, t agent.Tool, input json.RawMessage) (json.RawMessage, int64) {
	d := descriptor{Scopes: append([]string{}, t.ApproverScopes...), Asked: now, Digest: author.Bind.Digest(t)}
	if t.Explain != nil {
		if e, err := t.Explain(input); err == nil { // an input that does not fit fails the call when it runs
			d.Title, d.Text = protocol.CutOff(e.Title, limit.Phase), protocol.CutOff(e.Text, limit.HookWords)
			if slices.Contains([]agent.Risk{agent.RiskLow, agent.RiskMedium, agent.RiskHigh}, e.Risk) {
				d.Risk = e.Risk
			}
		}
	}
	if within := waitsWithin(t); within > 0 {
		d.Expires = now + within.Milliseconds()
	}
	return limit.MustMarshal(d), d.Expires
}

// waitsWithin is how long the questions of a tool wait, or less than 0 for ever.
func waitsWithin(t agent.Tool) time.Duration {
	if t.Expiry == 0 {
		return agent.DefaultExpiry
	}
	return t.Expiry
}

// isDescribed says whether the questions of a tool have a descriptor.
func isDescribed(t agent.Tool) bool {
	return t.Explain != nil || len(t.ApproverScopes) > 0 || t.Expiry > 0
}

// descriptorOf reads the descriptor of a part. A part without one has the zero value.
func descriptorOf(p protocol.Part) (d descriptor) {
	if p.Approval != nil && len(p.Approval.Descriptor) > 0 && json.Unmarshal(p.Approval.Descriptor, &d) != nil {
		return descriptor{}
	}
	return d
}

// pendingOf describes the question of a part, if it asks one.
func pendingOf(p protocol.Part, asked int64) (run.Pending, bool) {
	name := strings.TrimPrefix(p.Type, protocol.PartTool)
	q := run.Pending{ID: p.ToolCallID, Path: []string{}, Kind: run.Approval, Tool: name, Input: p.Input, Asked: asked}
	if name == protocol.AskTool {
		q.Kind = run.Form
	}
	if p.State != protocol.ApprovalRequested && (p.State != protocol.InputAvailable || q.Kind != run.Form) {
		return q, false
	}
	if len(q.Input) > limit.ReportData {
		q.Input, q.Hidden = nil, len(q.Input)
	}
	d := descriptorOf(p)
	if q.Kind == run.Form && json.Unmarshal(p.Input, &d) != nil {
		d = descriptor{}
	}
	q.Title, q.Text, q.Risk, q.Expires = d.Title, d.Text, string(d.Risk), d.Expires
	q.Scopes = append([]string{}, d.Scopes...)
	if d.Asked > 0 {
		q.Asked = d.Asked
	}
	return q, true
}

// pending returns what people are asked and have not answered, here and below.
func (o *Object) pending(tx *durable.Tx) []run.Pending {
	list := append(o.ownPending(tx, approval.Opened(tx)), o.activePending(tx)...)
	list = append(list, o.askedPending(tx)...)
	for _, q := range o.runs.Pending(tx) {
		if _, over := approval.Remembered(tx, q.ID); !over {
			list = append(list, q)
		}
	}
	return append([]run.Pending{}, list...) // never null
}

// ownPending describes the questions of pending calls.
func (o *Object) ownPending(tx *durable.Tx, calls []approval.Call) []run.Pending {
	var list []run.Pending
	folds := map[string]*protocol.Fold{}
	for _, p := range calls {
		fold := folds[p.Message]
		if fold == nil {
			m, _ := message.Load(tx, p.Message)
			fold = protocol.Continue(m)
			folds[p.Message] = fold
		}
		part, _ := fold.Call(p.ID)
		if q, ok := pendingOf(part, p.Asked); ok {
			list = append(list, q)
		}
	}
	return list
}

// activePending describes the questions of the active turn. Other calls of the turn go on.
func (o *Object) activePending(tx *durable.Tx) []run.Pending {
	if !o.loop.IsActive() {
		return nil
	}
	var list []run.Pending
	fold := o.loop.Draft().Fold
	for _, id := range fold.OpenCalls() {
		part, _ := fold.Call(id)
		if q, ok := pendingOf(part, o.loop.Turn().StartedAt); ok {
			list = append(list, q)
		}
	}
	return list
}

// askedPending describes the questions of code that was put away: they stand in stored messages.
func (o *Object) askedPending(tx *durable.Tx) []run.Pending {
	var asked []approval.Call
	for _, q := range question.Own(tx) {
		if !o.loop.Shows(q.Message) {
			begun, _ := approval.OfRoutine(tx, q.Key.Routine)
			asked = append(asked, approval.Call{ID: q.ID, Message: q.Message, Asked: begun.Asked})
		}
	}
	return o.ownPending(tx, asked)
}

// describedTo returns the questions of some calls that a helper's run waits for, for its parent.
func (o *Object) describedTo(tx *durable.Tx, k task.Task, calls []string) []run.Pending {
	if len(calls) == 0 {
		return nil
	}
	list := append(o.ownPending(tx, approval.OpenOfRun(tx, k.Run)), o.activePending(tx)...)
	list = append(list, o.runs.Pending(tx)...)
	list = slices.DeleteFunc(list, func(q run.Pending) bool { return !slices.Contains(calls, q.ID) })
	return run.BoundPending(list)
}

// openApproval returns the part of a call of this conversation that waits for a person's approval.
func (o *Object) openApproval(tx *durable.Tx, call string) (protocol.Part, bool) {
	part, ok := o.loop.WaitsForAnswer(call)
	if p, found := approval.FindOpen(tx, call); !ok && found {
		m, _ := message.Load(tx, p.Message)
		part, ok = protocol.Continue(m).Call(call)
	}
	return part, ok && part.State == protocol.ApprovalRequested
}

// decide takes a person's answer to a call that waits for approval, here or below. The first answer
// counts.
func (o *Object) decide(tx *durable.Tx, v author.Verdict) author.Outcome {
	o.loop.RetryQuarantined(tx)
	by := claimsOf(v.Claims)
	v.Reason = protocol.CutOff(v.Reason, limit.ReportWords)
	if v.Approved {
		v.Reason = ""
	}
	out := author.Outcome{Past: approval.Past{Call: v.Call, Approved: v.Approved, Person: by.Subject, Reason: v.Reason, At: tx.Now}}
	if past, ok := approval.Remembered(tx, v.Call); ok {
		out.Past, out.Over = past, true
		return out
	}
	if q, ok := question.Find(tx, v.Call); ok {
		return o.decideQuestion(tx, q, v, out)
	}
	if part, ok := o.openApproval(tx, v.Call); ok {
		out.Missing = by.Missing(descriptorOf(part).Scopes)
		if len(out.Missing) == 0 {
			o.remember(tx, out.Past, part) // the call may run at once, and its ledger names the person
			v.Reason = o.reasonFor(o.claimsOfCall(tx, v.Call), v.Claims, descriptorOf(part).Scopes, v.Reason)
			o.answer(tx, v.Conn, verdictReply(v, false))
		}
		return out
	}
	r, ok := o.runs.AskedBy(tx, v.Call, "")
	if !ok {
		out.Unknown = true
		return out
	}
	for _, q := range run.PendingOf(tx, r) {
		if q.ID == v.Call {
			out.Missing = by.Missing(q.Scopes)
		}
	}
	if len(out.Missing) == 0 {
		o.runs.Answer(tx, run.Answer{Call: v.Call, Approved: v.Approved, Conn: v.Conn, Reason: v.Reason, Claims: v.Claims})
		approval.Remember(tx, out.Past)
	}
	return out
}

// reasonFor returns the reason of a denial as the code or the model is told it that goes on. The words of
// somebody whom nobody has named as an approver would otherwise be told in a turn that works for others: they
// are remembered, and not told.
func (o *Object) reasonFor(asks, answers string, scopes []string, reason string) string {
	if len(scopes) == 0 && !claims.Equal(asks, answers) {
		return ""
	}
	return reason
}

// decideQuestion takes yes or no as the answer to a question of code.
func (o *Object) decideQuestion(tx *durable.Tx, q question.Question, v author.Verdict, out author.Outcome) author.Outcome {
	if q.Open() {
		if out.Missing = claimsOf(v.Claims).Missing(q.Scopes); len(out.Missing) > 0 {
			return out
		}
	}
	err := o.takeAnswer(tx, v.Conn, q, question.Answer{Denied: !v.Approved, Reason: v.Reason, By: out.Past.Person}, v.Claims, 0)
	var refused *answerRefused
	switch {
	case err == nil:
		approval.Remember(tx, out.Past)
	case errors.As(err, &refused) && refused.over:
		out.Over = true
		out.Past = approval.Past{Call: v.Call, Person: refused.by, At: refused.overAt}
	default:
		out.Refused = err
	}
	return out
}

// remember notes the answer to a question of this conversation, which no longer expires.
func (o *Object) remember(tx *durable.Tx, p approval.Past, part protocol.Part) {
	approval.Remember(tx, p)
	if descriptorOf(part).Expires > 0 {
		approval.StopExpiry(tx, p.Call)
	}
}

// verdictReply is the chunk of an answer. It is automatic if nobody has given it.
func verdictReply(v author.Verdict, automatic bool) callAnswer {
	if !v.Approved {
		return callAnswer{protocol.Chunk{Type: protocol.ChunkToolDenied, ToolCallID: v.Call, Reason: v.Reason, Automatic: automatic}, v.Continues}
	}
	return callAnswer{protocol.Chunk{Type: protocol.ChunkToolApproved, ToolCallID: v.Call, ApprovalID: v.Call, Approved: &v.Approved}, v.Continues}
}

// approve takes the frame of a person who answers. A client shows its answer as soon as it sends
// it. So a client whose answer is refused is sent the stored message.
func (o *Object) approve(tx *durable.Tx, e durable.SocketMessage, f protocol.ToolApproval) {
	out := o.decide(tx, author.Verdict{
		Conn: e.Conn, Call: f.CallID, Approved: f.Approved, Reason: f.Reason, Continues: f.Continue,
		Claims: o.granted(e.Claims, agent.TurnInfo{Conn: e.Conn}),
	})
	if len(out.Missing) == 0 {
		return
	}
	if o.loop.IsActive() {
		if _, ok := o.loop.Draft().Fold.Call(f.CallID); ok {
			audience.Send(tx, protocol.MessageUpdated(o.loop.Draft().Message()), e.Conn)
		}
	}
	if p, ok := approval.FindOpen(tx, f.CallID); ok {
		if m, found := message.Load(tx, p.Message); found {
			audience.Send(tx, protocol.MessageUpdated(m), e.Conn)
		}
	}
	_, err := author.Bind.Answered(out)
	audience.Send(tx, protocol.Error(err.Error()), e.Conn)
	tx.Log(durable.Warn, "an answer was refused", "conn", string(e.Conn), "call", f.CallID, "missing", strings.Join(out.Missing, ", "))
}

// expireApproval denies a call that nobody has answered in time. The turn goes on as after the
// answer of a person.
func (o *Object) expireApproval(tx *durable.Tx, call string) {
	part, ok := o.openApproval(tx, call)
	if !ok {
		return
	}
	v := author.Verdict{Call: call, Continues: true, Reason: unanswered(part)}
	o.answer(tx, "", verdictReply(v, true))
	approval.Remember(tx, approval.Past{Call: call, Reason: v.Reason})
}

// unanswered says that nobody has answered the question of a part in time.
func unanswered(part protocol.Part) string {
	d := descriptorOf(part)
	return fmt.Sprintf("nobody has answered within %s", inWords(d.Expires-d.Asked))
}

// inWords says how long a time in milliseconds is.
func inWords(ms int64) string {
	const day = 24 * time.Hour
	d := time.Duration(ms) * time.Millisecond
	switch days := int64(d / day); {
	case d%day != 0 || days == 0:
		return d.String()
	case days == 1:
		return "a day"
	default:
		return fmt.Sprintf("%d days", days)
	}
}
