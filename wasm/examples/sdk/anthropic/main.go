// Command anthropic is a module whose agent asks a model through Anthropic's own SDK, in its tools.
package main

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow/transport"
	"github.com/tributary-agents/tributary/wasm/examples/sdk/asker"
	"github.com/tributary-agents/tributary/wasm/guest"
)

func init() { guest.Serve(asker.Class(answer, stream)) }

func main() {}

// service is Anthropic's Messages, over the requests of the tool. It is made without the SDK's
// client, which would look for keys in files and variables.
func service(c *agent.Context) anthropic.MessageService {
	secret := durable.Header{Name: "X-Api-Key", Secret: "ANTHROPIC_API_KEY"}
	client := transport.Transport{Awaiter: c, Secrets: []durable.Header{secret}, Repeatable: true}.Client()
	return anthropic.NewMessageService(
		option.WithBaseURL("https://api.anthropic.com/"), option.WithHTTPClient(client), option.WithMaxRetries(0),
	)
}

func params(in asker.Question) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 1000,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(in.Text))},
	}
}

func answer(c *agent.Context, in asker.Question) (string, error) {
	messages := service(c)
	got, err := messages.New(context.Background(), params(in))
	if err != nil {
		return "", err
	}
	return got.Content[0].Text, nil
}

// stream reads a stream. All of it has arrived by then.
func stream(c *agent.Context, in asker.Question) (string, error) {
	messages := service(c)
	events := messages.NewStreaming(context.Background(), params(in))
	defer events.Close()
	var got anthropic.Message
	for events.Next() {
		if err := got.Accumulate(events.Current()); err != nil {
			return "", err
		}
	}
	if err := events.Err(); err != nil {
		return "", err
	}
	return got.Content[0].Text, nil
}
