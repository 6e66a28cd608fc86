package turn

import "github.com/tributary-agents/tributary/durable"

// Step is one finished model call of a turn. It is journaled once and never run
// again (invariant I8).
type Step struct {
	// Answer is what the model said, as JSON.
	Answer []byte
	Finish string
	// InputTokens and OutputTokens are what it cost.
	InputTokens, OutputTokens int64
}

// Journal writes the turn's next finished step.
func Journal(tx *durable.Tx, t Turn, s Step) {
	tx.SQL(`INSERT INTO step (turn, n, answer, finish, input_tokens, output_tokens, at)
		VALUES (?, (SELECT COUNT(*) FROM step WHERE turn = ?), ?, ?, ?, ?, ?)`,
		t.Seq, t.Seq, string(s.Answer), s.Finish, s.InputTokens, s.OutputTokens, tx.Now)
}
