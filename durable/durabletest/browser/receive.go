package browser

import (
	"encoding/json"
	"strconv"
)

// Frame delivers one text frame of the server. Unknown frames are ignored.
func (t *Tab) Frame(text string) {
	defer t.step(Step{Do: "hear", Hear: json.RawMessage(text)})()
	var f frame
	if json.Unmarshal([]byte(text), &f) != nil {
		return
	}
	defer t.collapse()
	switch f.Type {
	case frameIdentity:
		t.Identified = true
	case frameClear:
		t.observed, t.Observing, t.Recovering = nil, false, false
		t.forget()
	case frameRecovers:
		t.Recovering = f.Recovering
	case frameMessages:
		t.transcript(f)
	case frameUpdated:
		t.updated(f)
	case frameNone:
		t.none(f)
	case framePending:
		if t.awaiting() {
			t.resume.due = t.now() + pendingPatience
		}
	case frameResuming:
		t.resuming(f)
	case frameResponse:
		t.response(f)
	case frameTool:
		t.hear(f)
	}
}

// response handles a frame of a turn's stream: first in the hook, then in the streams that the AI
// SDK reads.
func (t *Tab) response(f frame) {
	if f.Done && f.Outcome != "recovering" && t.clearing { // an observed stream's last text is merged after this
		t.Messages, t.clearing = nil, false
	}
	t.readAll(f, true)
	if t.local[f.ID] {
		t.localFrame(f)
	} else {
		t.foreignFrame(f)
	}
	if f.ReplayComplete {
		t.replays[f.ID]--
	}
	t.readAll(f, false)
	if f.Done && t.stopped == f.ID {
		t.stopped = ""
	}
}

// localFrame is what the hook does with a frame of a stream of the tab's own.
func (t *Tab) localFrame(f frame) {
	if c, ok := f.chunk(); ok && c.Type == "start" && c.MessageID != nil {
		t.replies[f.ID] = *c.MessageID
		if !f.Continuation {
			t.protect(*c.MessageID)
		}
		if f.Replay && !f.Continuation {
			t.emptied(*c.MessageID)
		}
	}
	over := f.Done || f.failed()
	if over || f.ReplayComplete {
		delete(t.offered, f.ID)
	}
	if !over {
		return
	}
	if t.observed != nil && t.observed.request == f.ID {
		t.observed, t.Observing = nil, false
	}
	t.restore(t.replies[f.ID])
	t.ended(f.ID)
	delete(t.replies, f.ID)
	delete(t.local, f.ID)
}

func (t *Tab) ended(request string) {
	if t.turn == request {
		t.turn = ""
	}
	delete(t.acked, request)
	delete(t.replays, request)
}

// readAll passes a frame to the streams that hear it before the hook does, or behind it.
func (t *Tab) readAll(f frame, ahead bool) {
	for _, a := range t.attached() {
		if a.request == f.ID && a.ahead == ahead {
			t.read(a, f)
		}
	}
}

// read passes a frame to the AI SDK.
func (t *Tab) read(a *attached, f frame) {
	if f.failed() {
		t.end(a, Failed, f.Body)
		return
	}
	if f.Seq != nil {
		t.count(a, f.ID, *f.Seq)
	}
	if c, ok := f.chunk(); ok {
		effect, err := a.building.apply(c)
		if err != nil {
			t.Thrown = append(t.Thrown, err.Error())
			t.end(a, Failed, err.Error())
			return
		}
		t.write(a.building, effect)
	}
	if f.Done {
		t.end(a, Ready, "")
	}
}

// count records the number of a stream's chunk, and reports a chunk that came before.
func (t *Tab) count(a *attached, request string, number int64) {
	if number < a.next && !a.twice {
		t.Repeated = append(t.Repeated, request+" "+strconv.FormatInt(number, 10))
	}
	a.next = number + 1
}

// end ends a stream. The stream is released before the status changes, because the new status may
// begin another stream.
func (t *Tab) end(a *attached, s Status, text string) {
	t.release(a)
	delete(t.local, a.request)
	t.ended(a.request)
	t.set(s, text)
}

func (t *Tab) write(b *building, e effect) {
	if e == silent {
		return
	}
	if e == loud && t.Status != Streaming {
		t.set(Streaming, "")
	}
	if at := index(t.Messages, b.message.ID); at >= 0 {
		t.Messages = replaced(t.Messages, at, b.message.clone())
		return
	}
	// As in the AI SDK this is no copy, so silent chunks show as well until the next write.
	t.Messages = append(t.Messages[:len(t.Messages):len(t.Messages)], b.message)
}
