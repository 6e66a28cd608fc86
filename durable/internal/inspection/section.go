package inspection

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about sections, which say in one place what is stored in several tables. They read
// tables that are made, and nothing else. A section without rows is left out, so an application shows
// the sections of what it uses.

// Shown is what an object knows beside its rows.
type Shown struct {
	// Pending is what people are asked, here and below.
	Pending []run.Pending
	// Attempts says of the steps of the program under way how many attempts each has at most, by what
	// the steps are called.
	Attempts map[string]int
	// More are the sections of features that an application links by need. Those without rows are left out.
	More []Table
}

// sections are the sections that have rows.
func sections(tx *durable.Tx, shown Shown) []Table {
	list := []Table{
		approvals(shown.Pending), questions(shown.Pending), steps(tx, shown.Attempts), code(tx), runs(tx), signals(tx), actions(tx), owed(tx),
	}
	return slices.DeleteFunc(append(list, shown.More...), func(t Table) bool { return len(t.Rows) == 0 })
}

// approvals are the calls that wait for approval. A person who approves needs the scopes.
func approvals(pending []run.Pending) Table {
	t := Table{Name: "approvals", Columns: []string{"id", "run", "tool", "title", "text", "risk", "scopes", "input", "asked_at", "expires_at"}}
	for _, q := range pending {
		if q.Kind != run.Approval {
			continue
		}
		t.Add(q.ID, strings.Join(q.Path, " / "), q.Tool, q.Title, q.Text, q.Risk, strings.Join(q.Scopes, " "), string(q.Input), q.Asked, When(q.Expires))
	}
	return t
}

// questions are the questions of code that nobody has answered.
func questions(pending []run.Pending) Table {
	t := Table{Name: "questions", Columns: []string{"id", "run", "title", "text", "asked_at", "expires_at"}}
	for _, q := range pending {
		if q.Kind != run.Form {
			continue
		}
		t.Add(q.ID, strings.Join(q.Path, " / "), q.Title, q.Text, q.Asked, When(q.Expires))
	}
	return t
}

// steps are the steps with attempts of code whose journal is kept. The journal does not say how many
// attempts a step has at most.
func steps(tx *durable.Tx, attempts map[string]int) Table {
	t := Table{Name: "steps", Columns: []string{"code", "step", "state", "attempt", "error", "again_at"}}
	if !tx.Made("await") {
		return t
	}
	t.Total = tx.Number(`SELECT COUNT(*) FROM await WHERE nth > 0`)
	if t.Total == 0 {
		return t
	}
	for _, row := range tx.SQL(`SELECT s.routine, SUBSTR(s.name, 4), s.nth, s.ended, s.failure, s.attempts, s.lost, s.reason, s.error, d.due
		FROM await s
		LEFT JOIN await p ON p.routine = s.routine AND p.branch = s.position AND p.name = 'pause' AND p.ended = 0
		LEFT JOIN schedule d ON d.kind = ? AND d.id = p.routine || '#' || p.position
		WHERE s.nth > 0 ORDER BY s.routine DESC, s.position DESC LIMIT ?`, flow.DueSleep, inspectedRows) {
		name := row.Text(1)
		if nth := row.Int(2); nth > 1 {
			name = fmt.Sprintf("%s (%d)", name, nth)
		}
		state, attempt := flow.StepRunning, row.Int(5)+1
		switch {
		case row.Int(3) > 0 && row.Text(4) != "":
			state, attempt = flow.StepFailed, max(row.Int(5), 1)
		case row.Int(3) > 0:
			state, attempt = flow.StepCompleted, max(row.Int(5), 1)
		case row.Int(9) > 0:
			state, attempt = flow.StepWaiting, max(row.Int(5), 1)
		}
		words := fmt.Sprint(attempt)
		if most := attempts[name]; most > 0 {
			words = fmt.Sprintf("%d of %d", attempt, most)
		}
		if lost := row.Int(6); lost > 0 {
			words += fmt.Sprintf(", %d lost", lost)
		}
		t.Rows = append(t.Rows, durable.Row{row.Text(0), cut(name), string(state), words, cut(row.Text(8)), When(row.Int(9))})
	}
	return t
}

// code returns the section about the code of models. It has no rows in a module without such code.
var code = func(*durable.Tx) Table { return Table{} }

// ShowCode has the code of models be a section from now on. What makes tools that run code calls it.
func ShowCode() { code = codeOfModels }

// codeOfModels is the code of models that runs, or waits for a person. Work is in units, up to the last answer
// that the code has got. The time that is left is in milliseconds. The time of code that waits for a
// person stands still.
func codeOfModels(tx *durable.Tx) Table {
	t := Table{Name: "code", Columns: []string{"code", "state", "calls", "answered", "stretch", "attempt", "work", "time_left"}}
	if !tx.Made("await") {
		return t
	}
	for _, row := range tx.SQL(`SELECT g.routine, g.seen, g.attempts, g.lost, g.error, d.due,
			(SELECT COUNT(*) FROM await c WHERE c.routine = g.routine AND c.branch = ? AND c.name GLOB 'branch code/*'),
			(SELECT COUNT(*) FROM await c WHERE c.routine = g.routine AND c.branch = ? AND c.name GLOB 'branch code/*' AND c.ended > 0)
		FROM await g LEFT JOIN schedule d ON d.kind = ? AND d.id = g.routine || '#' || g.position
		WHERE g.name = ? AND g.branch = ? ORDER BY g.routine DESC`, flow.Main, flow.Main, flow.DueSleep, flow.GuardName, flow.Main) {
		state, left := "running", max(row.Int(5)-tx.Now, 0)
		switch {
		case row.Int(3) > 0:
			state, left = "waits for a person", row.Int(3)
		case row.Int(2) > flow.MaxSliceLosses:
			state = "has ended the instance too often"
		}
		t.Add(row.Text(0), state, row.Int(6), row.Int(7), row.Int(1), row.Int(2), row.Text(4), left)
	}
	return t
}

// runs are those of the newest runs that were paused, labelled, versioned or repeated, that repeat
// another one, whose signals were dropped, or that a helper has begun.
func runs(tx *durable.Tx) Table {
	t := Table{Name: "runs", Columns: []string{
		"run", "class", "status", "paused", "labels", "version", "restart_of", "restarted_as", "from_step", "origin", "root_to_be_told", "dropped_signals",
	}}
	if !tx.Made("run") {
		return t
	}
	for _, r := range run.Shown(tx, run.Newest, inspectedRows) {
		paused := ""
		if r.Status == run.Paused {
			paused = pauseWords(r.Pause)
		}
		if facts := paused + r.Version + r.Restart.Of + r.Restart.As; facts == "" && len(r.Labels) == 0 && r.Origin == nil && r.Hosted == nil && r.DroppedSignals == 0 {
			continue
		}
		t.Add(r.ID, r.Class, string(r.Status), paused, labelWords(r.Labels), r.Version, r.Restart.Of, r.Restart.As, r.Restart.From,
			originWords(r.Origin), hostedWords(r.Hosted), r.DroppedSignals)
	}
	return t
}

func pauseWords(p run.Pause) string {
	words := p.Why
	if words == "" {
		words = "without a reason"
	}
	if p.Inherited {
		words += ", with the run above"
	}
	if p.Due {
		words += ", the helper has still to be told"
	}
	return words
}

func labelWords(labels map[string]string) string {
	var words []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		words = append(words, key+"="+labels[key])
	}
	return strings.Join(words, ", ")
}

// originWords names the runs from the root to the helper that has begun a run.
func originWords(o *run.Origin) string {
	if o == nil {
		return ""
	}
	var words []string
	for _, hop := range o.Path {
		words = append(words, hop.Run)
	}
	return strings.Join(words, " / ")
}

// hostedWords says what the root has still to be told of a run that it hosts for this helper.
func hostedWords(h *run.Hosted) string {
	if h == nil {
		return ""
	}
	var words []string
	if h.Asked {
		words = append(words, "to begin it")
	}
	if h.Cancel != "" {
		words = append(words, "to cancel it: "+h.Cancel)
	}
	if h.Cleared {
		words = append(words, "that it was cleared")
	}
	return strings.Join(words, ", ")
}

// signals are the newest runs that were sent signals, and how many code has received. A run of the
// first part is below this object, and the signals of the second part are for this object's own code.
func signals(tx *durable.Tx) Table {
	t := Table{Name: "signals", Columns: []string{"run", "sent", "received", "kept", "dropped"}}
	if tx.Made("signal_count") {
		t.Rows = tx.SQL(`SELECT run, sent, received, CASE WHEN ended_at = 0 THEN sent - received ELSE 0 END, dropped_signals
			FROM signal_count JOIN run ON run.id = signal_count.run ORDER BY run.seq DESC LIMIT ?`, inspectedRows)
		t.Total = tx.Number(`SELECT COUNT(*) FROM signal_count`)
	}
	if tx.Made("inbox") {
		t.Rows = append(t.Rows, tx.SQL(`SELECT id, last, received, kept, last - received - kept
			FROM (SELECT id, last, received, (SELECT COUNT(*) FROM inbox_signal WHERE inbox = inbox.id) AS kept FROM inbox ORDER BY id LIMIT ?)`, inspectedRows)...)
		t.Total += tx.Number(`SELECT COUNT(*) FROM inbox`)
	}
	return t
}

// actions are the newest entries of the ledger, with the beginnings of their digests and results.
func actions(tx *durable.Tx) Table {
	t := Table{Name: "actions", Columns: []string{"tool", "key", "state", "by", "approved_by", "begun_at", "ended_at", "digest", "preview", "error"}}
	if !tx.Made("action") {
		return t
	}
	for _, row := range tx.SQL(`SELECT tool, key, state, asked_by, approved_by, at, ended_at, SUBSTR(digest, 1, 16), SUBSTR(result, 1, ?), failure
		FROM action ORDER BY seq DESC LIMIT ?`, inspectedText, inspectedRows) {
		t.Rows = append(t.Rows, durable.Row{
			row.Text(0), row.Text(1), row.Text(2), row.Text(3), row.Text(4), row.Int(5), When(row.Int(6)), row.Text(7),
			strings.ToValidUTF8(string(row.Blob(8)), ""), cut(row.Text(9)),
		})
	}
	t.Total = tx.Number(`SELECT COUNT(*) FROM action`)
	return t
}

// Add adds a row to a section of rows that are all read, within the limits of an inspection.
func (t *Table) Add(cells ...any) {
	for i, cell := range cells {
		if text, ok := cell.(string); ok {
			cells[i] = cut(text)
		}
	}
	if t.Total++; len(t.Rows) < inspectedRows {
		t.Rows = append(t.Rows, cells)
	}
}

// When returns a time, or an empty cell for none.
func When(at int64) any {
	if at == 0 {
		return ""
	}
	return at
}

// cut returns the beginning of a text.
func cut(text string) string {
	if characters := []rune(text); len(characters) > inspectedText {
		return string(characters[:inspectedText])
	}
	return text
}
