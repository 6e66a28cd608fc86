// Package question keeps the questions that code has asked a person, those of this object's own
// code and those of the helpers below it, until they are answered and for some time after that. A
// question has an id of its own, and an answer names it.
package question

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Question is one question.
type Question struct {
	// ID is the toolCallId of its part.
	ID string
	// Run is the run below this object whose helper, or a helper below that one, has asked. It is ""
	// for a question of this object's own code.
	Run string
	// Key is the await that waits for the answer, and Message the message that shows the question. Both
	// are those of a question of this object's own code.
	Key     flow.Key
	Message string
	// Form says that the answer is a value, and not yes or no. Schema is its JSON Schema.
	Form   bool
	Schema json.RawMessage
	// Scopes are what a person needs who answers. Claims are those of the code that has asked.
	Scopes []string
	Claims string
	// OverAt is since when no answer is taken, in milliseconds since 1970, or 0. By is the person who
	// has answered, or "".
	OverAt int64
	By     string
	// Sent is the number that the parent has given to the answer, or 0.
	Sent int64
}

// Approves says whether the question is whether a call that code has made may run. Its id is that of
// the call.
func (q Question) Approves() bool { return !q.Form && len(q.Schema) == 0 && !IsID(q.ID) }

// Open says whether the question waits for an answer.
func (q Question) Open() bool { return q.OverAt == 0 }

// Answer is what came of a question, as the await's result in the journal.
type Answer struct {
	Value  json.RawMessage `json:"value,omitempty"`
	Denied bool            `json:"denied,omitempty"`
	Reason string          `json:"reason,omitempty"`
	By     string          `json:"by,omitempty"`
	At     int64           `json:"at"`
	// Expired says that nobody has answered in time.
	Expired bool `json:"expired,omitempty"`
}

// DueQuestion is the kind of the schedule's entry that ends a question which nobody has answered.
const DueQuestion = "question"

// prefix begins the id of every question. No other call that is waited for has it, unless a
// provider's id has it by chance.
const prefix = "ask_"

// NewID returns an id for a question.
func NewID(tx *durable.Tx) string { return prefix + tx.NewID() }

// IsID says whether an id looks like that of a question.
func IsID(id string) bool { return strings.HasPrefix(id, prefix) }

// kept is how many questions that are over are kept, so that a late answer is told who has answered
// and when.
const kept = 64

// Ask adds an open question.
func Ask(tx *durable.Tx, q Question) {
	tx.SQL(`INSERT INTO question (id, run, routine, position, message, form, schema, scopes, claims) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		q.ID, q.Run, q.Key.Routine, q.Key.Position, q.Message, q.Form, string(q.Schema), strings.Join(q.Scopes, "\n"), q.Claims)
}

// Refusal says why code that works for some claims can ask no more, or returns nil.
func Refusal(tx *durable.Tx, claims string) error {
	return share.Questions.Refusal(claims, share.Counted(tx.SQL(`SELECT claims, COUNT(*) FROM question WHERE run = '' AND over_at = 0 GROUP BY claims`)))
}

// Close ends a question. Nothing opens it again.
func Close(tx *durable.Tx, id, by string, sent int64) {
	tx.SQL(`UPDATE question SET over_at = ?, answered_by = ?, sent = ?, schema = '' WHERE id = ? AND over_at = 0`, tx.Now, by, sent, id)
	tx.SQL(`DELETE FROM question WHERE over_at > 0 AND seq <= (SELECT seq FROM question WHERE over_at > 0 ORDER BY seq DESC LIMIT 1 OFFSET ?)`, kept)
	tx.Unschedule(DueQuestion, id)
}

// CloseOf ends the questions of a run that is over.
func CloseOf(tx *durable.Tx, run string) (any bool) {
	for _, q := range list(tx, `run = ? AND over_at = 0`, run) {
		Close(tx, q.ID, "", 0)
		any = true
	}
	return any
}

// Find returns the question with an id.
func Find(tx *durable.Tx, id string) (Question, bool) {
	for _, q := range list(tx, `id = ?`, id) {
		return q, true
	}
	return Question{}, false
}

// Own returns the open questions of this object's own code, in the order in which they were asked.
func Own(tx *durable.Tx) []Question { return list(tx, `run = '' AND over_at = 0`) }

// OfRoutine returns the open questions of a routine.
func OfRoutine(tx *durable.Tx, routine string) []Question {
	return list(tx, `routine = ? AND run = '' AND over_at = 0`, routine)
}

// DeleteAll deletes every question.
func DeleteAll(tx *durable.Tx) {
	for _, q := range Own(tx) {
		tx.Unschedule(DueQuestion, q.ID)
	}
	tx.SQL(`DELETE FROM question`)
}

func list(tx *durable.Tx, where string, args ...any) []Question {
	var all []Question
	for _, row := range tx.SQL(`SELECT id, run, routine, position, message, form, schema, over_at, answered_by, sent, scopes FROM question WHERE `+where+` ORDER BY seq`, args...) {
		all = append(all, Question{
			ID: row.Text(0), Run: row.Text(1), Key: flow.Key{Routine: row.Text(2), Position: int(row.Int(3))}, Message: row.Text(4),
			Form: row.Bool(5), Schema: json.RawMessage(row.Text(6)), OverAt: row.Int(7), By: row.Text(8), Sent: row.Int(9),
			Scopes: lines(row.Text(10)),
		})
	}
	return all
}

// lines returns the lines of a text, of which the empty one has none.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// The rest of this file is about the questions of helpers. A helper tells its parent all of its
// questions whenever they have changed, with those of the helpers below it. So the root knows each
// question, whatever depth it comes from: it checks an answer at once, and says who has answered.

// maxReported is how many questions a helper tells its parent.
const maxReported = 256

// Reported returns what a parent is told.
func Reported(tx *durable.Tx) []facet.Question {
	all := list(tx, `seq > 0`)
	all = all[max(0, len(all)-maxReported):]
	var told []facet.Question
	for _, q := range all {
		told = append(told, facet.Question{ID: q.ID, Form: q.Form, Schema: q.Schema, Scopes: q.Scopes, OverAt: q.OverAt, By: q.By})
	}
	return told
}

// TakeReport takes what the helper of a run has told.
func TakeReport(tx *durable.Tx, run string, told []facet.Question) {
	for _, t := range told[max(0, len(told)-maxReported):] {
		if !limit.IsID(t.ID, limit.ID) || len(t.Schema) > limit.Question {
			continue
		}
		q, known := Find(tx, t.ID)
		if !known && len(list(tx, `run = ? AND over_at = 0`, run)) >= maxReported {
			continue // a helper tells no more at once
		}
		if !known {
			q = Question{ID: t.ID, Run: run, Form: t.Form, Schema: t.Schema, Scopes: t.Scopes}
			Ask(tx, q)
		}
		if t.OverAt > 0 && q.Run == run && q.Open() {
			Close(tx, t.ID, t.By, 0)
		}
	}
}
