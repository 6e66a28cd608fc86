package client_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check/client"
)

func TestEndsComeLast(t *testing.T) {
	seq := int64(0)
	shows := check.Frame{Type: "cf_agent_chat_messages", Transcript: `{"messages":[{"id":"m1"}]}`}
	showsMore := check.Frame{Type: "cf_agent_chat_messages", Transcript: `{"messages":[{"id":"m1"},{"id":"m2"}]}`}
	ends := check.Frame{Type: "cf_agent_use_chat_response", ID: "R1", Done: true, Outcome: "completed"}
	begins := check.Frame{Type: "cf_agent_use_chat_response", ID: "R2", Seq: &seq}
	for _, c := range []struct {
		name   string
		frames []check.Frame
		fails  bool
	}{
		{"the transcript comes before the end", []check.Frame{shows, ends}, false},
		{"another stream begins behind it", []check.Frame{shows, ends, shows, begins}, false},
		{"it belongs to the stream that has begun", []check.Frame{shows, ends, shows, begins, shows}, false},
		{"it is the last to come", []check.Frame{shows, ends, shows}, true},
		{"it shows a message that came behind the end", []check.Frame{shows, ends, showsMore}, false},
		{"another one behind that shows nothing new", []check.Frame{shows, ends, showsMore, showsMore}, true},
		{"the other stream has ended as well", []check.Frame{shows, ends, begins, ends, shows}, true},
		{"nothing shows the message", []check.Frame{ends}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			view := &check.View{Report: check.NewReport()}
			var e check.Event
			for _, f := range c.frames {
				e.Sent = append(e.Sent, check.Sent{To: []durable.ConnID{"a1"}, Frame: f})
			}
			client.New(view).EndsComeLast(e)
			if got := view.Failure != nil; got != c.fails {
				t.Errorf("fails: %v, want %v: %v", got, c.fails, view.Failure)
			}
		})
	}
}
