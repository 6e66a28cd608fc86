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

// TestRepeatedRequest checks what is known of a request that was made again after its instance was lost.
// The first one may have had its effect, whatever the second one was told.
func TestRepeatedRequest(t *testing.T) {
	for name, c := range map[string]struct {
		answer   []durable.Event
		doubtful bool
	}{
		"success": {[]durable.Event{durable.FetchResponded{Status: 204}, durable.FetchEnded{}}, false},
		"refusal": {[]durable.Event{durable.FetchResponded{Status: 400}, durable.FetchEnded{}}, true},
		"busy":    {[]durable.Event{durable.FetchResponded{Status: 429}, durable.FetchEnded{}}, true},
		"unsent":  {[]durable.Event{durable.FetchFailed{Error: "connection refused", Unsent: true}}, true},
	} {
		for _, lost := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, lost: %v", name, lost), func(t *testing.T) {
				w := open(t)
				w.start(func(context *flow.Context) (json.RawMessage, error) {
					mark := context.Await(flow.Op{Name: "mark", Begin: func(*durable.Tx, flow.Key) {}})
					r, _ := flow.Fetch(context, flow.Request{Method: "PUT", URL: "https://x.test"})
					return json.RawMessage(fmt.Sprintf("%q", fmt.Sprint(context.Since(mark), r.Repeated))), nil
				})
				if lost {
					w.evict()
				}
				for _, e := range c.answer {
					w.routine.Fetched(w.tx, "await/r#1", e)
				}
				w.routine.Resume(w.tx)
				isResponse := name != "unsent"
				w.wants(fmt.Sprintf("%q", fmt.Sprint(flow.Effects{Begun: true, Doubtful: lost && c.doubtful}, lost && isResponse)))
			})
		}
	}
}
