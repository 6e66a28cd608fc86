package audience

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// TestOutline checks which events of a run a new connection is sent in any case, and with which
// numbers. Four chunks of the run were received.
func TestOutline(t *testing.T) {
	progress := &run.Progress{}
	for _, test := range []struct {
		name string
		run  run.Run
		want string
	}{
		{"a run that waits for a slot", run.Run{Status: run.Starting}, "0 started"},
		{"a run at work", run.Run{Status: run.Running, Next: 4}, "0 started"},
		{"a run with progress", run.Run{Status: run.Running, Next: 4, Progress: progress}, "0 started, 5 chunk"},
		{"a run that has ended well", run.Run{Status: run.Completed, Next: 4}, "0 started, 5 finished"},
		{"a run with progress that has ended well", run.Run{Status: run.Completed, Next: 4, Progress: progress}, "0 started, 5 chunk, 5 finished"},
		{"a run that failed", run.Run{Status: run.Failed, Next: 4}, "0 started, 5 error"},
		{"a run that was stopped", run.Run{Status: run.Aborted, Next: 4}, "0 started, 5 aborted"},
		{"a run that was refused", run.Run{Status: run.Failed}, "0 started, 1 error"},
	} {
		var got []string
		for _, frame := range outline(test.run) {
			var event struct {
				Sequence json.Number
				Replay   bool
				Event    protocol.EventBody
			}
			if err := json.Unmarshal([]byte(frame), &event); err != nil {
				t.Fatal(err)
			}
			if !event.Replay {
				t.Errorf("%s: %s is no replay", test.name, frame)
			}
			got = append(got, event.Sequence.String()+" "+string(event.Event.Kind))
		}
		if have := strings.Join(got, ", "); have != test.want {
			t.Errorf("%s: got %s, want %s", test.name, have, test.want)
		}
	}
}
