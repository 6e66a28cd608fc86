package chattest

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

// clerk is a conversation that takes submissions in every way: by methods, from the tool submit,
// whose words are the mode and the id, and from a hook that reacts to certain words in a question.
var clerk = agent.Agent{
	Name: "Clerk", Methods: submissions,
	Tools: []agent.Tool{{Name: "submit", Schema: words, Run: submit}},
	Hooks: agent.Hooks{BeforeStep: second},
}

var submissions = map[string]agent.Method{
	"runTurn":     runTurn,
	"usage":       func(c *agent.Call) (any, error) { return c.Usage(), nil },
	"submission":  about(func(c *agent.Call, id string) (any, error) { return c.Submission(id) }),
	"cancel":      about(func(c *agent.Call, id string) (any, error) { return nil, c.CancelSubmission(id) }),
	"submissions": listSubmissions,
	"trap":        trap,
	// regret cancels the submission that it has just made.
	"regret": about(func(c *agent.Call, id string) (any, error) {
		if _, err := c.Conversation.RunTurn(agent.TurnRequest{Text: "never mind chunks=1", ID: id}); err != nil {
			return nil, err
		}
		return nil, c.CancelSubmission(id)
	}),
	// forget has the caller wait, and answers the caller all the same.
	"forget": about(func(c *agent.Call, id string) (any, error) {
		if _, err := c.RunTurn(agent.TurnRequest{Text: "chunks=1", ID: id, Mode: agent.Wait}); err != nil {
			return nil, err
		}
		return nil, errors.New("it was not worth the wait")
	}),
}

func runTurn(c *agent.Call) (any, error) {
	var r agent.TurnRequest
	if err := c.Arg(0, &r); err != nil {
		return nil, err
	}
	return c.RunTurn(r)
}

func listSubmissions(c *agent.Call) (any, error) {
	var f agent.SubmissionFilter
	if c.Len() > 0 {
		if err := c.Arg(0, &f); err != nil {
			return nil, err
		}
	}
	return c.Submissions(f)
}

// submit submits a turn, sleeps after that if it is asked to, and looks up the submission.
func submit(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	var in struct{ Words string }
	if err := json.Unmarshal(input, &in); err != nil {
		return nil, err
	}
	r := agent.TurnRequest{Text: "by a tool chunks=1", ID: "tool-1"}
	for word := range strings.FieldsSeq(in.Words) {
		switch key, value, _ := strings.Cut(word, ":"); key {
		case "mode":
			r.Mode = agent.Mode(value)
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
func second(c *agent.Conversation, s *agent.StepRequest) error {
	for _, content := range lastOf(s.Messages).Content {
		text, _ := content.(model.Text)
		switch {
		case strings.Contains(text.Text, "another"):
			_, err := c.RunTurn(agent.TurnRequest{Text: "by a hook chunks=1", ID: "hook-1"})
			return err
		case strings.Contains(text.Text, "impatient"):
			_, err := c.RunTurn(agent.TurnRequest{Text: "by a hook chunks=1", Mode: agent.Wait})
			return err
		case strings.Contains(text.Text, "hopeless"):
			return c.CancelSubmission(s.Submission)
		}
	}
	return nil
}

// latest, merging, dropping and debouncing are conversations with the policies of these names.
var (
	latest     = agent.Agent{Name: "Latest", Methods: submissions, DuringTurn: turn.Latest}
	merging    = agent.Agent{Name: "Merging", DuringTurn: turn.Merge}
	dropping   = agent.Agent{Name: "Dropping", DuringTurn: turn.Drop}
	debouncing = agent.Agent{Name: "Debouncing", Methods: submissions, DuringTurn: turn.Debounce}
)
