package agent

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
)

// CloudflareOptions are the options of [RunCloudflare]. The zero value leaves all to the platform.
type CloudflareOptions struct {
	// SuccessRetention and ErrorRetention say how long the platform keeps an instance that has
	// succeeded or failed.
	SuccessRetention, ErrorRetention time.Duration
}

// RunCloudflare runs an instance of Cloudflare's Workflows and waits for its output, which becomes
// a T from JSON. binding is the binding of the Workflow in wrangler.jsonc, and params is the
// payload of its event, as JSON of at most [flow.MaxParams] bytes. The output has at most
// [flow.MaxBody] bytes.
//
// It waits durably: it holds an entry of the schedule, and asks at growing intervals of a minute at
// most. A Workflow that wants to be heard at once sends a signal to the run, for which the class of
// the object has a method: signal(run, name, payload, id).
//
// An instance is made once, whatever is lost meanwhile. If the await is cancelled, as by
// [flow.Within] or because the turn is stopped, the instance is terminated. If there is no such
// binding, nothing has happened, and the error says what wrangler.jsonc needs.
func RunCloudflare[T any](c flow.Awaiter, binding string, params any, o CloudflareOptions) (output T, err error) {
	input, err := limit.Marshal(params)
	if err != nil {
		return output, fmt.Errorf("the params of the Workflow %s: %w", binding, err)
	}
	data, err := flow.RunWorkflow(c, flow.Workflow{
		Binding: binding, Params: input, SuccessRetention: o.SuccessRetention, ErrorRetention: o.ErrorRetention,
	})
	if err != nil {
		return output, err
	}
	if err := json.Unmarshal(data, &output); err != nil {
		return output, fmt.Errorf("the output of the Workflow %s: %w", binding, err)
	}
	return output, nil
}
