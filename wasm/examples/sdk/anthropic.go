package main

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow/transport"
)

// anthropicService is Anthropic's Messages over the tool's own requests. It is made
// without the client around it, which looks for keys in files and variables.
func anthropicService(c *agent.Context) anthropic.MessageService {
	secret := durable.Header{Name: "X-Api-Key", Secret: "ANTHROPIC_API_KEY"}
	client := transport.Transport{Awaiter: c, Secrets: []durable.Header{secret}, Repeatable: true}.Client()
	return anthropic.NewMessageService(
		option.WithBaseURL("https://api.anthropic.com/"), option.WithHTTPClient(client), option.WithMaxRetries(0),
	)
}

func anthropicParams(in question) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 1000,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(in.Text))},
	}
}

func anthropicAnswer(c *agent.Context, in question) (string, error) {
	service := anthropicService(c)
	answer, err := service.New(context.Background(), anthropicParams(in))
	if err != nil {
		return "", err
	}
	return answer.Content[0].Text, nil
}

// anthropicStream reads a stream, which is there as a whole by then.
func anthropicStream(c *agent.Context, in question) (string, error) {
	service := anthropicService(c)
	stream := service.NewStreaming(context.Background(), anthropicParams(in))
	defer stream.Close()
	var answer anthropic.Message
	for stream.Next() {
		if err := answer.Accumulate(stream.Current()); err != nil {
			return "", err
		}
	}
	if err := stream.Err(); err != nil {
		return "", err
	}
	return answer.Content[0].Text, nil
}
