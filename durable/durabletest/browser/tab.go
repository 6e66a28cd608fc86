package browser

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// Status is what useChat says of the tab's own stream.
type Status string

// The statuses.
const (
	Ready     Status = "ready"
	Submitted Status = "submitted"
	Streaming Status = "streaming"
	Failed    Status = "error"
)

// Tab is one mounted component with the three hooks. Its exported fields are what it
// shows.
type Tab struct {
	Messages []*Message
	Status   Status
	// Error is the text of the error that Status tells of.
	Error string
	// Observing says that a stream of another tab is watched, Recovering that the
	// server has said that an answer is being saved.
	Observing, Recovering bool
	// Identified says that the server has introduced itself on this connection.
	Identified bool
	Runs       map[string]*Run
	// Thrown is every chunk that the AI SDK could not make sense of. There must be none.
	Thrown []string
	// Repeated is every chunk that a stream was sent again which had it: the AI SDK adds its words
	// once more. There must be none.
	Repeated []string
	// Tools are what runs in this tab for the model, as its requests say it, or nil.
	Tools json.RawMessage

	name string
	now  func() int64
	ids  int

	socket socket
	seen   map[string]bool
	// own are the streams that the tab has asked for, resume the one operation that looks
	// for a stream to take up, and may have found one.
	own    []*attached
	resume *resume
	// active is the stream that was begun or taken up last, which a stop lets go of.
	active *attached
	// turn is the turn that a stop would stop, stopped the one whose end has still to come.
	turn, stopped string
	// local are the requests whose frames belong to a stream of the tab's own, offered
	// those that were offered and not heard of since, acked those that were taken up
	// on this socket without the AI SDK.
	local, offered, acked map[string]bool
	// replies are the ids of the messages in which local requests are answered.
	replies    map[string]string
	observed   *accumulator
	askedTwice bool
	// cutOff says that the connection broke while a stream was watched. The client goes on
	// believing that it watches until it hears of that stream or of none at all.
	cutOff, haunted bool
	protected       *protection
	// left is the message that was protected when another took its place, until the next transcript.
	left string
	// rebuilt are the messages that a replay has begun anew.
	rebuilt map[string]bool
	// buffered are messages that were sent while there was no connection, kept those of them
	// that the last greeting did not know.
	buffered, kept map[string]bool
	// continues says that a call was answered here, and that a stream may come of it.
	continues bool
	// clearing says that the tab waits for the end of what it has stopped to clear it away.
	clearing bool
	// recorder writes down what happens, or is nil.
	recorder *recorder
	// reprobe says that the connection came back, and nobody has asked yet whether
	// something streams.
	reprobe bool
}

// attached is a stream that the AI SDK reads.
type attached struct {
	request  string
	building *building
	// next is the number of the chunk that comes next.
	next int64
	// offered says that the tab has taken up its own stream once more: the replay reaches both.
	offered bool
}

// New returns a tab that has just been mounted, with the messages that it got by HTTP.
// Everything that it makes up begins with its name. It asks at once whether there is a
// stream to take up.
func New(name string, now func() int64, initial json.RawMessage) *Tab {
	t := &Tab{
		Status: Ready, Runs: map[string]*Run{}, Messages: messages(initial),
		name: name, now: now, seen: map[string]bool{}, local: map[string]bool{}, offered: map[string]bool{}, acked: map[string]bool{},
		replies: map[string]string{}, buffered: map[string]bool{}, kept: map[string]bool{}, rebuilt: map[string]bool{},
	}
	t.look()
	return t
}

func messages(list json.RawMessage) []*Message {
	var read []*Message
	if json.Unmarshal(list, &read) != nil {
		return nil
	}
	return read
}

func (t *Tab) id(kind string) string {
	t.ids++
	return t.name + "-" + kind + strconv.Itoa(t.ids)
}

// Send asks something, as a person does who types and presses enter.
func (t *Tab) Send(text string) {
	defer t.step(Step{Do: "say", Text: text})()
	m := &Message{ID: t.id("m"), Role: user, Parts: []*Part{{Type: partText, Text: text}}}
	t.Messages = append(t.Messages[:len(t.Messages):len(t.Messages)], m)
	if !t.request("submit-message") {
		t.buffered[m.ID] = true
	}
}

// Edit asks something else in the place of a message, and what came after it is gone.
func (t *Tab) Edit(id, text string) {
	defer t.step(Step{Do: "edit", ID: id, Text: text})()
	at := index(t.Messages, id)
	t.Messages = t.Messages[:at:at]
	t.Messages = append(t.Messages, &Message{ID: id, Role: user, Parts: []*Part{{Type: partText, Text: text}}})
	if !t.request("submit-message") {
		t.buffered[id] = true
	}
}

// Regenerate has the last answer given anew.
func (t *Tab) Regenerate() {
	defer t.step(Step{Do: "regenerate"})()
	if m := last(t.Messages); m != nil && m.Role == assistant {
		t.Messages = t.Messages[:len(t.Messages)-1]
	}
	t.request("regenerate-message")
}

// AskedTwice says whether the tab has ever asked something before what it had asked was
// over. The client then puts an answer behind the wrong question, until a transcript comes
// while nothing streams. An answer that the AI SDK still reads is not over, although
// the hook has forgotten that it is the tab's own: a stop while the tab looks for a stream does that.
func (t *Tab) AskedTwice() bool { return t.askedTwice }

// request sends the list, and says whether the connection took it.
func (t *Tab) request(trigger string) bool {
	id := t.id("r")
	clear(t.kept)
	t.askedTwice = t.askedTwice || len(t.local) > 0 || len(t.own) > 0
	body := encode(struct {
		Messages []*Message      `json:"messages"`
		Trigger  string          `json:"trigger"`
		Tools    json.RawMessage `json:"clientTools,omitempty"`
	}{t.Messages, trigger, t.Tools})
	t.local[id] = true
	t.turn = id
	t.active = &attached{request: id, building: newBuilding(t.id("a"), false)}
	t.own = append(t.own, t.active)
	t.set(Submitted, "")
	return t.send(map[string]any{"id": id, "init": map[string]string{"method": "POST", "body": body}, "type": frameRequest})
}

// Stop stops the turn that the tab is attached to. What it has shown stays.
func (t *Tab) Stop() {
	defer t.step(Step{Do: "stop"})()
	if t.halt() {
		t.set(Ready, "")
	}
	t.ask()
}

// halt sends what stops the turn, and lets go of its stream, of the one that was begun
// last and of the one that was taken up. It says whether there was one.
func (t *Tab) halt() bool {
	turn := t.turn
	if turn != "" {
		t.send(map[string]any{"id": turn, "type": frameCancel})
		t.stopped, t.turn = turn, ""
	}
	if t.awaiting() {
		t.resume.stopped = true
	}
	all, let := t.attached(), false
	for i, a := range all {
		latest := !slices.ContainsFunc(all[i+1:], func(b *attached) bool { return b.request == a.request })
		if a == t.active || a == t.resumed() || a.request == turn && latest {
			t.release(a)
			let = true
			if a.request != turn { // what still comes of it is another's
				delete(t.local, a.request)
			}
		}
	}
	return let
}

// release lets go of a stream.
func (t *Tab) release(a *attached) {
	if t.resumed() == a {
		t.resume = nil
	}
	if t.active == a {
		t.active = nil
	}
	t.own = slices.DeleteFunc(t.own, func(have *attached) bool { return have == a })
}

// Stopping says whether the end of something that was stopped is still to come.
func (t *Tab) Stopping() bool { return t.stopped != "" }

// Clear empties the conversation, as Tributary's page does it: what is under way is stopped
// before, and its last words are cleared away when its end has come.
func (t *Tab) Clear() {
	defer t.step(Step{Do: "clear"})()
	t.clearing = t.Busy()
	halted := t.clearing && t.halt()
	t.forget()
	clear(t.Runs)
	clear(t.seen)
	t.send(map[string]any{"type": frameClear})
	if halted || t.Status == Failed {
		t.set(Ready, "")
	}
	t.ask()
}

// forget empties what the hook holds of the conversation. Streams go on.
func (t *Tab) forget() {
	t.Messages = nil
	t.protected, t.left = nil, ""
	for _, set := range []map[string]bool{t.offered, t.acked, t.buffered, t.kept, t.rebuilt} {
		clear(set)
	}
	maps.DeleteFunc(t.replies, func(string, string) bool { return true })
}

// Busy says whether the tab shows that something is under way.
func (t *Tab) Busy() bool { return t.Status == Submitted || t.Status == Streaming || t.Observing }

// CutOff says that what the tab believes to watch may have ended while it was away.
func (t *Tab) CutOff() bool { return t.Observing && t.cutOff }

// Haunted says whether the tab has put something behind a transcript that it had watched
// when its connection broke, and that may have changed since.
func (t *Tab) Haunted() bool { return t.haunted }

// Buffered says whether something was sent that no server has seen.
func (t *Tab) Buffered() bool { return len(t.buffered) > 0 }

// Kept says whether a message was sent while there was no connection, and is shown since only
// a greeting has not known it. The next request posts it once more.
func (t *Tab) Kept(id string) bool { return t.kept[id] }

// Held returns the message that the tab shows as it has it, whatever transcripts have said, although
// its stream is over, or "". The client has let go of the stream while it was looking for one,
// and does not take the end for that of its own. It shows the message until another answer of its own has begun, and a
// transcript has come behind that.
func (t *Tab) Held() string {
	if t.protected == nil || len(t.attached()) > 0 {
		return t.left
	}
	return t.protected.message
}

func (t *Tab) set(s Status, text string) {
	t.Status, t.Error = s, text
	t.ask()
}
