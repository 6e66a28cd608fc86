package chat_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/share"
)

// TestOneWayIn checks that every turn is queued by package admission.
func TestOneWayIn(t *testing.T) {
	files, err := filepath.Glob("../*/*.go")
	rooms, failed := filepath.Glob("../internal/*/*.go")
	files, err = append(files, rooms...), errors.Join(err, failed)
	if err != nil {
		t.Fatal(err)
	}
	var in []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "turn."+"Accept(") && !strings.HasSuffix(file, "_test.go") {
			in = append(in, file)
		}
	}
	if fmt.Sprint(in) != "[../internal/admission/queue.go]" {
		t.Errorf("turns are accepted in %v, want admission alone", in)
	}
}

func runTurn(call, fields string) string { return runTurnOf("a", call, fields) }

func runTurnOf(tab, call, fields string) string {
	return fmt.Sprintf(`frame %s {"type":"rpc","id":%q,"method":"runTurn","args":[{%s}]}`, tab, call, fields)
}

// TestQueueIsBounded checks that a full queue refuses a turn, and that an existing submission is
// joined all the same.
func TestQueueIsBounded(t *testing.T) {
	w := worldOf(t, "Clerk", "connect a", "say a R0 u0: chunks=1 delay=10")
	for i := range share.Turns.Most {
		act(t, w, runTurn(fmt.Sprint("c", i), fmt.Sprintf(`"text":"chunks=1","id":"s%d"`, i)))
	}
	w.Take()
	act(t, w, runTurn("c", `"text":"chunks=1"`), runTurn("d", `"text":"chunks=1","id":"s0"`))
	out := strings.Join(w.Take(), "\n")
	for _, want := range []string{`"id":"c","success":false,"error":"32 requests are waiting already"`, `"id":"d","success":true,"done":true,"result":{"submissionId":"s0"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
}

// TestCallersAreBounded checks that a call beyond the limit is refused, and that the others still
// wait.
func TestCallersAreBounded(t *testing.T) {
	w := worldOf(t, "Clerk")
	for i := range 257 {
		tab := string(rune('a' + i/32)) // as many calls as one tab may have
		if i%32 == 0 {
			act(t, w, "connect "+tab)
		}
		act(t, w, runTurnOf(tab, fmt.Sprint("c", i), `"text":"chunks=1","id":"s","mode":"wait"`))
	}
	act(t, w, "run")
	out := strings.Join(w.Take(), "\n")
	if n := strings.Count(out, `"done":true,"result":{"submissionId":"s"`); n != 256 {
		t.Errorf("%d calls were answered, want 256", n)
	}
	if !strings.Contains(out, `"id":"c256","success":false,"error":"256 calls wait for turns already"`) {
		t.Error("one call more was not refused")
	}
}

// TestMergeKeepsWhatDoesNotFit checks that two messages that are too large for one are answered one
// after the other.
func TestMergeKeepsWhatDoesNotFit(t *testing.T) {
	long := strings.Repeat("x", 1_000_000)
	w := worldOf(t, "Merging", "connect a", "say a R1 u1: chunks=1 delay=10", "say a R2 u2: chunks=1 "+long, "say a R3 u3: chunks=1 "+long, "run")
	out := transcriptOf(t, w)
	for _, want := range []string{`"id":"R2","body":"","done":true,"outcome":"completed"`, `"id":"R3","body":"","done":true,"outcome":"completed"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
}
