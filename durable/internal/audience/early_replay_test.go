package audience

import "testing"

// TestAccepted checks where the replay of the stream R begins when a connection acknowledges an
// offer, given the early replay that the connection was sent. The stream has the chunks 3 to 8.
func TestAccepted(t *testing.T) {
	const first, next = 3, 9
	none, live, probed, other := earlyReplay{}, earlyReplay{request: "R"}, earlyReplay{"R", 7}, earlyReplay{"Q", 7}
	for _, test := range []struct {
		name              string
		early             earlyReplay
		unprobed, offered bool
		from              int64
		had               earlyReplay
	}{
		{"an offer that answers a probe", none, false, true, first, none},
		{"an offer of the greeting, before a probe", none, true, true, first, live},
		{"an offer of a third socket, before a probe", live, true, false, next, live},
		{"an offer that answers the probe behind an early replay", probed, false, true, 7, none},
		{"an offer behind an early replay, without a probe for it", live, false, true, first, none},
		{"an offer behind an early replay of another stream", other, false, true, first, none},
		{"another replay of a client that only watches", none, false, false, first, none},
		{"another replay behind an early one", probed, false, false, first, none},
		{"no offer, before a probe, behind an early replay of another stream", other, true, false, first, none},
	} {
		from, had := test.early.accepted("R", test.unprobed, test.offered, first, next)
		if from != test.from || had != test.had {
			t.Errorf("%s: got %d and %+v, want %d and %+v", test.name, from, had, test.from, test.had)
		}
	}
	if from, _ := (earlyReplay{"R", 1}).accepted("R", false, true, first, next); from != first {
		t.Errorf("an early replay of an earlier turn in the same log: got %d, want %d", from, first)
	}
}

// TestProbed checks what is known of an early replay behind a probe for the stream R, whose next
// chunk is 9.
func TestProbed(t *testing.T) {
	for _, test := range []struct {
		name        string
		early, want earlyReplay
	}{
		{"no early replay", earlyReplay{}, earlyReplay{}},
		{"the first probe", earlyReplay{"R", 0}, earlyReplay{"R", 9}},
		{"another probe", earlyReplay{"R", 7}, earlyReplay{"R", 7}},
		{"an early replay of another stream", earlyReplay{"Q", 7}, earlyReplay{}},
	} {
		if got := test.early.probed("R", 9); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}
