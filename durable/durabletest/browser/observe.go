package browser

// foreignFrame is what the hook does with a frame of a stream that is not the tab's own.
func (t *Tab) foreignFrame(f frame) {
	watched := t.observed != nil && t.observed.request == f.ID
	switch {
	case f.Replay && t.observed == nil && !t.offered[f.ID]:
		return
	case f.Done && !f.failed() && !watched && !t.offered[f.ID]:
		t.ended(f.ID)
		return
	case f.failed():
		delete(t.offered, f.ID)
		t.ended(f.ID)
		t.Recovering = false
		if t.observed == nil || watched {
			t.observed, t.Observing = nil, false
		}
		return
	}
	c, ok := f.chunk()
	if ok && f.Replay && !f.Continuation && c.Type == "start" && c.MessageID != nil {
		delete(t.offered, f.ID)
		t.emptied(*c.MessageID)
	}
	if f.Done || f.ReplayComplete {
		delete(t.offered, f.ID)
	}
	if f.Done {
		t.ended(f.ID)
		t.Recovering = t.Recovering && f.Outcome == "recovering"
	}
	t.observe(f, c, ok)
}

// observe folds a frame into the observed stream. A frame of another request replaces that stream.
func (t *Tab) observe(f frame, c chunk, hasChunk bool) {
	begins := hasChunk && f.Replay && c.Type == "start"
	if t.observed == nil || t.observed.request != f.ID || begins {
		t.observed = &accumulator{request: f.ID, id: t.id("o"), continuation: f.Continuation}
		if f.Continuation {
			t.observed.waiting = []chunk{}
		}
	}
	a := t.observed
	t.cutOff = false
	if hasChunk {
		a.apply(c)
	}
	switch {
	case f.ReplayComplete:
		t.Messages = a.mergeInto(t.Messages)
	case (f.Done || hasChunk && !f.Replay) && !a.diverges(t.Messages):
		t.Messages = a.mergeInto(t.Messages)
	}
	t.Observing = !f.Done
	if f.Done {
		t.observed = nil
	}
}
