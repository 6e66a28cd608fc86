package chattest

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

// clerk is a conversation that takes submissions in every way: by methods, from the tool submit,
// whose words are the mode and the id, and from a hook that reacts to certain words in a question.
var clerk = chat.Agent{
	Class: "Clerk", Model: Providers.Open, Methods: submissions,
	Tools: []chat.Tool{{Name: "submit", Schema: words, Run: submit}},
	Hooks: chat.Hooks{BeforeStep: second},
}

var submissions = map[string]chat.Method{
	"runTurn":     runTurn,
	"usage":       func(c *chat.Call) (any, error) { return c.Usage(), nil },
	"submission":  about(func(c *chat.Call, id string) (any, error) { return c.Submission(id) }),
	"cancel":      about(func(c *chat.Call, id string) (any, error) { return nil, c.CancelSubmission(id) }),
	"submissions": listSubmissions,
	"trap":        trap,
	// regret cancels the submission that it has just made.
	"regret": about(func(c *chat.Call, id string) (any, error) {
		if _, err := c.Conversation.RunTurn(chat.TurnRequest{Text: "never mind chunks=1", ID: id}); err != nil {
			return nil, err
		}
		return nil, c.CancelSubmission(id)
	}),
	// forget has the caller wait, and answers the caller all the same.
	"forget": about(func(c *chat.Call, id string) (any, error) {
		if _, err := c.RunTurn(chat.TurnRequest{Text: "chunks=1", ID: id, Mode: chat.Wait}); err != nil {
			return nil, err
		}
		return nil, errors.New("it was not worth the wait")
	}),
}

func runTurn(c *chat.Call) (any, error) {
	var r chat.TurnRequest
	if err := c.Arg(0, &r); err != nil {
		return nil, err
	}
	return c.RunTurn(r)
}

func listSubmissions(c *chat.Call) (any, error) {
	var f chat.SubmissionFilter
	if c.Len() > 0 {
		if err := c.Arg(0, &f); err != nil {
			return nil, err
		}
	}
	return c.Submissions(f)
}

// submit submits a turn, sleeps after that if it is asked to, and looks up the submission.
func submit(c *chat.ToolContext, input json.RawMessage) (json.RawMessage, error) {
	var in struct{ Words string }
	if err := json.Unmarshal(input, &in); err != nil {
		return nil, err
	}
	r := chat.TurnRequest{Text: "by a tool chunks=1", ID: "tool-1"}
	for word := range strings.FieldsSeq(in.Words) {
		switch key, value, _ := strings.Cut(word, ":"); key {
		case "mode":
			r.Mode = chat.Mode(value)
		case "stop":
			return json.RawMessage(`"stopped"`), c.CancelSubmission(value)
		}
	}
	if _, err := c.RunTurn(r); err != nil {
		return nil, err
	}
	if err := flow.Sleep(c, time.Minute); err != nil {
		return nil, err
	}
	s, err := c.Submission(r.ID)
	if err != nil {
		return nil, err
	}
	return json.Marshal(s)
}

// lastOf returns the last message that the model is sent, or an empty one if damage has left none.
func lastOf(messages []model.Message) model.Message {
	if len(messages) == 0 {
		return model.Message{}
	}
	return messages[len(messages)-1]
}

// second requests a second turn, or cancels the current one, if the question has the words for it.
func second(c *chat.Conversation, s *chat.StepRequest) error {
	for _, content := range lastOf(s.Messages).Content {
		text, _ := content.(model.Text)
		switch {
		case strings.Contains(text.Text, "another"):
			_, err := c.RunTurn(chat.TurnRequest{Text: "by a hook chunks=1", ID: "hook-1"})
			return err
		case strings.Contains(text.Text, "impatient"):
			_, err := c.RunTurn(chat.TurnRequest{Text: "by a hook chunks=1", Mode: chat.Wait})
			return err
		case strings.Contains(text.Text, "hopeless"):
			return c.CancelSubmission(s.Submission)
		}
	}
	return nil
}

// latest, merging, dropping and debouncing are conversations with the policies of these names.
var (
	latest     = chat.Agent{Class: "Latest", Model: Providers.Open, Methods: submissions, DuringTurn: turn.Latest}
	merging    = chat.Agent{Class: "Merging", Model: Providers.Open, DuringTurn: turn.Merge}
	dropping   = chat.Agent{Class: "Dropping", Model: Providers.Open, DuringTurn: turn.Drop}
	debouncing = chat.Agent{Class: "Debouncing", Model: Providers.Open, Methods: submissions, DuringTurn: turn.Debounce}
)
