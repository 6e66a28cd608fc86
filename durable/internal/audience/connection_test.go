package audience

import (
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// TestProbeAnswered checks which probes of a connection are answered already.
func TestProbeAnswered(t *testing.T) {
	for _, test := range []struct {
		name string
		// last is the probe that was answered last, open the request of the offer that the client
		// may take for an answer, and active that of the active stream.
		last, open, active, probe string
		want                      bool
		// stays says whether the offer is still open.
		stays bool
	}{
		{"the first probe", "", "", "", "p", false, false},
		{"the first probe during a stream", "", "", "R", "p", false, false},
		{"another probe", "o", "", "", "p", false, false},
		{"the same probe again", "p", "", "", "p", true, false},
		{"the same probe again during a stream", "p", "R", "R", "p", true, true},
		{"a probe without an id, twice", "", "", "", "", false, false},
		{"the first probe behind the offer of the greeting", "", "R", "R", "p", false, true},
		{"the first probe behind the offer of a stream that is over", "", "R", "", "p", true, false},
		{"the first probe behind the offer of an earlier stream", "", "R", "S", "p", true, false},
		{"the same probe again behind the offer of an earlier stream", "p", "R", "S", "p", true, true},
	} {
		c := &Audience{present: map[durable.ConnID]bool{"a": true}, probes: map[durable.ConnID]string{}, open: map[durable.ConnID]string{}}
		if test.last != "" {
			c.probes["a"] = test.last
		}
		if test.open != "" {
			c.open["a"] = test.open
		}
		if got := c.ProbeAnswered(nil, "a", test.probe, test.active); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
		if _, stays := c.open["a"]; stays != test.stays || c.probes["a"] != test.probe {
			t.Errorf("%s: the offer is open %v, want %v, and the last probe is %q", test.name, stays, test.stays, c.probes["a"])
		}
	}
}

// TestWhoIsSentWhat checks who of the connections a to d gets live chunks, is told of a turn that
// begins, and is late when a turn ends. b and d were offered a stream, and c and d were sent a
// replay.
func TestWhoIsSentWhat(t *testing.T) {
	c := &Audience{order: []durable.ConnID{"d", "c", "b", "a"}, offered: map[durable.ConnID]string{"b": "R", "d": "R"}}
	for _, test := range []struct {
		name      string
		got, want []durable.ConnID
	}{
		{"everybody", c.All(), []durable.ConnID{"d", "c", "b", "a"}},
		{"everybody but some", c.All("a", "c", "e"), []durable.ConnID{"d", "b"}},
		{"live chunks", c.Listening(), []durable.ConnID{"c", "a"}},
		{"a turn that begins", c.AwaitingTurn(), []durable.ConnID{"d", "b"}},
		{"late at an end", c.Late([]durable.ConnID{"c", "d"}), []durable.ConnID{"d", "c", "b"}},
		{"late at an end without replays", c.Late(nil), []durable.ConnID{"d", "b"}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, test.got, test.want)
		}
	}
}

// TestNothingIsEncodedForNobody sends a frame with and without connections that get it.
func TestNothingIsEncodedForNobody(t *testing.T) {
	for _, test := range []struct {
		name      string
		connected []durable.ConnID
		encoded   int
	}{
		{"nobody is connected", nil, 0},
		{"only the one that is left out", []durable.ConnID{"a"}, 0},
		{"others", []durable.ConnID{"a", "b", "c"}, 1},
	} {
		c, tx, encoded := &Audience{order: test.connected}, durable.NewTx(1, nil, nil), 0
		c.SendAll(tx, func() string { encoded++; return "frame" }, "a")
		if encoded != test.encoded || len(tx.Commands()) != test.encoded {
			t.Errorf("%s: encoded %d times in %d commands, want %d", test.name, encoded, len(tx.Commands()), test.encoded)
		}
	}
}
