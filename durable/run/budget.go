package run

import "fmt"

// Budget is what one turn may use, together with all helpers below it: tokens of input and output
// together, and model calls. 0 means no limit.
type Budget struct {
	Tokens     int64
	ModelCalls int64
}

// Exceeded says in words which limit is reached, or returns "".
func (b Budget) Exceeded(spent Usage) string {
	switch {
	case b.Tokens > 0 && spent.Tokens() >= b.Tokens:
		return fmt.Sprintf("the turn has used its budget of %d tokens: %d", b.Tokens, spent.Tokens())
	case b.ModelCalls > 0 && spent.ModelCalls >= b.ModelCalls:
		return fmt.Sprintf("the turn has used its budget of %d model calls", b.ModelCalls)
	}
	return ""
}
