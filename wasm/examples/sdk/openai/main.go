// Command openai is a module whose agent asks a model through OpenAI's own SDK, in its tools.
package main

import (
	"context"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow/transport"
	"github.com/tributary-agents/tributary/wasm/examples/sdk/asker"
	"github.com/tributary-agents/tributary/wasm/guest"
)

func init() { guest.Serve(asker.Class(answer, stream)) }

func main() {}

// service is OpenAI's chat completions, over the requests of the tool. It has no retries, because a
// retry would sleep within an event. A tool can retry after a flow.Sleep. The key is the name of a
// secret.
func service(c *agent.Context) openai.ChatCompletionService {
	secret := durable.Header{Name: "Authorization", Value: "Bearer ", Secret: "OPENAI_API_KEY"}
	client := transport.Transport{Awaiter: c, Secrets: []durable.Header{secret}, Repeatable: true}.Client()
	return openai.NewChatCompletionService(
		option.WithBaseURL("https://api.openai.com/v1/"), option.WithHTTPClient(client), option.WithMaxRetries(0),
	)
}

func params(in asker.Question) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model: "gpt-4.1-mini", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(in.Text)},
	}
}

func answer(c *agent.Context, in asker.Question) (string, error) {
	messages := service(c)
	got, err := messages.New(context.Background(), params(in))
	if err != nil {
		return "", err
	}
	return got.Choices[0].Message.Content, nil
}

// stream reads a stream. All of it has arrived by then.
func stream(c *agent.Context, in asker.Question) (string, error) {
	messages := service(c)
	events := messages.NewStreaming(context.Background(), params(in))
	defer events.Close()
	var said strings.Builder
	for events.Next() {
		for _, choice := range events.Current().Choices {
			said.WriteString(choice.Delta.Content)
		}
	}
	return said.String(), events.Err()
}
