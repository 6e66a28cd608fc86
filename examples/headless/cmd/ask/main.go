// Command ask talks to an agent from a terminal, over HTTP and one WebSocket.
//
//	go run ./cmd/ask "Research durable execution"   asks, and streams the answer
//	go run ./cmd/ask                                asks every line of its input
//	go run ./cmd/ask -attach                        goes on with the answer that another program has left
//	go run ./cmd/ask -messages                      prints the conversation
//	go run ./cmd/ask -run ID                        follows a run of a helper
//	go run ./cmd/ask -call METHOD                   calls a method of the agent, and prints its result as JSON
//
// The answer goes to the standard output. What helpers do goes to the standard error, a line each. If
// the server restarts meanwhile, the answer goes on where it was.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/tributary-agents/tributary/client"
)

func main() {
	t := terminal{in: bufio.NewReader(os.Stdin), out: os.Stdout, notes: os.Stderr, interruptible: untilInterrupt}
	err := t.run(context.Background(), os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ask:", err)
		os.Exit(1)
	}
}

// untilInterrupt returns a context that ends with an interrupt. Before it and behind it, an interrupt
// ends the program.
func untilInterrupt(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt)
}

func (t terminal) run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("ask", flag.ContinueOnError)
	server := flags.String("url", "http://127.0.0.1:8787", "address of the server")
	agent := flags.String("agent", "Assistant", "the agent")
	name := flags.String("name", "terminal", "name of the conversation")
	attach := flags.Bool("attach", false, "show the answer under way")
	messages := flags.Bool("messages", false, "print the conversation")
	follow := flags.String("run", "", "id of a helper's run to follow")
	method := flags.String("call", "", "method of the agent to call")
	if err := flags.Parse(args); err != nil {
		return err
	}
	conv, err := client.Dial(ctx, *server, client.Options{Agent: *agent, Name: *name, Token: os.Getenv("TRIBUTARY_TOKEN")})
	if err != nil {
		return err
	}
	defer conv.Close()
	t.conv = conv
	switch {
	case *messages:
		return t.messages(ctx)
	case *follow != "":
		return t.follow(ctx, *follow)
	case *method != "":
		result, err := client.Call[json.RawMessage](ctx, conv, *method)
		fmt.Fprintf(t.out, "%s\n", result)
		return err
	case *attach:
		return t.talk(ctx, func(ctx context.Context) ([]client.Chunk, error) { return t.show(conv.Attach(ctx)) })
	case flags.NArg() > 0:
		return t.ask(ctx, strings.Join(flags.Args(), " "))
	}
	return t.askLines(ctx)
}

// terminal is a conversation and the person's side of it.
type terminal struct {
	conv  *client.Conversation
	in    *bufio.Reader
	out   io.Writer
	notes io.Writer
	// interruptible returns a context that a person can end, for one answer.
	interruptible func(context.Context) (context.Context, context.CancelFunc)
}

// askLines asks every line of the input.
func (t terminal) askLines(ctx context.Context) error {
	for {
		fmt.Fprint(t.notes, "> ")
		line, err := t.in.ReadString('\n')
		if question := strings.TrimSpace(line); question != "" {
			if err := t.ask(ctx, question); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// ask asks, and shows the answer.
func (t terminal) ask(ctx context.Context, question string) error {
	return t.talk(ctx, func(ctx context.Context) ([]client.Chunk, error) { return t.show(t.conv.Say(ctx, question)) })
}

// talk shows an answer. A call that a person has to approve ends it; another one follows when the
// person has decided.
func (t terminal) talk(ctx context.Context, show func(context.Context) ([]client.Chunk, error)) error {
	for {
		approvals, err := t.untilStopped(ctx, show)
		if err != nil || len(approvals) == 0 {
			return err
		}
		for _, call := range approvals {
			if err := t.decide(ctx, call); err != nil {
				return err
			}
		}
		show = t.goOn
	}
}

// untilStopped shows an answer. An interrupt stops it, on the server too.
func (t terminal) untilStopped(ctx context.Context, show func(context.Context) ([]client.Chunk, error)) ([]client.Chunk, error) {
	answering, end := t.interruptible(ctx)
	defer end()
	approvals, err := show(answering)
	if errors.Is(err, context.Canceled) {
		return nil, t.conv.Stop(ctx)
	}
	return approvals, err
}

// goOn shows the answer that goes on after a decision. If it has ended already, it is stored.
func (t terminal) goOn(ctx context.Context) ([]client.Chunk, error) {
	approvals, err := t.show(t.conv.Attach(ctx))
	if errors.Is(err, client.ErrIdle) {
		return t.showStored(ctx)
	}
	return approvals, err
}

// showStored prints the last stored message, and returns its calls that wait for a person.
func (t terminal) showStored(ctx context.Context) (approvals []client.Chunk, err error) {
	messages, err := t.conv.Messages(ctx)
	if err != nil || len(messages) == 0 {
		return nil, err
	}
	last := messages[len(messages)-1]
	fmt.Fprintln(t.out, last.Text())
	for _, p := range last.Parts {
		if p.State == "approval-requested" {
			approvals = append(approvals, client.Chunk{Kind: client.Approval, CallID: p.ToolCallID, Tool: p.Tool()})
		}
	}
	return approvals, nil
}

// show streams an answer, and returns the calls that wait for a person.
func (t terminal) show(answer *client.Answer, err error) (approvals []client.Chunk, _ error) {
	if err != nil {
		return nil, err
	}
	shown := -1 // the number of the text that was shown last
	for chunk, err := range answer.Chunks() {
		if err != nil {
			return nil, err
		}
		switch chunk.Kind {
		case client.Text:
			if shown >= 0 && chunk.Part != shown {
				fmt.Fprint(t.out, "\n\n")
			}
			shown = chunk.Part
			fmt.Fprint(t.out, chunk.Text)
		case client.Approval:
			approvals = append(approvals, chunk)
		default:
			if note := noteOf(chunk); note != "" {
				fmt.Fprintln(t.notes, note)
			}
		}
	}
	fmt.Fprintln(t.out)
	return approvals, nil
}

// decide asks the person about a call.
func (t terminal) decide(ctx context.Context, call client.Chunk) error {
	fmt.Fprintf(t.notes, "May %s run? [y/N] ", call.Tool)
	line, err := t.in.ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	return t.conv.Approve(ctx, call.CallID, strings.EqualFold(strings.TrimSpace(line), "y"))
}

// messages prints the conversation.
func (t terminal) messages(ctx context.Context) error {
	messages, err := t.conv.Messages(ctx)
	for _, m := range messages {
		fmt.Fprintf(t.out, "%s: %s\n", m.Role, m.Text())
	}
	return err
}

// follow shows a helper's run from its beginning to its end.
func (t terminal) follow(ctx context.Context, id string) error {
	for event, err := range t.conv.Run(ctx, id) {
		if err != nil {
			return err
		}
		if event.Kind == client.RunChunk && event.Chunk.Kind == client.Text {
			fmt.Fprint(t.out, event.Chunk.Text)
		} else if note := noteOfRun(event); note != "" {
			fmt.Fprintln(t.notes, note)
		}
	}
	fmt.Fprintln(t.out)
	return nil
}

// noteOf returns the line that shows a chunk, or "".
func noteOf(c client.Chunk) string {
	switch c.Kind {
	case client.ToolCall:
		return fmt.Sprintf("[%s %s]", c.Tool, c.Input)
	case client.ToolError:
		return fmt.Sprintf("[%s failed: %s]", c.Tool, c.Err)
	case client.File:
		return fmt.Sprintf("[a picture, %s]", c.MediaType)
	case client.Helper:
		return noteOfRun(*c.Event)
	}
	return ""
}

// noteOfRun returns the line that shows what a helper does, or "".
func noteOfRun(e client.RunEvent) string {
	switch e.Kind {
	case client.RunStarted:
		return fmt.Sprintf("  %s: %s begins", e.RunID, e.Agent)
	case client.RunProgress:
		return fmt.Sprintf("  %s: %.0f %% %s", e.RunID, 100*e.Progress.Fraction, e.Progress.Message)
	case client.RunMilestone:
		return fmt.Sprintf("  %s: %s", e.RunID, e.Milestone.Name)
	case client.RunFinished:
		return fmt.Sprintf("  %s: finished", e.RunID)
	case client.RunFailed, client.RunAborted, client.RunInterrupted:
		return fmt.Sprintf("  %s: %s: %s", e.RunID, e.Kind, e.Reason)
	case client.RunChunk:
		if note := noteOf(e.Chunk); note != "" {
			return fmt.Sprintf("  %s: %s", e.RunID, note)
		}
	}
	return ""
}
