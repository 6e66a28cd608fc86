package agents

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable/agent"
)

// user returns a message of a person.
func user(b agent.Block) agent.PromptMessage { return agent.PromptMessage{Role: "user", Content: b} }

// prompt makes a prompt whose messages depend on its arguments alone.
func prompt(name string, arguments []string, messages func(arguments map[string]string) []agent.PromptMessage) agent.PromptTemplate {
	p := agent.PromptTemplate{
		Name: name, Description: "A prompt for tests.",
		Messages: func(_ *agent.Context, arguments map[string]string) ([]agent.PromptMessage, error) {
			return messages(arguments), nil
		},
		Complete: func(_, _ string, _ map[string]string) []string { return []string{"paris", "park", "party"} },
	}
	for _, a := range arguments {
		p.Arguments = append(p.Arguments, agent.PromptArgument{Name: a, Description: "An argument for tests.", Required: true})
	}
	return p
}

var prompts = []agent.PromptTemplate{
	prompt("test_simple_prompt", nil, func(map[string]string) []agent.PromptMessage {
		return []agent.PromptMessage{user(agent.TextBlock("This is a simple prompt for testing."))}
	}),
	prompt("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(a map[string]string) []agent.PromptMessage {
		return []agent.PromptMessage{user(agent.TextBlock(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"])))}
	}),
	prompt("test_prompt_with_embedded_resource", []string{"resourceUri"}, func(a map[string]string) []agent.PromptMessage {
		return []agent.PromptMessage{
			user(agent.ResourceBlock(a["resourceUri"], "text/plain", "Embedded resource content for testing.")),
			user(agent.TextBlock("Please process the embedded resource above.")),
		}
	}),
	prompt("test_prompt_with_image", nil, func(map[string]string) []agent.PromptMessage {
		return []agent.PromptMessage{user(agent.ImageBlock("image/png", png)), user(agent.TextBlock("Please analyze the image above."))}
	}),
	{
		Name: "test_input_required_result_prompt", Description: "A prompt that asks.",
		Messages: func(c *agent.Context, _ map[string]string) ([]agent.PromptMessage, error) {
			context, err := ask(c, "user_context", "What context should the prompt use?", "context", "string")
			return []agent.PromptMessage{user(agent.TextBlock(fmt.Sprint("The context: ", context)))}, err
		},
	},
}

var documents = []agent.Document{
	{
		URI: "test://static-text", Name: "text", Description: "A text.", MIME: "text/plain",
		Read: func(*agent.Conversation, string, map[string]string) (string, []byte, bool, error) {
			return "This is the content of the static text resource.", nil, true, nil
		},
	},
	{
		URI: "test://static-binary", Name: "picture", Description: "A picture.", MIME: "image/png",
		Read: func(*agent.Conversation, string, map[string]string) (string, []byte, bool, error) {
			return "", png, true, nil
		},
	},
	{
		URI: "test://watched-resource", Name: "watched", Description: "A text that is watched.", MIME: "text/plain",
		Read: func(*agent.Conversation, string, map[string]string) (string, []byte, bool, error) {
			return "watched", nil, true, nil
		},
	},
	{
		Template: "test://template/{id}/data", Name: "data", Description: "A document of each id.", MIME: "application/json",
		Read: func(_ *agent.Conversation, _ string, vars map[string]string) (string, []byte, bool, error) {
			return fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, vars["id"], vars["id"]), nil, true, nil
		},
	},
}
