package chat

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about what can be done with turns that code has submitted.

// Submission is what can be told of a turn that was submitted. Its JSON is public. A turn
// that asks a person for something is completed with that; what comes of the answer is a
// turn of its own.
type Submission struct {
	ID  string `json:"submissionId"`
	Key string `json:"key,omitempty"`
	// Request is the id that the turn has on the wire, Message that of the message with its
	// answer.
	Request string `json:"requestId"`
	Message string `json:"messageId"`
	// Status is pending, running, or final: completed, aborted, skipped or error.
	Status string `json:"status"`
	// Text is what was submitted, Answer what has come of it so far. A list leaves both out.
	Text   string `json:"text,omitempty"`
	Answer string `json:"answer,omitempty"`
	// Failure says in words why there is no answer, or only half of one.
	Failure string `json:"error,omitempty"`
	// Joined says that the submission was there already.
	Joined bool `json:"joined,omitempty"`
	// The times are in milliseconds since 1970, 0 for not yet.
	SubmittedAt int64 `json:"submittedAt"`
	StartedAt   int64 `json:"startedAt,omitempty"`
	EndedAt     int64 `json:"completedAt,omitempty"`
}

// pending is how a turn's status queued is called outside.
const pending = "pending"

func submissionOf(t turn.Turn) Submission {
	s := Submission{
		ID: t.Submission, Key: t.Key, Request: t.Request, Message: t.Reply, Status: string(t.Status), Failure: t.Reason,
		SubmittedAt: t.AcceptedAt, StartedAt: t.StartedAt, EndedAt: t.EndedAt,
	}
	if t.Status == turn.Queued {
		s.Status = pending
	}
	return s
}

// inspect is a submission with all that is known of it.
func (h *Host) inspect(tx *durable.Tx, t turn.Turn) Submission {
	s := submissionOf(t)
	s.Text = turn.Asked(tx, t)
	if h.live != nil && h.live.turn.Seq == t.Seq {
		s.Answer = textOf(h.live.fold.Message())
	} else if m, ok := load(tx, t.Reply); ok {
		s.Answer = textOf(m)
	}
	return s
}

// SubmissionFilter chooses submissions.
type SubmissionFilter struct {
	// Status keeps those of these statuses; none are all.
	Status []string `json:"status"`
	// Limit is how many, the newest of them; 0 is 50, and there are at most 500.
	Limit int `json:"limit"`
}

// statuses are what a submission's status can be called.
var statuses = map[string]turn.Status{
	pending: turn.Queued, "running": turn.Running, "completed": turn.Completed, "aborted": turn.Aborted, "skipped": turn.Skipped, "error": turn.Failed,
}

// Submissions lists submissions, newest first.
func (c *Conversation) Submissions(f SubmissionFilter) ([]Submission, error) {
	filter := turn.Filter{Limit: f.Limit}
	for _, name := range f.Status {
		status, ok := statuses[name]
		if !ok {
			return nil, fmt.Errorf("%.20q is no status of a submission", name)
		}
		filter.Status = append(filter.Status, status)
	}
	list := []Submission{} // never null
	for _, t := range turn.List(c.tx, filter) {
		list = append(list, submissionOf(t))
	}
	return list, nil
}

// Submission tells of one submission.
func (c *Conversation) Submission(id string) (Submission, error) {
	t, err := findSubmission(c.tx, id)
	if err != nil {
		return Submission{}, err
	}
	return c.host.inspect(c.tx, t), nil
}

// CancelSubmission stops the turn of a submission: at once where it has not begun, and
// otherwise when the event is over. One that is final stays what it is. Where it is
// cancelled before its first model call, there is none. The message of one that has not begun
// leaves the conversation.
func (c *Conversation) CancelSubmission(id string) error {
	t, err := findSubmission(c.tx, id)
	switch {
	case err != nil:
		return err
	case t.Status == turn.Queued:
		c.host.abort(c.tx, t)
	case !t.Status.Final():
		c.host.cancelled = append(c.host.cancelled, t.Seq)
	}
	return nil
}

// takeBack takes a submission that was cancelled before it began out of the conversation, where
// every later turn would have the model read it, and the next one perhaps answer it. It stays
// where somebody has asked to have it answered since. It says whether it was taken out.
func takeBack(tx *durable.Tx, t turn.Turn) bool {
	if t.Submission == "" {
		return false
	}
	gone := tx.SQL(`DELETE FROM message WHERE id IN (SELECT value FROM turn, json_each(turn.origin) WHERE seq = ?)
		AND id NOT IN (SELECT value FROM turn, json_each(turn.origin) WHERE seq > ?) RETURNING place`, t.Seq, t.Seq)
	for _, row := range gone {
		forgetWindow(tx, row.Int(0))
	}
	return len(gone) > 0
}

// noticeID begins the ids of messages that code has put into the chat.
const noticeID = "notice-"

// takenBack says whether code has put a message into the chat that is not there any more. A page
// that has not heard of that posts it once more, in front of its own.
func takenBack(id string, have map[string]stored) bool {
	_, isKnown := have[id]
	return !isKnown && strings.HasPrefix(id, noticeID)
}

func findSubmission(tx *durable.Tx, id string) (turn.Turn, error) {
	t, ok := turn.Submitted(tx, id)
	if !ok {
		return t, fmt.Errorf("there is no submission %.80q", id)
	}
	return t, nil
}

// Submissions is [Conversation.Submissions] for a tool's code. What it returns is
// journaled.
func (c *ToolContext) Submissions(f SubmissionFilter) ([]Submission, error) {
	return flow.Step(c, "list submissions", func(tx *durable.Tx) ([]Submission, error) { return c.now(tx).Submissions(f) })
}

// Submission is [Conversation.Submission] for a tool's code. What it returns is journaled.
func (c *ToolContext) Submission(id string) (Submission, error) {
	return flow.Step(c, "inspect submission "+id, func(tx *durable.Tx) (Submission, error) { return c.now(tx).Submission(id) })
}

// CancelSubmission is [Conversation.CancelSubmission] for a tool's code.
func (c *ToolContext) CancelSubmission(id string) error {
	_, err := flow.Step(c, "cancel submission "+id, func(tx *durable.Tx) (any, error) { return nil, c.now(tx).CancelSubmission(id) })
	return err
}
