package agent_test

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/model"
)

// answer is a model that answers every request with the same text. A timer brings the event in which
// it answers.
type answer string

func (answer) Name() string { return "answer" }

func (a answer) Begin(tx *durable.Tx, id string, _ model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	return a, nil
}

func (a answer) Take(*durable.Tx, durable.Event) ([]model.Delta, error) {
	return []model.Delta{model.TextDelta{Text: string(a)}, model.Finished{Reason: model.Stop}}, nil
}

func (answer) Cancel(*durable.Tx) {}

// An agent can bring its own model. Without one, the deployment chooses one of the providers that
// chat.Class is given.
func ExampleAgent_model() {
	for _, line := range talk("How high is the tide?", agent.Agent{Name: "Assistant", Model: answer("High.")}) {
		fmt.Println(line)
	}
	// Output:
	// user: How high is the tide?
	// assistant: High.
}
