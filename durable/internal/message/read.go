package message

import (
	"errors"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Sizes of the part of a conversation that is read, in bytes of message JSON. Older messages stay
// in storage.
const (
	// TranscriptBudget is the size of the part that a client is sent.
	TranscriptBudget = 1 << 19
	// exchangeBudget is the size of the last two messages, which may be larger than another budget.
	// The client may post them back, quoted, which doubles their size at most. Together with new
	// messages they then still fit into a frame. Unquoted, they fit into a frame between objects.
	exchangeBudget = 1_900_000
	// readPerToken is how many bytes of stored messages are read for each token that the model may
	// be told. Except for pictures, a message holds more than its text.
	readPerToken = 12
	// TokensPerPicture is about what providers count for a large picture.
	TokensPerPicture = 1_600
	// picturesBudget is how many bytes of pictures are read, whatever the model may be told. It is
	// as much as a client can post at once.
	picturesBudget = 4 << 20
)

// PromptBudget is how much is read for a model that may be told some tokens.
func PromptBudget(tokens int) Budget {
	return Budget{messages: protocol.Limits.Messages, charged: tokens * readPerToken, pictured: picturesBudget}
}

// Stored is the row of a message.
type Stored struct {
	ID, Body string
	Place    int64
	// Budget is how much of a read budget the message takes.
	Budget Budget
}

// Budget is the size of some messages, or a limit for it. In a limit, 0 means no limit.
type Budget struct {
	messages, bytes int
	// charged is the number of bytes in which every picture counts as what the model is charged for
	// it. pictured is the number of bytes of pictures.
	charged, pictured int
}

// shownBudget is the limit for the messages that a client is sent, so that they fit into its list.
var shownBudget = Budget{messages: protocol.Limits.Messages, bytes: TranscriptBudget}

// Add returns the size of both.
func (b Budget) Add(more Budget) Budget {
	return Budget{b.messages + more.messages, b.bytes + more.bytes, b.charged + more.charged, b.pictured + more.pictured}
}

// Half returns half of a limit.
func (b Budget) Half() Budget {
	return Budget{b.messages / 2, b.bytes / 2, b.charged / 2, b.pictured / 2}
}

// Within says whether a size is within a limit.
func (b Budget) Within(most Budget) bool {
	in := func(n, most int) bool { return most == 0 || n <= most }
	return in(b.messages, most.messages) && in(b.bytes, most.bytes) && in(b.charged, most.charged) && in(b.pictured, most.pictured)
}

// fits says whether the newest messages, which have a size, are all read within a limit. One
// message is always read. Two are read as well if they are not too long.
func (b Budget) fits(most Budget) bool {
	return b.messages <= 1 || b.Within(most) || b.messages == 2 && b.bytes <= exchangeBudget
}

// NewestWithin returns messages from a place on and before another place, oldest first. It returns
// as many of the newest as the budget allows, and at least one. A question and its answer stay
// together if they are not too long. However long the conversation is, no more of it is read
// (invariant I10). The caller does not change the slice.
func NewestWithin(tx *durable.Tx, from, before int64, most Budget) []Stored {
	if messages, ok := durable.Kept[recent](tx).newest(from, before, most); ok {
		return messages
	}
	messages, _ := readNewest(tx, from, before, Budget{}, most)
	return messages
}

// ForModel is [NewestWithin] for the messages that a model is told. They are kept in memory, so that the
// next model call reads only what is new.
func ForModel(tx *durable.Tx, from, before int64, most Budget) []Stored {
	c := durable.Kept[recent](tx)
	now := c.extended(tx, from, before, most)
	messages, ok := now.newest(from, before, most)
	if !ok {
		now = now.lengthened(tx, from, before, most)
		messages = now.messages
	}
	c.fill(now.from, now.before, now.messages)
	return messages
}

// readNewest reads messages for [NewestWithin]. taken is what the messages behind them take of the
// budget. It returns the place from which on it has read all: from, or that of the oldest message
// that the budget allows.
func readNewest(tx *durable.Tx, from, before int64, taken, most Budget) (messages []Stored, oldest int64) {
	oldest, budgets, whole := oldestWithin(tx, from, before, taken, most)
	if len(budgets) > 0 {
		for i, row := range tx.SQL(`SELECT id, body, json_valid(body), place FROM message WHERE place >= ? AND place < ? ORDER BY place`, oldest, before) {
			m := Stored{ID: row.Text(0), Body: row.Text(1), Place: row.Int(3), Budget: budgets[len(budgets)-1-i]}
			if !row.Bool(2) {
				keepDamaged(tx, m, errors.New("not JSON"))
				continue
			}
			messages = append(messages, m)
		}
	}
	if whole {
		oldest = min(from, oldest) // from can be behind before
	}
	return messages, oldest
}

// boundPage is how many lengths of messages are read at once.
const boundPage = 256

// oldestWithin returns the place of the oldest message that the budget allows, and what each
// message takes of the budget, newest first. taken is what the messages behind them take of it. whole
// says that the budget allows all of them. Only the lengths of messages are read.
func oldestWithin(tx *durable.Tx, from, before int64, taken, most Budget) (oldest int64, budgets []Budget, whole bool) {
	oldest = before
	for all := taken; ; {
		rows := tx.SQL(`SELECT place, octet_length(body) FROM message WHERE place >= ? AND place < ? ORDER BY place DESC LIMIT ?`,
			from, oldest, boundPage)
		var pictures map[int64]Budget
		if most.pictured > 0 && len(rows) > 0 {
			pictures = picturesBetween(tx, rows[len(rows)-1].Int(0), oldest)
		}
		for _, row := range rows {
			place, bytes := row.Int(0), int(row.Int(1))
			one := Budget{messages: 1, bytes: bytes, charged: bytes}.Add(pictures[place])
			all = all.Add(one)
			if !all.fits(most) {
				return oldest, budgets, false
			}
			oldest, budgets = place, append(budgets, one)
		}
		if len(rows) < boundPage {
			return oldest, budgets, true
		}
	}
}

// picturesBetween returns what the pictures of messages take of a read budget, by the places of the
// messages. A message that was stored before pictures were counted has none.
func picturesBetween(tx *durable.Tx, from, before int64) map[int64]Budget {
	if !tx.Made(pictureIndex) {
		return nil
	}
	var pictures map[int64]Budget
	for _, row := range tx.SQL(`SELECT place, pictures, picture_bytes FROM message WHERE pictures > 0 AND place >= ? AND place < ?`, from, before) {
		if pictures == nil {
			pictures = map[int64]Budget{}
		}
		count, bytes := int(row.Int(1)), int(row.Int(2))
		pictures[row.Int(0)] = Budget{charged: count*TokensPerPicture*readPerToken - bytes, pictured: bytes}
	}
	return pictures
}

// Transcript returns the JSON of the conversation's messages, oldest first.
func Transcript(tx *durable.Tx) []string {
	active, speaks := turn.Active(tx)
	return transcript(NewestWithin(tx, 0, 1<<53, shownBudget), active, speaks)
}

// transcript returns the JSON of messages. If messages follow the place of the active answer
// already, an empty message holds that place. Without it, a client would put the answer at the end.
// waits says that there is an active answer.
func transcript(messages []Stored, active turn.Turn, waits bool) (bodies []string) {
	for _, m := range messages {
		if waits = waits && m.ID != active.Reply; waits && m.Place > active.Place {
			bodies = append(bodies, string(protocol.Message{ID: active.Reply, Role: protocol.RoleAssistant}.Encode()))
			waits = false
		}
		bodies = append(bodies, m.Body)
	}
	return bodies
}

// At returns the messages at some places, which are in order: as many of the last as the budget allows.
func At(tx *durable.Tx, places []int64, most Budget) (messages []Stored) {
	var all Budget
	for _, place := range slices.Backward(places) {
		for _, m := range NewestWithin(tx, place, place+1, Budget{}) {
			if all = all.Add(m.Budget); !all.fits(most) {
				return messages
			}
			messages = slices.Insert(messages, 0, m)
		}
	}
	return messages
}

// AnyBetween says whether there are messages from a place on and before another one.
func AnyBetween(tx *durable.Tx, from, before int64) bool {
	return len(tx.SQL(`SELECT 1 FROM message WHERE place >= ? AND place < ? LIMIT 1`, from, before)) > 0
}

// LastOfUser returns the place of the last message of a person before a place.
func LastOfUser(tx *durable.Tx, before int64) (place int64, found bool) {
	for _, row := range tx.SQL(`SELECT place FROM message WHERE place < ? AND role = ? ORDER BY place DESC LIMIT 1`, before, protocol.RoleUser) {
		return row.Int(0), true
	}
	return 0, false
}

// Any says whether there are messages.
func Any(tx *durable.Tx) bool { return len(tx.SQL(`SELECT 1 FROM message LIMIT 1`)) > 0 }
