package modeltest

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// FuzzAnswers fuzzes the models with answers, beginning with the transcripts in testdata/<folder>.
// It checks that the pieces in which an answer arrives make no difference, and that its deltas are
// consistent. The key of models is the folder.
func FuzzAnswers(f *testing.F, models map[string]model.Model) {
	files, _ := filepath.Glob("testdata/*/*.http")
	for _, file := range files {
		s := readTranscript(f, models, file)
		_, failed := s.end.(durable.FetchFailed)
		f.Add(filepath.Base(filepath.Dir(file)), s.head.Status, s.head.Header["content-type"], s.body, 7, failed)
	}
	f.Fuzz(func(t *testing.T, folder string, status int, media string, body []byte, split int, failed bool) {
		if models[folder] == nil {
			return
		}
		s := transcript{
			model: models[folder],
			head:  durable.FetchResponded{Status: status, Header: map[string]string{"content-type": media}},
			end:   durable.FetchEnded{},
		}
		if failed {
			s.end = durable.FetchFailed{Error: "reset"}
		}
		split = max(0, min(split, len(body)))
		got, want := s.play(t, body[:split], body[split:]), s.play(t, body)
		if got != want {
			t.Fatalf("got:\n%s\nwant:\n%s", got, want)
		}
		w := &World{}
		answer := w.Begin(t, s.model, Asked("hi"))
		deltas, err := w.Take(t, answer, s.head, durable.FetchChunk{Data: body}, s.end)
		CheckDeltas(t, deltas, err)
	})
}

// CheckDeltas checks the rules for the deltas and the error of any whole answer.
func CheckDeltas(t *testing.T, deltas []model.Delta, err error) {
	t.Helper()
	finished := false
	started, done := map[string]bool{}, map[string]bool{}
	for _, d := range deltas {
		switch d := d.(type) {
		case model.TextDelta:
			if d.Text == "" {
				t.Error("empty text")
			}
		case model.ReasoningDelta:
			if d.Text == "" {
				t.Error("empty reasoning")
			}
		case model.ToolCallStarted:
			if started[d.ID] || d.Name == "" {
				t.Errorf("started twice or nameless: %v", d)
			}
			started[d.ID] = true
		case model.ToolCallDelta:
			if !started[d.ID] || d.Text == "" {
				t.Errorf("not started or empty: %v", d)
			}
		case model.ToolCall:
			var object map[string]any
			if json.Unmarshal(d.Input, &object) != nil || object == nil {
				t.Errorf("input is no object: %s", d.Input)
			}
			if !started[d.ID] || done[d.ID] {
				t.Errorf("not started or twice: %v", d)
			}
			done[d.ID] = true
		case model.ToolCallInvalid:
			if !started[d.ID] || done[d.ID] || d.Reason == "" {
				t.Errorf("not started, twice, or without a reason: %v", d)
			}
			done[d.ID] = true
		case model.Finished:
			finished = true
			if len(done) != len(started) {
				t.Errorf("%d calls of %d", len(done), len(started))
			}
		}
	}
	if finished == (err != nil) {
		t.Errorf("finished is %v, and the error %v", finished, err)
	}
}
