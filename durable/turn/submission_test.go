package turn_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/turn"
)

func submit(tx *durable.Tx, id, key, asked string) turn.Turn {
	return turn.Accept(tx, turn.Turn{Request: "submission-" + id, Submission: id, Key: key, SubmittedText: asked})
}

func finish(tx *durable.Tx, t turn.Turn) {
	turn.Move(tx, &t, turn.Running, "")
	turn.Move(tx, &t, turn.Completed, "")
}

// TestJoin finds an equal submission, and refuses a different one with the same id or key.
func TestJoin(t *testing.T) {
	for name, c := range map[string]struct {
		id, key, asked string
		joined         bool
		err            error
	}{
		"same":                        {"s1", "k1", "hello", true, nil},
		"same id":                     {"s1", "", "hello", true, nil},
		"same key":                    {"s9", "k1", "hello", true, nil},
		"another":                     {"s9", "k9", "hello", false, nil},
		"no key is nobody's":          {"s9", "", "hello", false, nil},
		"same id, something else":     {"s1", "", "goodbye", false, turn.ErrOtherText},
		"same key, something else":    {"s9", "k1", "goodbye", false, turn.ErrOtherText},
		"same id, another key":        {"s1", "k9", "hello", false, turn.ErrOtherKey},
		"same id, the key of another": {"s1", "k2", "hello", false, turn.ErrOtherKey},
	} {
		t.Run(name, func(t *testing.T) {
			tx := open(t)
			want := submit(tx, "s1", "k1", "hello")
			submit(tx, "s2", "k2", "hello")
			submit(tx, "s3", "", "hello")
			have, joined, err := turn.Join(tx, turn.Turn{Submission: c.id, Key: c.key, SubmittedText: c.asked})
			if joined != c.joined || !errors.Is(err, c.err) {
				t.Fatalf("joined %v, %v; want %v, %v", joined, err, c.joined, c.err)
			}
			if joined && have.Seq != want.Seq {
				t.Errorf("joined %+v", have)
			}
		})
	}
}

// TestSubmissionsOutlastOtherTurns shows also that submissions are deleted if they are too many or
// too old.
func TestSubmissionsOutlastOtherTurns(t *testing.T) {
	tx := open(t)
	finish(tx, submit(tx, "first", "", ""))
	waits := submit(tx, "waits", "", "")
	for range turn.Keep + 10 {
		finish(tx, turn.Accept(tx, turn.Turn{Request: "R"}))
	}
	if _, ok := turn.Submitted(tx, "first"); !ok {
		t.Error("a submission was forgotten for other turns")
	}
	for i := range turn.KeepSubmissions {
		finish(tx, submit(tx, fmt.Sprint("s", i), "", ""))
	}
	if _, ok := turn.Submitted(tx, "first"); ok {
		t.Error("there are more submissions than are kept")
	}
	if n := len(turn.List(tx, turn.Filter{Status: []turn.Status{turn.Completed}, Limit: 1 << 30})); n != turn.KeepSubmissions {
		t.Errorf("%d are kept, want %d", n, turn.KeepSubmissions)
	}
	tx.Now += turn.KeepAge
	finish(tx, submit(tx, "last", "", ""))
	finish(tx, waits)
	list := turn.List(tx, turn.Filter{})
	if len(list) != 2 || list[0].Submission != "last" || list[1].Submission != "waits" {
		t.Errorf("kept %+v", list)
	}
}

// TestList filters and bounds, newest first.
func TestList(t *testing.T) {
	tx := open(t)
	finish(tx, submit(tx, "a", "", ""))
	turn.Accept(tx, turn.Turn{Request: "R"})
	submit(tx, "b", "", "")
	submit(tx, "c", "", "")
	for name, c := range map[string]struct {
		filter turn.Filter
		want   string
	}{
		"all":         {turn.Filter{}, "cba"},
		"the newest":  {turn.Filter{Limit: 2}, "cb"},
		"by status":   {turn.Filter{Status: []turn.Status{turn.Queued}}, "cb"},
		"by statuses": {turn.Filter{Status: []turn.Status{turn.Queued, turn.Completed}, Limit: 3}, "cba"},
		"of no such":  {turn.Filter{Status: []turn.Status{turn.Failed}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, s := range turn.List(tx, c.filter) {
				got += s.Submission
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
