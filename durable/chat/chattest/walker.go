package chattest

import (
	"encoding/json"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
)

// walker is a conversation whose tools use every await of straight-line code.
var walker = agent.Agent{
	Name: "Walker",
	Tools: []agent.Tool{
		{Name: "get", Run: func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
			return fetch(c, flow.Request{URL: "https://x.test/now", Limit: 16, Header: []durable.Header{{Name: "Authorization", Value: "Bearer ", Secret: "X_KEY"}}})
		}},
		{Name: "post", Run: func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
			return fetch(c, flow.Request{Method: "POST", URL: "https://x.test/orders", Body: []byte("one")})
		}},
		{Name: "nap", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(silently(c, "Walking", input, "tool=sleep chunks=1 pchunks=1"))
		}},
		{Name: "branch", Run: branches},
		{Name: "hurry", Run: hurry},
		{Name: "delegate", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(silently(c, "Walking", input, "tool=get chunks=1 pchunks=1"))
		}},
	},
}

// walking is a helper with a tool that makes a request, and one that sleeps for an hour.
var walking = agent.Agent{
	Name: "Walking", Helper: true,
	Tools: append(walker.Tools[:1:1], agent.Tool{Name: "sleep", Run: func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"slept"`), flow.Sleep(c, time.Hour)
	}}),
}

func fetch(c *agent.Context, request flow.Request) (json.RawMessage, error) {
	response, err := flow.Fetch(c, request)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"status": response.Status, "body": string(response.Body)})
}

// branches starts two runs in each of two branches, one after the other.
func branches(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	branch := func(name, words string) *flow.Branch[string] {
		return flow.Go(c, name, func() (string, error) {
			all := name
			for range 2 {
				o, err := silently(c, "Helper", input, words).Outcome()
				if err != nil {
					return "", err
				}
				all += " " + o.Run + " " + string(o.Status)
			}
			return all, nil
		})
	}
	all, err := flow.All(branch("quick", "chunks=1"), branch("slow", "chunks=2 delay=10"))
	if err != nil {
		return nil, err
	}
	return json.Marshal(all)
}

// hurry limits to one minute the wait for a helper that sleeps for an hour, and a sleep of its own
// as well.
func hurry(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	begun := flow.Now(c)
	o, err := flow.Within(c, time.Minute, func() (run.Outcome, error) {
		beside := flow.Go(c, "beside", func() (int, error) { return 0, flow.Sleep(c, time.Hour) })
		o, err := silently(c, "Walking", input, "tool=sleep chunks=1").Outcome()
		if err != nil {
			return o, err
		}
		_, err = beside.Wait()
		return o, err
	})
	return json.Marshal(map[string]any{"outcome": o, "error": err.Error(), "took": flow.Now(c).Sub(begun).String()})
}
