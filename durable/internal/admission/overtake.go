package admission

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// DueTurn is the kind of the schedule's entry that begins a turn which waits.
const DueTurn = "turn"

// QuietUntil is when a plain message that comes now may begin, or 0.
func QuietUntil(tx *durable.Tx, p turn.Policy) int64 {
	if p != turn.Debounce {
		return 0
	}
	return tx.Now + turn.DebounceDelay
}

// IsPlain says whether a request brings new messages and changes no older ones. If all messages are
// queued, the answer does not matter and is not looked up.
func IsPlain(tx *durable.Tx, p turn.Policy, body protocol.ChatBody) bool {
	return isPlain(p, body, storedIn(tx))
}

func isPlain(p turn.Policy, body protocol.ChatBody, known lookup) bool {
	return p != turn.Queue && !body.Regenerate && len(body.UserMessages) > 0 && !AllKnown(body.List, known(body.List))
}

// Overtake returns the plain turns directly before a plain turn that the agent's policy skips in
// favour of that turn. All tabs are shown the messages before the turns are skipped. Turns of other
// claims stay, with those before them: their words are not answered for anybody else.
func Overtake(tx *durable.Tx, p turn.Policy, before []turn.Turn, t *turn.Turn) []turn.Turn {
	for i := len(before) - 1; i >= 0; i-- {
		if !claims.Equal(before[i].Claims, t.Claims) {
			before = before[i+1:]
			break
		}
	}
	if len(before) == 0 {
		return nil
	}
	switch p {
	case turn.Latest, turn.Debounce:
		markSuperseded(tx, before, t)
	case turn.Merge:
		if !merge(tx, before, t) {
			return nil
		}
	default:
		return nil
	}
	return before
}

// CloseGap returns the turns that are skipped because a cancelled turn no longer separates them
// from a later turn.
func CloseGap(tx *durable.Tx, p turn.Policy, cancelled turn.Turn) []turn.Turn {
	before := turn.PlainBefore(tx, cancelled.Seq)
	next, ok := turn.NextAfter(tx, cancelled.Seq)
	if !ok || !next.Plain || cancelled.Plain {
		return nil
	}
	gone := Overtake(tx, p, before, &next)
	turn.SetOrigin(tx, next)
	return gone
}

// markSuperseded notes in the messages of skipped turns which later message is answered instead.
func markSuperseded(tx *durable.Tx, before []turn.Turn, by *turn.Turn) {
	last := by.Origin[len(by.Origin)-1]
	for _, id := range others(tx, before, last) {
		if m, ok := message.Load(tx, id); ok {
			m.Metadata = message.WithField(m.Metadata, "supersededBy", last)
			message.Amend(tx, m)
		}
	}
}

// others are the messages that the turns answer, each once, except one. A page that has not seen an
// answer posts the earlier question again. A message that an earlier turn answers stays where it
// is.
func others(tx *durable.Tx, turns []turn.Turn, except string) []string {
	var all []protocol.Listed
	for _, t := range turns {
		for _, id := range t.Origin {
			if l := (protocol.Listed{ID: id}); id != except && !slices.Contains(all, l) {
				all = append(all, l)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	var ids []string
	have, after := message.Known(tx, all), turn.PlaceBefore(tx, turns[0])
	for _, l := range all {
		if have[l.ID].Place > after {
			ids = append(ids, l.ID)
		}
	}
	return ids
}
