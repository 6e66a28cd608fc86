package protocol_test

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// TestNumbersCountByTheirCost checks that numbers which take long to decode are refused beyond a limit: in a frame,
// and as a value that code will decode. Those in a client's list of messages are not decoded, and do not count.
func TestNumbersCountByTheirCost(t *testing.T) {
	for _, tt := range []struct {
		name, number string
		within, far  int
	}{
		{"usual", "0.12345678901234567", 10_000, 0},
		{"next to zero", "1.5e-320", 190, 20_000},
		{"next to zero with many zeros", "0." + strings.Repeat("0", 310) + "1", 190, 600},
		{"next to zero and negative", "-22250738585072011e-324", 190, 10_000},
		{"in the middle of two", "9007199254740993", 4_500, 15_000},
		{"of many digits", strings.Repeat("9", 200), 380, 1_200},
	} {
		list := func(n int) string { return "[" + strings.Repeat(tt.number+",", n) + "1]" }
		frames := func(n int) map[string]string {
			return map[string]string{
				"state": `{"type":"cf_agent_state","state":` + list(n) + `}`,
				"call":  `{"type":"rpc","id":"1","method":"m","args":[{"a":` + list(n) + `}]}`,
			}
		}
		for kind, frame := range frames(tt.within) {
			if _, err := protocol.ParseFrame(frame); err != nil {
				t.Errorf("%d numbers %s in a %s: %v", tt.within, tt.name, kind, err)
			}
		}
		if err := protocol.Check([]byte(list(tt.within))); err != nil {
			t.Errorf("%d numbers %s: %v", tt.within, tt.name, err)
		}
		messages := `{"type":"cf_agent_chat_messages","messages":[{"id":"a","role":"assistant","parts":[{"type":"data-x","data":` + list(tt.far) + `}]}]}`
		if _, err := protocol.ParseFrame(messages); err != nil {
			t.Errorf("%d numbers %s in a message: %v", tt.far, tt.name, err)
		}
		if tt.far == 0 {
			continue
		}
		for _, n := range []int{limit.Elements/limit.NumberCost(tt.number) + 1, tt.far} {
			for kind, frame := range frames(n) {
				if _, err := protocol.ParseFrame(frame); err == nil {
					t.Errorf("%d numbers %s are taken in a %s", n, tt.name, kind)
				}
			}
			if err := protocol.Check([]byte(list(n))); err == nil {
				t.Errorf("%d numbers %s are taken", n, tt.name)
			}
		}
	}
}
