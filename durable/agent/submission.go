package agent

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about submissions: turns that code requests.

// Submission is the public view of a turn that code has requested with RunTurn. Its JSON is public.
// A turn that asks a person for something is completed when it asks. The answer is handled by a
// turn of its own.
type Submission struct {
	ID  string `json:"submissionId"`
	Key string `json:"key,omitempty"`
	// Request is the id of the turn on the wire. Message is the id of the message with its answer.
	Request string `json:"requestId"`
	Message string `json:"messageId"`
	// Status is pending, running, or final: completed, aborted, skipped or error.
	Status string `json:"status"`
	// Text is the submitted text, Answer the answer so far. A list leaves both out.
	Text   string `json:"text,omitempty"`
	Answer string `json:"answer,omitempty"`
	// Failure says in words why the answer is missing or incomplete.
	Failure string `json:"error,omitempty"`
	// Joined says that the submission existed already.
	Joined bool `json:"joined,omitempty"`
	// The times are in milliseconds since 1970, 0 for not yet.
	SubmittedAt int64 `json:"submittedAt"`
	StartedAt   int64 `json:"startedAt,omitempty"`
	EndedAt     int64 `json:"completedAt,omitempty"`
}

// pending is the public name of a turn's status queued.
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

// whole returns a submission with all its fields.
func whole(o author.Object, tx *durable.Tx, t turn.Turn) Submission {
	s := submissionOf(t)
	s.Text, s.Answer = turn.SubmittedText(tx, t), o.Answer(tx, t)
	return s
}

// SubmissionFilter chooses submissions.
type SubmissionFilter struct {
	// Status keeps the submissions with these statuses. An empty list keeps all.
	Status []string `json:"status"`
	// Limit is how many of the newest are listed: 50 if it is 0, and at most 500.
	Limit int `json:"limit"`
}

// statuses maps the public names of a submission's status.
var statuses = map[string]turn.Status{
	pending: turn.Queued, "running": turn.Running, "completed": turn.Completed, "aborted": turn.Aborted, "skipped": turn.Skipped, "error": turn.Failed,
}

// Submissions lists submissions, newest first and without their texts and answers. Its error names
// a status in the filter that does not exist.
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

// Submission returns one submission by its id, with its text and answer. Its error says that there
// is no such submission.
func (c *Conversation) Submission(id string) (Submission, error) {
	t, err := findSubmission(c.tx, id)
	if err != nil {
		return Submission{}, err
	}
	return whole(c.object, c.tx, t), nil
}

// CancelSubmission stops the turn of a submission. A turn that has not begun is stopped at once and
// its message leaves the conversation. An active turn is stopped when the event is over. If it is
// cancelled before its first model call, no call is made. A final submission stays as it is. The
// error says that there is no such submission.
func (c *Conversation) CancelSubmission(id string) error {
	t, err := findSubmission(c.tx, id)
	if err == nil && !t.Status.Final() {
		c.object.Cancel(c.tx, t)
	}
	return err
}

func findSubmission(tx *durable.Tx, id string) (turn.Turn, error) {
	t, ok := turn.Submitted(tx, id)
	if !ok {
		return t, fmt.Errorf("there is no submission %.80q", id)
	}
	return t, nil
}

// Submissions is [Conversation.Submissions] for a tool's code. What it returns is journaled.
func (c *Context) Submissions(f SubmissionFilter) ([]Submission, error) {
	return flow.Step(c, "list submissions", func(tx *durable.Tx) ([]Submission, error) { return c.now(tx).Submissions(f) })
}

// Submission is [Conversation.Submission] for a tool's code. What it returns is journaled.
func (c *Context) Submission(id string) (Submission, error) {
	return flow.Step(c, "inspect submission "+id, func(tx *durable.Tx) (Submission, error) { return c.now(tx).Submission(id) })
}

// CancelSubmission is [Conversation.CancelSubmission] for a tool's code.
func (c *Context) CancelSubmission(id string) error {
	_, err := flow.Step(c, "cancel submission "+id, func(tx *durable.Tx) (any, error) { return nil, c.now(tx).CancelSubmission(id) })
	return err
}
