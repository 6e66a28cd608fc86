package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/tributary-agents/tributary/client"
)

// A program asks, streams the answer, and shows what helpers do.
func Example() {
	ctx := context.Background()
	conv, err := client.Dial(ctx, "http://127.0.0.1:8787", client.Options{Agent: "Assistant", Name: "monday"})
	if err != nil {
		log.Fatal(err)
	}
	defer conv.Close()
	answer, err := conv.Say(ctx, "Research tea")
	if err != nil {
		log.Fatal(err)
	}
	for chunk, err := range answer.Chunks() {
		if err != nil {
			log.Fatal(err)
		}
		switch chunk.Kind {
		case client.Text:
			fmt.Print(chunk.Text)
		case client.Helper:
			log.Print(chunk.Event.RunID, " ", chunk.Event.Kind)
		}
	}
}

// A program that needs the whole answer only, and knows what to do about a token that has expired.
func ExampleAnswer_Text() {
	ask := func(ctx context.Context, conv *client.Conversation) (string, error) {
		answer, err := conv.Say(ctx, "What is the time in Oslo?")
		if err != nil {
			return "", err
		}
		text, err := answer.Text(ctx)
		if errors.Is(err, client.ErrUnauthorized) {
			return "", errors.New("the token has expired: log in again")
		}
		return text, err
	}
	_ = ask
}

// A method of the agent is called with its arguments, and decodes its result.
func ExampleCall() {
	usage := func(ctx context.Context, conv *client.Conversation) (tokens int, err error) {
		type usage struct{ InputTokens, OutputTokens int }
		used, err := client.Call[usage](ctx, conv, "usage")
		var failed *client.CallError
		if errors.As(err, &failed) {
			return 0, fmt.Errorf("the agent says: %s", failed.Message)
		}
		return used.InputTokens + used.OutputTokens, err
	}
	_ = usage
}

// A program decides about a call that needs approval, and follows the answer that goes on.
func ExampleConversation_Approve() {
	decide := func(ctx context.Context, conv *client.Conversation, call client.Chunk) (*client.Answer, error) {
		if err := conv.Approve(ctx, call.CallID, call.Tool != "delete"); err != nil {
			return nil, err
		}
		answer, err := conv.Attach(ctx)
		if errors.Is(err, client.ErrIdle) {
			log.Print("the answer has ended already, it is stored") // see Messages
		}
		return answer, err
	}
	_ = decide
}

// A run of a helper is followed from its beginning to its end, also after it has ended.
func ExampleConversation_Run() {
	follow := func(ctx context.Context, conv *client.Conversation, id string) (summary string, err error) {
		for event, err := range conv.Run(ctx, id) {
			switch {
			case err != nil:
				return "", err
			case event.Kind == client.RunProgress:
				log.Printf("%.0f %% %s", 100*event.Progress.Fraction, event.Progress.Message)
			case event.Kind == client.RunFinished:
				summary = event.Summary
			case event.End():
				return "", errors.New(event.Reason)
			}
		}
		return summary, nil
	}
	_ = follow
}
