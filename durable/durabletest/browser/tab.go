package browser

import (
	"encoding/json"
	"slices"
	"strconv"
)

// Status is useChat's status of the tab's own stream.
type Status string

// The statuses.
const (
	Ready     Status = "ready"
	Submitted Status = "submitted"
	Streaming Status = "streaming"
	Failed    Status = "error"
)

// Tab is one mounted component with the three hooks. Its exported fields are what it shows.
type Tab struct {
	Messages []*Message
	Status   Status
	// Error is the error's text, if Status is Failed.
	Error string
	// Observing says that the tab observes a stream that is not its own. Recovering says that the
	// server is recovering an answer.
	Observing, Recovering bool
	// Identified says that the server has sent its identity on this connection.
	Identified bool
	Runs       map[string]*Run
	// Thrown are the errors of chunks that the AI SDK refused. There must be none.
	Thrown []string
	// Repeated are the chunks that a stream was sent twice: the AI SDK adds their text twice. There
	// must be none.
	Repeated []string
	// Tools are the tools that this tab runs for the model, as its requests list them, or nil.
	Tools json.RawMessage

	name string
	now  func() int64
	ids  int

	socket socket
	seen   map[string]bool
	// own are the streams that the tab has requested. resume is the operation that looks for a stream
	// to resume, and may have found one.
	own    []*attached
	resume *resume
	// active is the stream that was requested or resumed last. A stop releases it.
	active *attached
	// turn is the turn that a stop would stop. stopped is the turn that was stopped and whose end has
	// not arrived.
	turn, stopped string
	// local are the requests whose frames belong to a stream of the tab's own. offered are the
	// requests that were offered, until a frame of them arrives. acked are the requests that were
	// acknowledged on this socket without the AI SDK.
	local, offered, acked map[string]bool
	// replays says how many replays of a request the tab has asked for on this socket that have not arrived to the end.
	replays map[string]int
	// replies are the ids of the messages that answer local requests.
	replies    map[string]string
	observed   *accumulator
	askedTwice bool
	// cutOff says that the connection broke while a stream was observed. The client continues to show
	// that it observes, until a frame of that stream arrives, or the answer that there is none.
	cutOff, haunted bool
	protected       *protection
	// left is the message that was protected when another took its place, until the next transcript.
	left string
	// rebuilt are the messages that a replay rebuilds.
	rebuilt map[string]bool
	// buffered are the messages that were sent without a connection. kept are those of them that the
	// last greeting did not have.
	buffered, kept map[string]bool
	// continues says that a call was answered here, and that a stream may follow.
	continues bool
	// clearing says that the tab clears its list again at the end of the turn that it has stopped.
	clearing bool
	// recorder records what happens to the tab, or is nil.
	recorder *recorder
	// reprobe says that the connection came back, and that no probe was sent on it.
	reprobe bool
}

// attached is a stream that the AI SDK reads.
type attached struct {
	request  string
	building *building
	// next is the number of the chunk that comes next.
	next int64
	// twice says that more than one replay reaches the stream. The tab has resumed its own stream as well, or it has
	// resumed a stream that it observes before the replay of that has come to its end. The published client does both.
	twice bool
	// ahead says that the AI SDK hears a frame before the hook does: the request was sent before the hook listened.
	ahead bool
}

// New returns a tab that has just been mounted, with the messages that it got over HTTP. All ids
// that it makes begin with its name. It looks at once for a stream to resume.
func New(name string, now func() int64, initial json.RawMessage) *Tab {
	t := mounted(name, now, initial)
	t.look()
	return t
}

// NewAsking is New for a page that sends a text as it mounts, before the hooks have looked for a stream.
func NewAsking(name string, now func() int64, initial json.RawMessage, text string) *Tab {
	t := mounted(name, now, initial)
	t.Send(text)
	t.own[0].ahead = true
	t.look()
	return t
}

func mounted(name string, now func() int64, initial json.RawMessage) *Tab {
	return &Tab{
		Status: Ready, Runs: map[string]*Run{}, Messages: messages(initial),
		name: name, now: now, seen: map[string]bool{}, local: map[string]bool{}, offered: map[string]bool{}, acked: map[string]bool{},
		replays: map[string]int{},
		replies: map[string]string{}, buffered: map[string]bool{}, kept: map[string]bool{}, rebuilt: map[string]bool{},
	}
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

// Send sends a message, as when a person types it and presses enter.
func (t *Tab) Send(text string) {
	defer t.step(Step{Do: "say", Text: text})()
	m := &Message{ID: t.id("m"), Role: user, Parts: []*Part{{Type: partText, Text: text}}}
	t.Messages = append(t.Messages[:len(t.Messages):len(t.Messages)], m)
	if !t.request("submit-message") {
		t.buffered[m.ID] = true
	}
}

// Edit sends another text in place of a message, and removes all messages behind it.
func (t *Tab) Edit(id, text string) {
	defer t.step(Step{Do: "edit", ID: id, Text: text})()
	at := index(t.Messages, id)
	t.Messages = t.Messages[:at:at]
	t.Messages = append(t.Messages, &Message{ID: id, Role: user, Parts: []*Part{{Type: partText, Text: text}}})
	if !t.request("submit-message") {
		t.buffered[id] = true
	}
}

// Regenerate requests the last answer again.
func (t *Tab) Regenerate() {
	defer t.step(Step{Do: "regenerate"})()
	if m := last(t.Messages); m != nil && m.Role == assistant {
		t.Messages = t.Messages[:len(t.Messages)-1]
	}
	t.request("regenerate-message")
}

// AskedTwice says whether the tab has ever sent a request before its previous request had ended.
// The client then puts an answer behind the wrong question, until a transcript arrives while
// nothing streams. A request has not ended while the AI SDK reads its stream, even if the hook no
// longer counts the stream as the tab's own, as after a stop while the tab looks for a stream. Nor
// has it ended while the tab protects its answer. A question that was sent without a connection,
// before the answer to another tab's question was known, counts as well.
func (t *Tab) AskedTwice() bool { return t.askedTwice }

// request sends the list, and says whether there is a connection.
func (t *Tab) request(trigger string) bool {
	id := t.id("r")
	clear(t.kept)
	t.askedTwice = t.askedTwice || len(t.local) > 0 || len(t.own) > 0 || t.protected != nil
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

// Stop stops the turn that the tab is attached to. The text that is shown stays.
func (t *Tab) Stop() {
	defer t.step(Step{Do: "stop"})()
	if t.halt() {
		t.set(Ready, "")
	}
	t.ask()
}

// halt sends the cancellation of the turn, and releases the turn's stream, the stream that was
// begun last, and the resumed one. It says whether there was any.
func (t *Tab) halt() bool {
	turn := t.turn
	if turn != "" {
		t.send(map[string]any{"id": turn, "type": frameCancel})
		t.stopped, t.turn = turn, ""
	}
	if t.awaiting() {
		t.resume.stopped = true
	}
	all, released := t.attached(), false
	for i, a := range all {
		latest := !slices.ContainsFunc(all[i+1:], func(b *attached) bool { return b.request == a.request })
		if a == t.active || a == t.resumed() || a.request == turn && latest {
			t.release(a)
			released = true
			if a.request != turn { // its next frames are those of another tab's stream
				delete(t.local, a.request)
			}
		}
	}
	return released
}

// release detaches the AI SDK from a stream.
func (t *Tab) release(a *attached) {
	if t.resumed() == a {
		t.resume = nil
	}
	if t.active == a {
		t.active = nil
	}
	t.own = slices.DeleteFunc(t.own, func(have *attached) bool { return have == a })
}

// Stopping says whether the end of a stopped turn has not arrived yet.
func (t *Tab) Stopping() bool { return t.stopped != "" }

// Clear empties the conversation as Tributary's page does: it first stops the turn, and clears the
// list again when the turn's end arrives.
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

// forget empties the hook's state of the conversation. Streams continue.
func (t *Tab) forget() {
	t.Messages = nil
	t.protected, t.left = nil, ""
	for _, set := range []map[string]bool{t.offered, t.acked, t.buffered, t.kept, t.rebuilt} {
		clear(set)
	}
	clear(t.replies)
}

// Busy says whether the tab shows a turn as under way.
func (t *Tab) Busy() bool { return t.Status == Submitted || t.Status == Streaming || t.Observing }

// CutOff says whether the observed stream may have ended while the tab was disconnected.
func (t *Tab) CutOff() bool { return t.Observing && t.cutOff }

// Haunted says whether the tab has merged a message into a transcript that it had observed before
// its connection broke, and that may have changed since.
func (t *Tab) Haunted() bool { return t.haunted }

// Buffered says whether a message was sent that the server has not received.
func (t *Tab) Buffered() bool { return len(t.buffered) > 0 }

// Kept says whether a message was sent without a connection, and is still shown although the
// greeting did not have it. The next request posts it again.
func (t *Tab) Kept(id string) bool { return t.kept[id] }

// Held returns the id of a message that the tab protects from transcripts although its stream has
// ended, or "". The client released the stream while it looked for one, and does not recognize the
// end as that of its own. It shows the message until another answer of its own has begun, and a
// transcript has come after that.
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
