package turn

import (
	"encoding/json"
	"errors"

	"github.com/tributary-agents/tributary/durable"
)

// Step is one finished model call of a turn. It is journaled once and never run
// again (invariant I8).
type Step struct {
	// Text is what the model said, and Calls the tool calls that it asked for.
	Text  string
	Calls []Call
	// Reasoning holds the reasoning parts, and the data of calls, that the model's provider needs again,
	// JSON or nil.
	Reasoning json.RawMessage
	Finish    string
	// InputTokens and OutputTokens are the tokens that the call used.
	InputTokens, OutputTokens int64
}

// Call is one tool call of a step.
type Call struct {
	// ID is the model's name for the call.
	ID, Name string
	// Input is a JSON object. If it is a JSON string, that is what the model has written in place of one,
	// and the call has failed.
	Input json.RawMessage
	// Provider is what the model's provider needs of the call again, JSON or nil. It is journaled with
	// the step's Reasoning.
	Provider json.RawMessage
	// Done says that the call has ended, with an Output or with an error text in Failure.
	Done    bool
	Output  json.RawMessage
	Failure string
}

// Journal writes step n of a turn, with its calls.
func Journal(tx *durable.Tx, t Turn, n int, s Step) {
	tx.Make("step", "tool_call")
	tx.SQL(`INSERT INTO step (turn, n, text, finish, input_tokens, output_tokens, thoughts, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		t.Seq, n, s.Text, s.Finish, s.InputTokens, s.OutputTokens, string(s.Reasoning), tx.Now)
	for i, c := range s.Calls {
		tx.SQL(`INSERT OR REPLACE INTO tool_call (turn, step, n, id, name, input) VALUES (?, ?, ?, ?, ?, ?)`,
			t.Seq, n, i, c.ID, c.Name, string(c.Input))
	}
}

// EndCall journals the outcome of a call.
func EndCall(tx *durable.Tx, t Turn, c Call) {
	tx.SQL(`UPDATE tool_call SET done = 1, output = ?, failure = ? WHERE turn = ? AND id = ? AND done = 0`,
		string(c.Output), c.Failure, t.Seq, c.ID)
}

// ForgetSteps deletes the journal of a turn that has ended.
func ForgetSteps(tx *durable.Tx, t Turn) {
	for _, table := range []string{"step", "tool_call"} {
		tx.SQL(`DELETE FROM `+table+` WHERE turn = ?`, t.Seq)
	}
}

// Steps returns the turn's finished model calls, in order. A tool call without a step is damage,
// and is set aside.
func Steps(tx *durable.Tx, t Turn) []Step {
	var steps []Step
	for _, row := range tx.SQL(`SELECT text, finish, input_tokens, output_tokens, thoughts FROM step WHERE turn = ? ORDER BY n`, t.Seq) {
		steps = append(steps, Step{Text: row.Text(0), Finish: row.Text(1), InputTokens: row.Int(2), OutputTokens: row.Int(3), Reasoning: row.JSON(4)})
	}
	for _, row := range tx.SQL(`SELECT step, id, name, input, done, output, failure, n FROM tool_call WHERE turn = ? ORDER BY step, n`, t.Seq) {
		n := row.Int(0)
		if n < 0 || n >= int64(len(steps)) {
			tx.KeepDamaged("call "+row.Text(1)+" of "+row.Text(2), row.Text(3), errors.New("its step is missing"))
			tx.SQL(`DELETE FROM tool_call WHERE turn = ? AND step = ? AND n = ?`, t.Seq, row[0], row[7])
			continue
		}
		s := &steps[n]
		s.Calls = append(s.Calls, Call{
			ID: row.Text(1), Name: row.Text(2), Input: row.JSON(3),
			Done: row.Bool(4), Output: row.JSON(5), Failure: row.Text(6),
		})
	}
	return steps
}
