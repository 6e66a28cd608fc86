package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/share"
)

// TestSocketsOfHelpersCount checks that the sockets that a conversation relays to its helpers count
// among its own.
func TestSocketsOfHelpersCount(t *testing.T) {
	_, _, do := losingWorld(t, "Boss")
	out := do("connect a", "say a R1 u1: Research otters", "run")
	id := regexp.MustCompile(`open tail/(\S+) helper-1`).FindStringSubmatch(out)[1]
	for i := range share.Sockets.Most - 1 {
		if i%1_000 == 999 { // no more open in a second
			do("tick 1s")
		}
		if out := do(fmt.Sprintf("drill b%d helper %s", i, id)); strings.Contains(out, "close b") {
			t.Fatalf("socket %d is refused:\n%s", i+2, out)
		}
	}
	for _, action := range []string{"connect c", "drill c helper " + id} {
		if out := do(action); !strings.Contains(out, "close c 1013") {
			t.Errorf("%s: one socket too many is accepted:\n%.400s", action, out)
		}
	}
}

// TestAThousandConnectionsAreSentATurn checks that a conversation holds a thousand sockets, and that
// each of them is sent every word of a turn once. Words that come at once are joined.
func TestAThousandConnectionsAreSentATurn(t *testing.T) {
	const tabs, chunks = 1_000, 50
	w, engine := play(t, "TestAgent", "")
	defer engine.Close()
	var script strings.Builder
	for i := range tabs {
		fmt.Fprintf(&script, "connect b%d\n", i)
	}
	if said := do(t, w, script.String()); strings.Contains(said, "\tclose ") {
		t.Fatal("a socket is refused")
	}
	sent, word := map[string]int{}, regexp.MustCompile(`c\d+ `)
	for line := range strings.Lines(do(t, w, fmt.Sprintf("say b0 R1 u1: hi chunks=%d\nrun", chunks))) {
		if to, frame, ok := strings.Cut(strings.TrimPrefix(line, "\tsend "), " "); ok && strings.Contains(frame, `\"type\":\"text-delta\"`) {
			for tab := range strings.SplitSeq(to, ",") {
				sent[tab] += len(word.FindAllString(frame, -1))
			}
		}
	}
	if len(sent) != tabs+1 {
		t.Errorf("%d connections are sent words", len(sent))
	}
	for tab, words := range sent {
		if words != chunks {
			t.Fatalf("%s is sent %d words", tab, words)
		}
	}
}
