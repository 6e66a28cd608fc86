package agents

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// object is JSON that is sent as it is.
type object = map[string]any

// question asks the client's model.
func question(text string) object {
	return object{"messages": []object{{"role": "user", "content": object{"type": "text", "text": text}}}, "maxTokens": 100}
}

// ask asks for one field of a form, and returns its value.
func ask(c *agent.Context, name, message, field, kind string) (value any, err error) {
	form := object{"type": "object", "properties": object{field: object{"type": kind}}, "required": []string{field}}
	data, err := agent.AskClient(c, name, agent.Elicit, object{"mode": "form", "message": message, "requestedSchema": form})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Action  string
		Content map[string]any
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, err
	}
	return answer.Content[field], nil
}

// sample asks the client's model, and returns its text.
func sample(c *agent.Context, name, text string) (string, error) {
	data, err := agent.AskClient(c, name, agent.Sample, question(text))
	if err != nil {
		return "", err
	}
	var answer struct{ Content struct{ Text string } }
	return answer.Content.Text, json.Unmarshal(data, &answer)
}

// asks makes a tool that asks for a field.
func asks(tool, name, message, field, kind, says string) agent.Tool {
	return agent.NewTool(tool, "Asks.", func(c *agent.Context, _ none) (string, error) {
		value, err := ask(c, name, message, field, kind)
		return fmt.Sprintf(says, value), err
	})
}

var asking = []agent.Tool{
	asks("test_input_required_result_elicitation", "user_name", "What is your name?", "name", "string", "Hello, %v!"),
	asks("test_input_required_result_request_state", "confirm", "Please confirm", "ok", "boolean", "state-ok %v"),
	asks("test_input_required_result_tampered_state", "confirm", "Please confirm", "ok", "boolean", "state-ok %v"),
	agent.NewTool("test_input_required_result_sampling", "Asks the model.", func(c *agent.Context, _ none) (string, error) {
		return sample(c, "capital_question", "What is the capital of France?")
	}),
	asks("test_streaming_elicitation", "user_name", "What is your name?", "name", "string", "Hello, %v!"),
	agent.NewTool("test_input_required_result_list_roots", "Asks for roots.", func(c *agent.Context, _ none) (string, error) {
		data, err := agent.AskClient(c, "client_roots", agent.ListRoots, object{})
		return string(data), err
	}),
	agent.NewTool("test_input_required_result_multiple_inputs", "Asks three questions.", multiple),
	agent.NewTool("test_input_required_result_multi_round", "Asks twice.", func(c *agent.Context, _ none) (string, error) {
		name, err := ask(c, "step1", "Step 1: What is your name?", "name", "string")
		if err != nil {
			return "", err
		}
		color, err := ask(c, "step2", "Step 2: What is your favorite color?", "color", "string")
		return fmt.Sprintf("%v likes %v", name, color), err
	}),
	agent.NewTool("test_input_required_result_capabilities", "Asks what can be asked.", able),
}

// multiple asks a person, the model and the program at once.
func multiple(c *agent.Context, _ none) (string, error) {
	name := flow.Go(c, "name", func() (any, error) { return ask(c, "user_name", "What is your name?", "name", "string") })
	greeting := flow.Go(c, "greeting", func() (json.RawMessage, error) {
		return agent.AskClient(c, "greeting", agent.Sample, question("Generate a greeting"))
	})
	roots, err := agent.AskClient(c, "client_roots", agent.ListRoots, object{})
	if err != nil {
		return "", err
	}
	who, err := name.Wait()
	if err != nil {
		return "", err
	}
	words, err := greeting.Wait()
	return fmt.Sprintf("%v %s %s", who, words, roots), err
}

// able asks only what the client has declared.
func able(c *agent.Context, _ none) (string, error) {
	for _, method := range []string{agent.Sample, agent.Elicit, agent.ListRoots} {
		can, err := agent.ClientCan(c, method)
		if err != nil || !can {
			continue
		}
		switch method {
		case agent.Sample:
			_, err = agent.AskClient(c, "sample", method, question("Hello?"))
		case agent.Elicit:
			_, err = ask(c, "name", "What is your name?", "name", "string")
		default:
			_, err = agent.AskClient(c, "roots", method, object{})
		}
		return "asked by " + method, err
	}
	return "nothing can be asked", nil
}
