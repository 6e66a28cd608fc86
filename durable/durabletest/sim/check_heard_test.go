package sim

import (
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// TestEndsComeLast is what a transcript may stand behind, in the frames of one event.
func TestEndsComeLast(t *testing.T) {
	seq := int64(0)
	shows := checkedFrame{Type: "cf_agent_chat_messages", transcript: `{"messages":[{"id":"m1"}]}`}
	showsMore := checkedFrame{Type: "cf_agent_chat_messages", transcript: `{"messages":[{"id":"m1"},{"id":"m2"}]}`}
	ends := checkedFrame{Type: "cf_agent_use_chat_response", ID: "R1", Done: true, Outcome: "completed"}
	begins := checkedFrame{Type: "cf_agent_use_chat_response", ID: "R2", Seq: &seq}
	for _, c := range []struct {
		name   string
		frames []checkedFrame
		fails  bool
	}{
		{"the transcript comes before the end", []checkedFrame{shows, ends}, false},
		{"another stream begins behind it", []checkedFrame{shows, ends, shows, begins}, false},
		{"it belongs to the stream that has begun", []checkedFrame{shows, ends, shows, begins, shows}, false},
		{"it is the last to come", []checkedFrame{shows, ends, shows}, true},
		{"it shows a message that came behind the end", []checkedFrame{shows, ends, showsMore}, false},
		{"another one behind that shows nothing new", []checkedFrame{shows, ends, showsMore, showsMore}, true},
		{"the other stream has ended as well", []checkedFrame{shows, ends, begins, ends, shows}, true},
		{"nothing shows the message", []checkedFrame{ends}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &Sim{checks: newCheckState(), known: map[string]int{}}
			for _, f := range c.frames {
				s.checks.sent = append(s.checks.sent, sent{[]durable.ConnID{"a1"}, f})
			}
			endsComeLast(s, durabletest.HandledEvent{})
			if got := s.failure != nil; got != c.fails {
				t.Errorf("fails: %v, want %v: %v", got, c.fails, s.failure)
			}
		})
	}
}
