package agents

import "github.com/tributary-agents/tributary/durable/agent"

// Assistant is the agent that people talk to. Each of its conversations is a Durable Object.
var Assistant = agent.Agent{
	Name:  "Assistant",
	Title: "Assistant",
	// The description and the suggestions are what the page shows before the first message.
	Description: "I answer questions, and have a researcher look things up in the notes of this project.",
	Suggestions: []string{"What can you do?", "Research durable execution", "Research tools"},
	Instructions: "You are a helpful assistant. Answer clearly and to the point, in the language of the question. " +
		"Have a researcher look things up where that serves the answer.",
	Tools: []agent.Tool{
		// A helper as a tool: each call is a run of the Researcher, with a conversation of its own.
		agent.AgentTool[question](Researcher, "research", "Has a researcher look something up and report."),
	},
}
