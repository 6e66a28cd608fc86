package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable/agent"
)

// A page calls methods by name. The state is JSON that every page is shown when it changes.
func ExampleCall() {
	add := func(call *agent.Call) (any, error) {
		var by, sum int
		if err := call.Arg(0, &by); err != nil {
			return nil, err
		}
		if state := call.State(); state != nil {
			if err := json.Unmarshal(state, &sum); err != nil {
				return nil, err
			}
		}
		return sum + by, call.SetState(sum + by)
	}
	counter := agent.Agent{Name: "Counter", Methods: map[string]agent.Method{"add": add}}
	lines := play([]agent.Agent{counter}, "connect tab",
		`frame tab {"type":"rpc","id":"a","method":"add","args":[2]}`,
		`frame tab {"type":"rpc","id":"b","method":"add","args":[3]}`,
		`frame tab {"type":"rpc","id":"c","method":"add","args":[]}`)
	for _, frame := range frames(lines, "rpc", "cf_agent_state") {
		fmt.Println(frame)
	}
	// Output:
	// {"type":"cf_agent_state","state":2}
	// {"type":"rpc","id":"a","success":true,"done":true,"result":2}
	// {"type":"cf_agent_state","state":5}
	// {"type":"rpc","id":"b","success":true,"done":true,"result":5}
	// {"type":"rpc","id":"c","success":false,"error":"argument 0 is missing"}
}

// A method sends its result in pieces.
func ExampleCall_Emit() {
	count := func(call *agent.Call) (any, error) {
		for n := range 2 {
			if err := call.Emit(n); err != nil {
				return nil, err
			}
		}
		return "done", nil
	}
	counter := agent.Agent{Name: "Counter", Methods: map[string]agent.Method{"count": count}}
	for _, frame := range frames(play([]agent.Agent{counter}, "connect tab", `frame tab {"type":"rpc","id":"a","method":"count","args":[]}`), "rpc") {
		fmt.Println(frame)
	}
	// Output:
	// {"type":"rpc","id":"a","success":true,"done":false,"result":0}
	// {"type":"rpc","id":"a","success":true,"done":false,"result":1}
	// {"type":"rpc","id":"a","success":true,"done":true,"result":"done"}
}

// A method has the model answer, and its caller gets the answer when the turn has ended.
func ExampleCall_RunTurn() {
	methods := map[string]agent.Method{"greet": func(call *agent.Call) (any, error) {
		return call.RunTurn(agent.TurnRequest{Text: "Hello", Mode: agent.Wait})
	}}
	lines := play([]agent.Agent{{Name: "Assistant", Model: answer("Good day."), Methods: methods}}, "connect tab",
		`frame tab {"type":"rpc","id":"a","method":"greet","args":[]}`, "run")
	var reply struct{ Result agent.Submission }
	must(json.Unmarshal([]byte(frames(lines, "rpc")[0]), &reply))
	fmt.Println(reply.Result.Status, reply.Result.Answer)
	// Output: completed Good day.
}

// A page may set the state too, unless the agent refuses it.
func ExampleConversation_SetState() {
	counter := agent.Agent{
		Name: "Counter",
		AcceptState: func(state json.RawMessage) error {
			var n int
			if json.Unmarshal(state, &n) != nil || n < 0 {
				return errors.New("a state is a count")
			}
			return nil
		},
		Methods: map[string]agent.Method{"reset": func(call *agent.Call) (any, error) { return nil, call.SetState(0) }},
	}
	lines := play([]agent.Agent{counter}, "connect tab",
		`frame tab {"type":"cf_agent_state","state":-1}`,
		`frame tab {"type":"rpc","id":"a","method":"reset","args":[]}`)
	for _, frame := range frames(lines, "cf_agent_state", "cf_agent_state_error") {
		fmt.Println(frame)
	}
	// Output:
	// {"type":"cf_agent_state_error","error":"State update rejected"}
	// {"type":"cf_agent_state","state":0}
}
