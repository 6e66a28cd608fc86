package browser

import "slices"

// Asks returns the calls that the tab shows as waiting for approval: those of the conversation, and
// those of helpers.
func (t *Tab) Asks() []string {
	var calls []string
	collect := func(parts []*Part) {
		for _, p := range parts {
			if p.State == approvalRequested && !slices.Contains(calls, p.ToolCallID) {
				calls = append(calls, p.ToolCallID)
			}
		}
	}
	for _, m := range t.Messages {
		collect(m.Parts)
	}
	for _, r := range t.Runs {
		if r.Status == "running" {
			collect(r.Parts)
		}
	}
	slices.Sort(calls)
	return calls
}

// Approve answers a call. A call of the conversation is shown as answered at once, and the tab
// looks for the stream that follows. A helper's call is shown as answered when the helper reports
// it.
func (t *Tab) Approve(id string, approved bool) {
	defer t.step(Step{Do: "answer", ID: id, Yes: approved})()
	t.send(map[string]any{"type": frameApproval, "toolCallId": id, "approved": approved, "autoContinue": true})
	for i, m := range t.Messages {
		asks := func(p *Part) bool { return p.ToolCallID == id && p.State == approvalRequested }
		at := slices.IndexFunc(m.Parts, asks)
		if at < 0 {
			continue
		}
		c := m.clone()
		p := c.Parts[at]
		p.State, p.Approval = approvalResponded, &Approval{ID: p.Approval.ID, Approved: &approved}
		t.Messages = replaced(t.Messages, i, c)
		t.continues = true
		t.ask()
		return
	}
}

// awaitContinuation looks for the stream that follows an answer. The tab shows at once that it
// waits.
func (t *Tab) awaitContinuation() {
	t.continues = false
	t.look()
	t.set(Submitted, "")
}
