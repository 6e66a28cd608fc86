package browser

import "slices"

// resume is an operation that looks for a stream to resume. There is one at a time, and it lasts
// until the stream that it has found ends.
type resume struct {
	probe string
	// due is when silence means that there is no stream.
	due    int64
	stream *attached
	// stopped says that a person has pressed stop meanwhile. A stream that is found is then released
	// at once, and observed.
	stopped bool
}

// Times in milliseconds.
const (
	probePatience   = 5_000
	pendingPatience = 60_000
)

// resumed returns the stream that was resumed, or nil.
func (t *Tab) resumed() *attached {
	if t.resume == nil {
		return nil
	}
	return t.resume.stream
}

// attached returns the streams that the AI SDK reads.
func (t *Tab) attached() []*attached {
	all := slices.Clone(t.own)
	if a := t.resumed(); a != nil {
		all = append(all, a)
	}
	return all
}

// awaiting says whether a probe has not been answered yet.
func (t *Tab) awaiting() bool { return t.resume != nil && t.resume.stream == nil }

// look begins to look for a stream to resume.
func (t *Tab) look() {
	t.resume = &resume{probe: t.id("p")}
	t.probe()
}

func (t *Tab) probe() {
	t.resume.due = t.now() + probePatience
	t.send(map[string]any{"type": frameProbe, "probeId": t.resume.probe})
}

// ask looks for a stream after the connection came back, or after a call was answered, as soon as
// nothing else is under way.
func (t *Tab) ask() {
	switch {
	case t.continues && t.resume == nil && t.Status == Ready:
		t.awaitContinuation()
	case !t.socket.open || !t.reprobe:
	case t.awaiting():
		t.reprobe = false
		t.probe()
	case t.resume == nil && (t.Status == Ready || t.Status == Failed):
		t.reprobe = false
		t.look()
	}
}

// idle ends the operation without a stream.
func (t *Tab) idle() {
	t.resume = nil
	t.set(Ready, "")
}

// none handles the answer that there is no stream.
func (t *Tab) none(f frame) {
	if !t.awaiting() || f.ProbeID != "" && f.ProbeID != t.resume.probe {
		return
	}
	if f.Reason == "idle" && f.ProbeID != "" {
		t.observed, t.Observing = nil, false
	}
	t.idle()
}

// resuming handles an offer of a stream. If the tab has sent a probe, the AI SDK resumes the
// stream; otherwise the tab observes it.
func (t *Tab) resuming(f frame) {
	t.offered[f.ID] = true
	if t.awaiting() {
		t.turn = f.ID
		for _, a := range t.own {
			a.twice = a.twice || a.request == f.ID
		}
		twice := t.replays[f.ID] > 0
		t.acknowledge(f.ID)
		if t.resume.stopped {
			delete(t.local, f.ID)
			t.idle()
			return
		}
		t.local[f.ID] = true
		t.active = &attached{request: f.ID, building: t.resumable(), twice: twice}
		t.resume.stream = t.active
		t.set(Submitted, "")
		return
	}
	if t.local[f.ID] || t.acked[f.ID] {
		return
	}
	t.observed = &accumulator{request: f.ID, id: t.id("o")}
	t.Observing, t.Recovering = true, false
	t.turn = f.ID
	t.acked[f.ID] = true
	t.acknowledge(f.ID)
}

// acknowledge asks for the replay of a stream that was offered.
func (t *Tab) acknowledge(request string) {
	t.replays[request]++
	t.send(map[string]any{"type": frameAck, "id": request})
}

// resumable returns the message with which the AI SDK begins to resume a stream. It is empty,
// unless the last message waits for the rest of a call.
func (t *Tab) resumable() *building {
	b := newBuilding(t.id("a"), true)
	m := last(t.Messages)
	if m == nil || m.Role != assistant {
		return b
	}
	for _, p := range m.Parts {
		if p.ToolCallID != "" && (p.State == inputStreaming || p.State == approvalResponded) {
			b.message = m.clone()
			return b
		}
	}
	return b
}
