package run

import "github.com/tributary-agents/tributary/durable"

// Usage is the cost of something, with everything below it.
type Usage struct {
	InputTokens  int64 `json:"inputTokens"`
	OutputTokens int64 `json:"outputTokens"`
	ModelCalls   int64 `json:"modelCalls"`
}

// Add returns the sum of two usages.
func (u Usage) Add(more Usage) Usage {
	return Usage{u.InputTokens + more.InputTokens, u.OutputTokens + more.OutputTokens, u.ModelCalls + more.ModelCalls}
}

// Tokens returns the number of input and output tokens.
func (u Usage) Tokens() int64 { return u.InputTokens + u.OutputTokens }

// Spend stores what a run has cost so far, and adds the increase to the sums of its turn and of all
// turns. Usage only grows: a smaller total is an old report, and changes nothing. Spend says
// whether there was an increase.
func Spend(tx *durable.Tx, r *Run, total Usage) bool {
	more := Usage{
		InputTokens:  max(total.InputTokens-r.InputTokens, 0),
		OutputTokens: max(total.OutputTokens-r.OutputTokens, 0),
		ModelCalls:   max(total.ModelCalls-r.ModelCalls, 0),
	}
	if more == (Usage{}) {
		return false
	}
	r.Usage = r.Add(more)
	change(tx, `UPDATE run SET input_tokens = ?, output_tokens = ?, model_calls = ? WHERE seq = ?`,
		r.InputTokens, r.OutputTokens, r.ModelCalls, r.Seq)
	tx.SQL(`UPDATE spent SET input_tokens = input_tokens + ?, output_tokens = output_tokens + ?, model_calls = model_calls + ?
		WHERE turn IN (0, ?)`, more.InputTokens, more.OutputTokens, more.ModelCalls, r.Turn)
	return true
}

// Spent returns what the runs of a turn have cost. With turn 0 it returns the cost of all runs,
// deleted ones included.
func Spent(tx *durable.Tx, turn int64) Usage {
	for _, row := range tx.SQL(`SELECT input_tokens, output_tokens, model_calls FROM spent WHERE turn = ?`, turn) {
		return Usage{InputTokens: row.Int(0), OutputTokens: row.Int(1), ModelCalls: row.Int(2)}
	}
	return Usage{}
}

// ForgetSpent deletes the sum of a turn that has ended. Later costs still count in the sum of all
// turns.
func ForgetSpent(tx *durable.Tx, turn int64) { tx.SQL(`DELETE FROM spent WHERE turn = ?`, turn) }
