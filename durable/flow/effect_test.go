package flow_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// TestSince checks what code is said to have begun behind an await, and whether its effect is in
// doubt, when a time limit stops it, or when its request is broken off.
func TestSince(t *testing.T) {
	nothing := flow.Effects{}
	inDoubt := flow.Effects{Begun: true, Doubtful: true}
	for name, c := range map[string]struct {
		code func(c *flow.Context) error
		want flow.Effects
	}{
		"a sleep":       {func(c *flow.Context) error { return flow.Sleep(c, time.Hour) }, nothing},
		"a sleep until": {func(c *flow.Context) error { return flow.SleepUntil(c, time.UnixMilli(1<<45)) }, nothing},
		"a question": {func(c *flow.Context) error {
			_, err := c.Await(flow.Op{Name: "question Who?", Begin: func(*durable.Tx, flow.Key) {}}).Wait()
			return err
		}, nothing},
		"a step with the name of the ledger's": {func(c *flow.Context) error {
			_, err := flow.Do(c, "action pay", func(a *flow.Attempt) (string, error) {
				_, err := flow.Fetch(a, flow.Request{Method: "POST", URL: "https://x.test"})
				return "", err
			}, flow.Retry{Attempts: 1})
			return err
		}, inDoubt},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.start(func(context *flow.Context) (json.RawMessage, error) {
				mark := context.Await(flow.Op{Name: "mark", Begin: func(*durable.Tx, flow.Key) {}})
				_, err := flow.Within(context, time.Minute, func() (string, error) { return "", c.code(context) })
				if err == nil {
					t.Error("the code has ended by itself")
				}
				return json.RawMessage(fmt.Sprintf("%q", fmt.Sprint(context.Since(mark)))), nil
			})
			w.pass(time.Hour)
			w.wants(fmt.Sprintf("%q", fmt.Sprint(c.want)))
		})
	}
}
