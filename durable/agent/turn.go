package agent

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about how code requests a turn.

// Mode says how the requester of a turn learns of its result.
type Mode string

// The modes. Only a [Call] can wait for a turn, see [Call.RunTurn].
const (
	// Submit returns at once, with the submission in its state at that time. It is the default.
	Submit Mode = "submit"
	// Wait answers when the turn is final.
	Wait Mode = "wait"
	// Stream is like Wait, but sends the turn's chunks as they come, before the answer.
	Stream Mode = "stream"
)

// ErrCannotWait is the error of a mode that waits, where the code cannot wait.
var ErrCannotWait = errors.New("a turn cannot be waited for here: a tool and a hook are part of a turn, and the next one begins only " +
	"when that has ended; submit it, with the mode submit, and ask later what came of it")

// TurnRequest describes a turn that code requests.
type TurnRequest struct {
	// Text is the message that the turn answers, as if a person had sent it. It has 1 byte to 64
	// KiB.
	Text string `json:"text"`
	// Mode says how the requester learns of the result. "" means [Submit].
	Mode Mode `json:"mode,omitempty"`
	// ID names the submission. If it is "", an id is generated. Key is another name, of the
	// caller's own, or "". Both have at most 100 bytes. If a submission with the id or the key
	// exists and has the same text, it is joined. If it has another text, that is an error.
	ID  string `json:"id,omitempty"`
	Key string `json:"key,omitempty"`
}

// RunTurn has the model answer a message in a turn of its own, behind the turns that are queued. It
// returns at once, and the turn begins when the event is over. For a mode that waits it returns
// [ErrCannotWait].
func (c *Conversation) RunTurn(r TurnRequest) (Submission, error) {
	if cmp.Or(r.Mode, Submit) != Submit {
		return Submission{}, r.cannotWait()
	}
	t, joined, err := c.object.Submit(c.tx, r.author(c.acting()))
	if err != nil {
		return Submission{}, err
	}
	s := submissionOf(t)
	s.Joined = joined
	return s, nil
}

func (r TurnRequest) author(claims string) author.TurnRequest {
	return author.TurnRequest{Text: r.Text, ID: r.ID, Key: r.Key, Claims: claims}
}

func (r TurnRequest) cannotWait() error {
	if r.Mode != Wait && r.Mode != Stream {
		return fmt.Errorf("%.20q is no mode: submit, wait and stream are", r.Mode)
	}
	return ErrCannotWait
}

// Notify puts a message into the chat, as if the person had sent it. The model answers it in a turn
// of its own. The text has 1 byte to 64 KiB; any other is an error.
func (c *Conversation) Notify(text string) error {
	return c.object.Notify(c.tx, text, c.acting())
}

// Narrate has the agent say a text in a message of its own. No model is asked. The message comes
// after the turns that are queued already. The text has 1 byte to 64 KiB; any other is an error.
func (c *Conversation) Narrate(text string) error {
	return c.object.Narrate(c.tx, text)
}

// RunTurn is [Conversation.RunTurn] for a tool's code. Its result is journaled, so that a replay
// does not submit the turn again.
func (c *Context) RunTurn(r TurnRequest) (Submission, error) {
	if cmp.Or(r.Mode, Submit) != Submit {
		return Submission{}, r.cannotWait()
	}
	return flow.Step(c, "submit a turn", func(tx *durable.Tx) (Submission, error) { return c.now(tx).RunTurn(r) })
}

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
