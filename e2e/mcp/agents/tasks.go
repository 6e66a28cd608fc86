package agents

import (
	"errors"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

type greeting struct {
	Name string `json:"name"`
}

type duration struct {
	Seconds float64 `json:"seconds,omitempty"`
	Label   string  `json:"label,omitempty"`
}

type file struct {
	Filename string `json:"filename,omitempty"`
}

var tasks = []agent.Tool{
	agent.NewTool("greet", "Greets.", func(_ *agent.Context, in greeting) (string, error) { return "Hello, " + in.Name + "!", nil }),
	agent.NewTool("slow_compute", "Sleeps.", func(c *agent.Context, in duration) (string, error) {
		return fmt.Sprintf("computed for %v seconds", in.Seconds), flow.Sleep(c, time.Duration(in.Seconds*float64(time.Second)))
	}),
	agent.NewTool("failing_job", "Fails after a second.", func(c *agent.Context, _ none) (string, error) {
		if err := flow.Sleep(c, time.Second); err != nil {
			return "", err
		}
		return "", errors.New("the job has failed")
	}),
	agent.NewTool("protocol_error_job", "Fails outside of its work.", func(c *agent.Context, _ none) (string, error) {
		if err := flow.Sleep(c, 100*time.Millisecond); err != nil {
			return "", err
		}
		return "", &agent.ProtocolError{Code: -32603, Message: "the job was lost"}
	}),
	agent.NewTool("confirm_delete", "Deletes a file that is confirmed.", func(c *agent.Context, in file) (string, error) {
		sure, err := ask(c, "confirm", "Delete "+in.Filename+"?", "confirm", "boolean")
		return fmt.Sprintf("deleted %s: %v", in.Filename, sure), err
	}),
	agent.NewTool("multi_input", "Asks two questions.", func(c *agent.Context, _ none) (string, error) {
		one := flow.Go(c, "one", func() (any, error) { return ask(c, "one", "One?", "value", "string") })
		two, err := ask(c, "two", "Two?", "value", "string")
		if err != nil {
			return "", err
		}
		first, err := one.Wait()
		return fmt.Sprint(first, two), err
	}),
	agent.NewTool("test_tool_with_task", "Asks, and takes long.", func(c *agent.Context, _ none) (string, error) {
		name, err := ask(c, "user_name", "What is your name?", "name", "string")
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("Hello, %v", name), flow.Sleep(c, 300*time.Millisecond)
	}),
}
