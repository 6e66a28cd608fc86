package browser

import (
	"bytes"
	"encoding/json"
)

// Vector is the recorded life of one tab. The published client must do the same when the same
// happens to it.
type Vector struct {
	// Tab is the prefix of all ids that the tab has made.
	Tab string `json:"tab"`
	// SDK is the only major of the AI SDK that does this, where they differ.
	SDK     int             `json:"sdk,omitempty"`
	Initial json.RawMessage `json:"initial"`
	Steps   []*Step         `json:"steps"`
}

// Step is something that happens to a tab, with its results.
type Step struct {
	// At is the time, in milliseconds since the tab was mounted.
	At int64 `json:"at"`
	// Do is what happens: mount, connect, opened, broke, closed, tick, hear, or a person's action.
	Do   string          `json:"do"`
	Hear json.RawMessage `json:"hear,omitempty"`
	Text string          `json:"text,omitempty"`
	// ID is the call or the message of a person's action. Yes is the answer to a call.
	ID   string `json:"id,omitempty"`
	Yes  bool   `json:"yes,omitempty"`
	Code int    `json:"code,omitempty"`
	// Sent are the frames that the tab sends.
	Sent []json.RawMessage `json:"sent,omitempty"`
	// Shows is what the step has changed in the tab. In lists of messages, runs and parts, true
	// stands for an unchanged element.
	Shows map[string]json.RawMessage `json:"shows,omitempty"`
}

// recorder records what happens to a tab.
type recorder struct {
	vector  *Vector
	mounted int64
	depth   int
	shown   *view
}

// Record records what happens to a tab that has just been mounted.
func (t *Tab) Record(initial json.RawMessage) *Vector {
	if messages(initial) == nil {
		initial = json.RawMessage("[]")
	}
	t.recorder = &recorder{vector: &Vector{Tab: t.name, Initial: initial}, mounted: t.now(), shown: &view{}}
	t.step(Step{Do: "mount"})()
	return t.recorder.vector
}

// step begins a step, and returns a function that ends it. A step within a step is not recorded.
func (t *Tab) step(s Step) (end func()) {
	r := t.recorder
	if r == nil {
		return func() {}
	}
	r.depth++
	before := len(t.socket.out)
	return func() {
		if r.depth--; r.depth > 0 {
			return
		}
		s.At = t.now() - r.mounted
		for _, frame := range t.socket.out[min(before, len(t.socket.out)):] {
			s.Sent = append(s.Sent, json.RawMessage(frame))
		}
		shows := t.view()
		s.Shows, r.shown = shows.since(r.shown), shows
		r.vector.Steps = append(r.vector.Steps, &s)
	}
}

// view is what a tab shows.
type view struct {
	Status     Status
	Error      string
	Observing  bool
	Recovering bool
	Messages   []json.RawMessage
	Runs       map[string]json.RawMessage
}

func (t *Tab) view() *view {
	v := &view{Status: t.Status, Error: t.Error, Observing: t.Observing, Recovering: t.Recovering, Runs: map[string]json.RawMessage{}}
	for _, m := range t.Messages {
		v.Messages = append(v.Messages, json.RawMessage(encode(m)))
	}
	for id, r := range t.Runs {
		v.Runs[id] = json.RawMessage(encode(r))
	}
	return v
}

// since returns what has changed since an earlier view.
func (v *view) since(was *view) map[string]json.RawMessage {
	news := map[string]json.RawMessage{}
	tell := func(name string, is, was any) {
		if is := encode(is); is != encode(was) {
			news[name] = json.RawMessage(is)
		}
	}
	tell("status", v.Status, was.Status)
	tell("error", v.Error, was.Error)
	tell("observing", v.Observing, was.Observing)
	tell("recovering", v.Recovering, was.Recovering)
	tell("messages", v.Messages, was.Messages)
	tell("runs", v.Runs, was.Runs)
	if news["messages"] != nil {
		news["messages"] = json.RawMessage(encode(v.newMessages(was)))
	}
	if news["runs"] != nil {
		news["runs"] = json.RawMessage(encode(v.newRuns(was)))
	}
	return news
}

var same = json.RawMessage("true")

func (v *view) newMessages(was *view) []json.RawMessage {
	news := []json.RawMessage{}
	for i, m := range v.Messages {
		if i < len(was.Messages) {
			m = abridged(m, was.Messages[i])
		}
		news = append(news, m)
	}
	return news
}

func (v *view) newRuns(was *view) map[string]json.RawMessage {
	news := map[string]json.RawMessage{}
	for id, run := range v.Runs {
		news[id] = abridged(run, was.Runs[id])
	}
	return news
}

// abridged returns a message or a run in which true stands for each unchanged part.
func abridged(is, was json.RawMessage) json.RawMessage {
	if bytes.Equal(is, was) {
		return same
	}
	var before struct{ Parts []json.RawMessage }
	var whole map[string]json.RawMessage
	var parts []json.RawMessage
	_ = json.Unmarshal(was, &before)
	_ = json.Unmarshal(is, &whole)
	_ = json.Unmarshal(whole["parts"], &parts)
	for i := range min(len(parts), len(before.Parts)) {
		if bytes.Equal(parts[i], before.Parts[i]) {
			parts[i] = same
		}
	}
	if parts != nil {
		whole["parts"] = json.RawMessage(encode(parts))
	}
	return json.RawMessage(encode(whole))
}
