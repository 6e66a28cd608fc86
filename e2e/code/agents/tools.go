package agents

import (
	"strings"
	"sync/atomic"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// tools are the tools of all agents.
var tools = []agent.Tool{
	agent.NewTool("post", "Posts words, at most once.", post),
	agent.NewTool("repost", "Posts words under a key by which the server knows them.", repost),
	agent.NewTool("freeze", "Posts words, and never comes to an end.", freeze),
	agent.NewTool("book", "Books what a person approves.", repost).NeedsApproval(nil),
	agent.NewTool("confirm", "Asks a person.", confirm),
	agent.NewTool("echo", "Repeats words.", echo),
	agent.NewTool("echo-twice", "Repeats words twice.", echoTwice),
	agent.NewTool("large", "Returns a text of so many KiB.", large),
	agent.NewTool("retired", "Is in one of two deployments.", echo).When(func(vars map[string]string) bool { return vars["RETIRED"] == "" }),
	agent.AgentTool[said](Reader, "research", "Has a helper look something up."),
}

// letter is what a tool posts. The URL is the counting server's, with a path.
type letter struct {
	URL   string `json:"url"`
	Words string `json:"words,omitempty"`
}

// send posts a letter, and returns the answer.
func (l letter) send(c flow.Awaiter, options ...flow.FetchOption) (string, error) {
	r, err := flow.Fetch(c, flow.Request{Method: "POST", URL: l.URL, Body: []byte(l.Words)}, options...)
	return string(r.Body), err
}

func post(c *agent.Context, in letter) (string, error) { return in.send(c) }

func repost(c *agent.Context, in letter) (string, error) { return in.send(c, agent.Idempotent()) }

// said is what a tool, a helper or a person is told.
type said struct {
	Words string `json:"words"`
}

// freeze keeps the process busy in the event that brings the answer to its letter. Only a kill ends it.
func freeze(c *agent.Context, in letter) (string, error) {
	if _, err := in.send(c, agent.Idempotent()); err != nil {
		return "", err
	}
	for !thawed.Load() {
		continue
	}
	return "thawed", nil
}

// thawed is never set.
var thawed atomic.Bool

// decision is what a person has decided.
type decision struct {
	Yes    bool   `json:"yes"`
	Reason string `json:"reason"`
}

func confirm(c *agent.Context, in said) (decision, error) {
	answer, err := agent.Ask[bool](c, agent.Question{Title: in.Words})
	return decision{answer.Value, answer.Reason}, err
}

func echo(_ *agent.Context, in said) (said, error) { return in, nil }

func echoTwice(_ *agent.Context, in said) (said, error) { return said{in.Words + in.Words}, nil }

// size is how large a text is to be.
type size struct {
	KiB int `json:"kib"`
}

func large(_ *agent.Context, in size) (string, error) { return strings.Repeat("x", in.KiB<<10), nil }
