package client

// receive handles a frame of the server. Frames that are not known, or not well formed, are ignored.
func (c *Conversation) receive(text []byte) bool {
	f, ok := decode(text)
	if !ok {
		return true
	}
	if f.Type == typeIdentity {
		c.failed = 0
		if !c.wasGreeted {
			c.wasGreeted = true
			close(c.greeted)
		}
		return true
	}
	c.mu.Lock()
	frames := c.handle(f)
	socket := c.socket
	c.mu.Unlock()
	c.send(socket, frames...)
	return true
}

// handle handles a frame and returns the frames to send.
func (c *Conversation) handle(f incoming) [][]byte {
	switch f.Type {
	case typeResponse:
		return c.response(f)
	case typeResuming:
		return c.resuming(f)
	case typePending, typeNone:
		c.answerQuestions(f)
	case typeMessages:
		for _, m := range f.Messages {
			for _, a := range c.answers {
				a.accepted = a.accepted || a.question != "" && a.question == m.ID
			}
		}
	case typeCall:
		c.called(f)
	case typeToolEvent:
		c.runEvent(f)
	}
	return nil
}

// response handles a frame of an answer's stream.
func (c *Conversation) response(f incoming) [][]byte {
	over := (f.done() || f.failed()) && f.Outcome != "recovering"
	a := c.answer(f.ID)
	switch {
	case a == nil && !over:
		c.foreign = f.ID
	case a == nil:
		return c.foreignEnd(f.ID)
	case over:
		c.drop(a)
		a.end(f)
	default:
		a.accepted = true
		for _, event := range c.unclaimed.take(a.receive(f)) {
			a.event(event)
		}
	}
	return nil
}

// foreignEnd notes the end of somebody else's answer. If it was offered, the server takes the next
// probe for the answer to that offer, and leaves it unanswered. So the offer is acknowledged, and
// probes that were sent since are repeated.
func (c *Conversation) foreignEnd(id string) [][]byte {
	if c.foreign == id {
		c.foreign = ""
	}
	if c.offer != id {
		return nil
	}
	c.offer = ""
	frames := [][]byte{ackFrame(id)}
	for _, q := range c.questions {
		frames = append(frames, q.frames()...)
	}
	return frames
}

// resuming handles an offer of a stream. It is acknowledged if the answer is wanted here, or if it
// answers a probe. The offer of a greeting is left open otherwise: the server would replay the
// stream, and would not replay its beginning again when somebody attaches to it.
func (c *Conversation) resuming(f incoming) [][]byte {
	c.answerQuestions(f)
	if c.answer(f.ID) != nil || f.ProbeID != "" {
		return [][]byte{ackFrame(f.ID)}
	}
	c.offer = f.ID
	return nil
}

// runEvent hands an event of a helper's run to the answer whose tool call has started the run.
func (c *Conversation) runEvent(f incoming) {
	for _, a := range c.answers {
		if _, ok := a.tools[f.ParentToolCall]; ok {
			a.event(f)
			return
		}
	}
	c.unclaimed.add(f)
}

// unclaimed are events of runs whose tool call was not seen yet: on a new connection they come
// before the chunk with the call. The oldest are forgotten.
type unclaimed struct {
	backlog[incoming]
}

// The bounds of unclaimed.
const (
	maxUnclaimed      = 4096
	maxUnclaimedBytes = 8 << 20
)

func (u *unclaimed) add(f incoming) {
	if f.ParentToolCall == "" {
		return
	}
	u.backlog.add(f, f.size)
	for u.reaches(maxUnclaimed+1, maxUnclaimedBytes+1) {
		u.backlog.take()
	}
}

// take removes and returns the events of a call's runs.
func (u *unclaimed) take(call string) (taken []incoming) {
	if call == "" {
		return nil
	}
	var left backlog[incoming]
	for f, ok := u.backlog.take(); ok; f, ok = u.backlog.take() {
		if f.ParentToolCall == call {
			taken = append(taken, f)
		} else {
			left.add(f, f.size)
		}
	}
	u.backlog = left
	return taken
}
