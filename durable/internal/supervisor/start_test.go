package supervisor

import (
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// TestLongSchemaIsRefused checks that the caller is told why.
func TestLongSchemaIsRefused(t *testing.T) {
	for n, want := range map[int]string{
		limit.RunSchema: "", limit.RunSchema + 1: "the schema of the output has 65537 bytes, at most 65536", 6 * limit.RunSchema: "the schema of the output has 393216 bytes, at most 65536",
	} {
		if got := Oversized("r", "", nil, []byte(strings.Repeat("<", n))); got != want {
			t.Errorf("%d bytes: got %q, want %q", n, got, want)
		}
	}
	for letter, want := range map[string]bool{"x": true, "<": true, "\x01": false} {
		if got := Oversized("r", strings.Repeat(letter, limit.RunInput), nil, nil); (got == "") != want {
			t.Errorf("a prompt of %q: got %q", letter, got)
		}
	}
	if got := misnamed(run.Run{Class: strings.Repeat("x", limit.ID+1)}); got != "a name has 129 bytes, at most 128" {
		t.Errorf("got %q", got)
	}
}

// TestRefusal checks which runs are refused.
func TestRefusal(t *testing.T) {
	long := make([]string, limit.Milestones+1)
	for i := range long {
		long[i] = strings.Repeat("m", i+1)
	}
	for _, test := range []struct {
		name   string
		run    run.Run
		helper bool
		depth  int
		reason run.Reason
	}{
		{"a run", run.Run{}, false, 0, ""},
		{"a run of a helper", run.Run{}, true, 2, ""},
		{"a run of a helper at the bottom", run.Run{}, true, 3, run.TooDeep},
		{"a detached run", run.Run{Handler: "tell"}, false, 0, ""},
		{"a detached run with an unknown handler", run.Run{Handler: "none"}, false, 0, run.Refused},
		{"a detached run of a helper", run.Run{Handler: "tell"}, true, 1, ""},
		{"a detached run of a helper at the bottom", run.Run{Handler: "tell"}, true, 3, ""},
		{"a detached run of a helper with an unknown handler", run.Run{Handler: "none"}, true, 1, run.Refused},
		{"a run that a helper has begun", run.Run{Handler: "none", Origin: &run.Origin{}}, false, 0, ""},
		{"a detached run that announces a milestone", run.Run{Handler: "tell", Announce: run.Announce{React: []string{"half"}}}, false, 0, ""},
		{"a detached run that announces a milestone without a name", run.Run{Handler: "tell", Announce: run.Announce{React: []string{""}}}, false, 0, run.Refused},
		{"a detached run that announces too many milestones", run.Run{Handler: "tell", Announce: run.Announce{React: long}}, false, 0, run.Refused},
		{"a run that announces a milestone", run.Run{Announce: run.Announce{React: []string{"half"}}}, false, 0, run.Refused},
		{"a class with a long name", run.Run{Class: strings.Repeat("x", limit.ID+1)}, false, 0, run.Refused},
		{"a long input", run.Run{Input: []byte(strings.Repeat("1", limit.RunInput+1))}, false, 0, run.Refused},
	} {
		s := New(Config{
			Class: "Assistant", Helper: test.helper,
			Refuse:     func(*durable.Tx, run.Run) run.Result { return run.Result{} },
			HasHandler: func(name string) bool { return name == "tell" },
			Depth:      func(*durable.Tx) int { return test.depth },
		})
		test.run.ID = "r"
		if got := s.refusal(nil, test.run); got.Reason != test.reason || (got.Failure == "") != (test.reason == "") {
			t.Errorf("%s: got %q, %q, want %q", test.name, got.Reason, got.Failure, test.reason)
		}
	}
}

// TestStartIsRetried shows that a helper is asked ten times to take a run, with a growing back-off.
// If it has not answered by then, the run fails, and the slot is wiped.
func TestStartIsRetried(t *testing.T) {
	s := newScene(t)
	s.begin(run.Starting)
	s.tx.Unschedule(dueReconcile, "")
	var waits []int64
	for len(waits) < 20 && s.find().Status == run.Starting {
		s.TailBroke(s.tx, s.find(), "unreachable")
		if wait, ok := s.handleDue(); ok {
			waits = append(waits, wait)
		}
	}
	if want := []int64{500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000}; !slices.Equal(waits, want) {
		t.Errorf("waited %v, want %v", waits, want)
	}
	if r := s.find(); r.Status != run.Failed || r.Reason != run.NotStarted || r.Slot != 0 {
		t.Errorf("got %s for %s in slot %d", r.Status, r.Reason, r.Slot)
	}
	if asked, wiped := commands[durable.OpenStream](s), commands[durable.DeleteFacet](s); asked != 10 || wiped != 1 {
		t.Errorf("asked %d times and wiped %d slots, want 10 and 1", asked, wiped)
	}
}

// TestStartAfterCrashes checks when a helper is asked again to take a run, if the parent has lost
// its memory each time.
func TestStartAfterCrashes(t *testing.T) {
	s := newScene(t)
	s.begin(run.Starting)
	s.tx.Unschedule(dueReconcile, "")
	var waits []int64
	for len(waits) < 20 && s.find().Status == run.Starting {
		s.retryDispatch(s.tx, "r")
		if s.dueIn(dueTail) < 0 {
			waits = append(waits, 0)
			continue
		}
		wait, _ := s.handleDue()
		waits = append(waits, wait)
	}
	if want := []int64{0, 250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000}; !slices.Equal(waits, want) {
		t.Errorf("waited %v, want %v", waits, want)
	}
}

// TestStartAnswered checks what becomes of a run when its helper answers.
func TestStartAnswered(t *testing.T) {
	chunk := wire.Frame{Kind: wire.KindChunk, Body: []byte("{}")}
	end := wire.Frame{Kind: wire.KindEnd, Index: 1, Body: limit.MustMarshal(facet.End{Outcome: facet.Outcome{Status: "completed"}})}
	refusal := func(code wire.Code) []byte { return wire.Refuse(&wire.Error{Code: code, Message: "no"}) }
	version := taken()
	version[0]++
	for _, test := range []struct {
		name   string
		data   []byte
		status run.Status
		// next is the number of the next chunk. asked and wiped are how often the helper is asked again,
		// and how many slots are wiped.
		next         int64
		asked, wiped int
	}{
		{"the helper takes the run", taken(), run.Running, 0, 0, 0},
		{"the helper says something already", taken(chunk), run.Running, 1, 0, 0},
		{"the helper has answered already", taken(chunk, end), run.Completed, 1, 0, 0},
		{"half of the first frame", taken()[:5], run.Starting, 0, 0, 0},
		{"the slot was not wiped", refusal(facet.CodeStale), run.Starting, 0, 1, 1},
		{"the helper refuses", refusal(wire.CodeRefused), run.Failed, 0, 0, 1},
		{"the helper does not know the stream", refusal(wire.CodeUnknownMethod), run.Failed, 0, 0, 1},
		{"the helper speaks another version", version, run.Failed, 0, 0, 1},
		{"the stream is garbled", []byte("?"), run.Failed, 0, 0, 1},
	} {
		s := newScene(t)
		s.begin(run.Starting)
		commands[durable.OpenStream](s)
		s.Read(s.tx, "r", test.data)
		if r := s.find(); r.Status != test.status || r.Next != test.next {
			t.Errorf("%s: the run is %s with %d chunks, want %s with %d", test.name, r.Status, r.Next, test.status, test.next)
		}
		if asked, wiped := commands[durable.OpenStream](s), commands[durable.DeleteFacet](s); asked != test.asked || wiped != test.wiped {
			t.Errorf("%s: asked %d times and wiped %d slots, want %d and %d", test.name, asked, wiped, test.asked, test.wiped)
		}
	}
}

// TestStreamOfATakenRunIsOpenedAgain checks that a stream that breaks behind its first frame is
// opened again behind the last chunk, and that the run is not handed over again.
func TestStreamOfATakenRunIsOpenedAgain(t *testing.T) {
	s := newScene(t)
	s.begin(run.Starting)
	s.Read(s.tx, "r", taken(wire.Frame{Kind: wire.KindChunk, Body: []byte("{}")}))
	s.TailBroke(s.tx, s.find(), "it broke")
	s.tx.Unschedule(dueReconcile, "")
	s.handleDue()
	var opened []string
	s.tx.Rewrite(func(c durable.Command) []durable.Command {
		if open, ok := c.(durable.OpenStream); ok {
			opened = append(opened, string(open.Data))
		}
		return nil
	})
	want := string(facet.Tail.Request(facet.TailRequest{Run: "r", From: 1}))
	if len(opened) != 2 || opened[1] != want {
		t.Errorf("opened %q, want %q at last", opened, want)
	}
}

// TestRunThatIsPausedEarlyHasNoStream has a helper acknowledge a message while the run is paused that
// it has not taken. The helper is not asked for a run that it does not know. After the pause it is
// handed the run.
func TestRunThatIsPausedEarlyHasNoStream(t *testing.T) {
	s := newScene(t)
	r := s.begin(run.Starting)
	if err := s.Pause(s.tx, "r", "a pause"); err != nil {
		t.Fatal(err)
	}
	commands[durable.OpenStream](s)
	s.Send(s.tx, s.find(), "frame/a", nil)
	s.Acknowledged(s.tx, s.find())
	if n := commands[durable.OpenStream](s); n != 0 || s.find().Status != run.Paused {
		t.Errorf("%d streams are open, and the run is %s", n, s.find().Status)
	}
	if err := s.Unpause(s.tx, r.ID, ""); err != nil {
		t.Fatal(err)
	}
	if n := commands[durable.OpenStream](s); n != 1 || s.find().Status != run.Starting {
		t.Errorf("after the pause %d streams are open, and the run is %s", n, s.find().Status)
	}
}

// TestRefusalEndsTheStream checks that the end of a stream that was refused changes nothing more.
func TestRefusalEndsTheStream(t *testing.T) {
	s := newScene(t)
	s.begin(run.Starting)
	s.Read(s.tx, "r", wire.Refuse(wire.CodeRefused))
	s.TailBroke(s.tx, s.find(), "it ended without an end")
	if r := s.find(); r.Reason != run.NotStarted || r.Failure != "the helper could not be started: refused: refused" || s.dueIn(dueTail) >= 0 || s.Following() {
		t.Errorf("got %s, %q, due in %d", r.Reason, r.Failure, s.dueIn(dueTail))
	}
}

// taken is the beginning of a stream whose helper has taken its run.
func taken(frames ...wire.Frame) []byte {
	data := wire.AppendFrame(wire.AppendStart(nil), wire.Frame{Kind: wire.KindHeartbeat})
	for _, f := range frames {
		data = wire.AppendFrame(data, f)
	}
	return data
}

// TestRunThatWasPausedEarlyIsNotRead pauses a run before its helper has taken it. The helper does not know the run, so no
// stream of it is opened, whatever else the helper acknowledges: frames of a person who looks, and answers.
func TestRunThatWasPausedEarlyIsNotRead(t *testing.T) {
	for _, early := range []bool{true, false} {
		status := run.Starting
		if !early {
			status = run.Waiting
		}
		s := newScene(t)
		r := s.begin(status)
		delete(s.tailReaders, r.ID)
		if err := s.Pause(s.tx, r.ID, "lunch"); err != nil {
			t.Fatal(err)
		}
		commands[durable.OpenStream](s)
		s.Send(s.tx, s.find(), facet.CallAnswer+"1", nil)
		s.Acknowledged(s.tx, s.find())
		if opened := commands[durable.OpenStream](s); opened > 0 == early {
			t.Errorf("paused early: %v, %d streams were opened", early, opened)
		}
	}
}
