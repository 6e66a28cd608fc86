package main

// mutation is a fault that is put into the core: in a file below durable, new stands in
// place of old, which occurs there once.
type mutation struct {
	name, file, old, new string
	// seed is the first that finds it, counted from 1, so a search needs as many.
	seed uint32
	// test is the folder and the name of the test that finds what the simulator does not see, or "",
	// and unseen says why it does not.
	test, unseen string
}

var mutations = append(first, more...)

var first = []mutation{
	{
		name: "stream: reading begins one behind where it should", file: "stream/log.go",
		old: "if index >= from {", new: "if index > from {", seed: 0,
	},
	{
		name: "stream: a row is skipped", file: "stream/log.go",
		old: "LIMIT 1`, int64(id), first)", new: "LIMIT 1`, int64(id), first+1)", seed: 0,
	},
	{
		name: "run: a slot is not freed", file: "run/keep.go",
		old: "freeSlot(tx, r.ID)\n", new: "", seed: 0,
	},
	{
		name: "run: one that is over holds its place", file: "run/begin.go",
		old: "WHERE slot > 0 AND ended_at = 0", new: "WHERE slot > 0", seed: 0,
	},
	{
		name: "run: nobody who waits is let in", file: "run/begin.go",
		old: "if atWork(tx) >= limits.Concurrent {\n\t\treturn Run{}, false", new: "if true {\n\t\treturn Run{}, false", seed: 0,
	},
	{
		name: "run: the parent forgets which chunk it expects", file: "run/move.go",
		old: "UPDATE run SET next = ?, heard_at", new: "UPDATE run SET next = next + 0 * ?, heard_at", seed: 0,
	},
	{
		name: "turn: a stop that comes too late overwrites a final status", file: "chat/stop.go",
		old: "case conn != \"\":\n", new: "case conn != \"\":\n\t\ttx.SQL(`UPDATE turn SET status = 'aborted' WHERE seq = ?`, t.Seq)\n", seed: 0,
	},
	{
		name: "run: who awaits a run is not noted", file: "run/waiter.go",
		old: "\ttx.SQL(`INSERT OR REPLACE INTO waiter (routine, position, run) VALUES (?, ?, ?)`, w.Routine, w.Position, r.ID)\n", new: "", seed: 0,
	},
	{
		name: "run: nobody is told that a run is cancelled", file: "run/move.go",
		old: "if r.Slot > 0 {", new: "if r.Slot < 0 {", seed: 0,
	},
	{
		name: "chat: a probe is not answered", file: "chat/resume.go",
		old: "send(tx, protocol.Idle(probe), conn)", new: "", seed: 0,
	},
	{
		name: "chat: offers outlive their stream", file: "chat/settle.go",
		old: "h.roster.release(tx)", new: "", seed: 0,
	},
	{
		name: "chat: the end comes before the transcript", file: "chat/settle.go",
		old: "h.show(tx, lost...)\n\teveryone := h.roster.all()\n\th.announce(tx, l.turn, everyone...)",
		new: "everyone := h.roster.all()\n\th.announce(tx, l.turn, everyone...)\n\th.show(tx, lost...)", seed: 0,
	},
	{
		name: "chat: a chunk reaches those who are kept waiting for the replay", file: "chat/speak.go",
		old: "to := h.roster.listening()", new: "to := h.roster.all()", seed: 0,
	},
	{
		name: "chat: the acknowledgement of a stream that is over gets no answer", file: "chat/resume.go",
		old: "case ok && t.Status.Final():\n", new: "case ok && t.Status.Final():\n\tcase false:\n", seed: 0,
	},
	{
		name: "chat: nobody hears that a broken answer goes on", file: "chat/recover.go",
		old: "l.recovering = false\n", new: "l.recovering = false\n\t\treturn\n", seed: 0,
	},
	{
		name: "chat: a stop leaves runs at work", file: "chat/stop.go",
		old: "range run.OfTurn(tx, h.live.turn.Seq) {", new: "range run.OfTurn(tx, -1) {", seed: 0,
	},
	{
		name: "chat: a result is not handed to whoever awaits it", file: "chat/finish.go",
		old: "h.deliver(tx, r)\n", new: "", seed: 0,
	},
	{
		name: "turn: a step is not journaled", file: "turn/step.go",
		old: "n int, s Step) {", new: "n int, s Step) {\n\tif n >= 0 {\n\t\treturn\n\t}", seed: 0,
	},
	{
		name: "turn: a call's end is not journaled", file: "turn/step.go",
		old: "SET done = 1,", new: "SET done = 0,", seed: 0,
	},
	{
		name: "turn: the queue is last in first out", file: "turn/queue.go",
		old: "ORDER BY seq LIMIT 1`, string(Queued))", new: "ORDER BY seq DESC LIMIT 1`, string(Queued))", seed: 0,
	},
	{
		name: "flow: what an await has brought is not journaled", file: "flow/journal.go",
		old: "reason = ?, failure = ?, result = ? WHERE", new: "reason = ?, failure = ?, result = COALESCE(NULL, SUBSTR(?, 1, 0)) WHERE", seed: 0,
	},
	{
		name: "flow: an await is asked for anew in every life", file: "flow/journal.go",
		old: "if place < len(j.branches[branch]) {", new: "if place < 0 {", seed: 0,
	},
	{
		name: "wire: a stream goes on one behind where it should", file: "chat/serve.go",
		old: "next: r.From, milestones", new: "next: r.From + 1, milestones", seed: 0,
	},
	{
		name: "wire: a frame that came in two pieces is lost", file: "wire/reader.go",
		old: "whole, r.pending = r.pending[prefix:], nil", new: "r.pending = nil", seed: 0,
	},
	{
		name: "model: what an answer had said is forgotten", file: "model/openai_request.go",
		old: `if request.Said != "" {`, new: `if request.Said == "\x00" {`, seed: 0,
	},
	{
		name: "drill-in: everybody may come in", file: "chat/drill.go",
		old: "return r, ok && r.Slot > 0 && protocol.Kebab(r.Class) == class", new: "return r, ok || r.Slot == 0", seed: 0,
	},
	{
		name: "turn: the key of a submission is not looked up", file: "turn/submission.go",
		old: `if !joined && t.Key != "" {`, new: `if !joined && t.Key == "\x00" {`, seed: 0,
	},
	{
		name: "chat: a submission that waits is not cancelled", file: "chat/submission.go",
		old: "\t\tc.host.abort(c.tx, t)\n", new: "", seed: 0,
	},
	{
		name: "chat: who was answered is kept as a caller", file: "chat/caller.go",
		old: "\ttx.SQL(`DELETE FROM caller WHERE turn = ?`, t.Seq)\n", new: "", seed: 0,
	},
	{
		name: "chat: who streams a turn that speaks is sent no more of it", file: "chat/caller.go",
		old: "\tl.callers = append(l.callers, c)\n", new: "", seed: 0,
	},
	{
		name: "chat: whoever gives way is not told so", file: "chat/policy.go",
		old: "h.leave(tx, &t, turn.Skipped)\n", new: "", seed: 0,
	},
	{
		name: "run: a letter that was handed over stays in the ledger", file: "run/letter.go",
		old: "{ tx.SQL(`DELETE FROM letter WHERE run = ?`, l.Run) }", new: "{}", seed: 0,
	},
	{
		name: "run: an attempt to hand a letter over is not counted", file: "run/letter.go",
		old: "Claimed, l.Attempts+1", new: "Claimed, l.Attempts", seed: 0,
	},
	{
		name: "schedule: an attempt is not counted", file: "schedule/call.go",
		old: "attempts = attempts + 1 WHERE", new: "attempts = attempts WHERE", seed: 0,
	},
	{
		name: "schedule: the next time is not written", file: "schedule/call.go",
		old: "e.State, e.Planned, e.Due, e.Attempts = Waits, next, next, 0", new: "e.State, e.Due, e.Attempts = Waits, next, 0", seed: 0,
	},
	{
		name: "schedule: what is cancelled stays", file: "schedule/list.go",
		old: "`DELETE FROM callback WHERE id = ? RETURNING seq`", new: "`SELECT seq FROM callback WHERE id = ?`", seed: 0,
	},
	{
		name: "chat: the alarm forgets schedules", file: "chat/callback.go",
		old: "due > 0 {", new: "due < 0 {", seed: 0,
	},
	{
		name: "chat: the last report of a burst is not told", file: "chat/report.go",
		old: "k.reported.Report.N > t.reports {", new: "k.reported.Report.N > t.reports+4 {", seed: 0,
	},
	{
		name: "run: a milestone is not counted", file: "run/milestone.go",
		old: "= n+1, tx.Now", new: "= n, tx.Now", seed: 0,
	},
	{
		name: "chat: a long conversation is told whole", file: "chat/window.go",
		old: "if total <= h.agent.History && !earlier || len(units) == 0 {", new: "if total > 0 || len(units) == 0 {", seed: 0,
	},
	{
		name: "chat: a turn goes on before all open calls of one message are answered", file: "chat/answer.go",
		old: "`message = ? AND state = ?`, message, askOpen)) > 0 {",
		new: "`message = ? AND state = ?`, message, askOpen)) > 9 {", seed: 1,
	},
	{
		name: "chat: a probe that comes twice on a connection is answered twice", file: "chat/roster.go",
		old: `again := probe != "" && r.probes[id] == probe`,
		new: `again := probe == "\x00"`, seed: 20,
	},
	{
		name: "chat: nobody knows with which run a question waits", file: "chat/ask.go",
		old: "call, l.turn.Reply, k.run, askOpen)",
		new: "call, l.turn.Reply, k.run[:0], askOpen)", seed: 1,
	},
	{
		name: "chat: a run's chunks are shown one number too low", file: "chat/follow.go",
		old: "first+int64(i)+1, chunkOf",
		new: "first+int64(i), chunkOf", seed: 1,
	},
}
