package turn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// History is what the model of a turn is told that goes on after answers: the messages before a place, and
// the answers to which the turn belongs. Whatever was said in between was said to nobody who goes on
// here. It is the places as text: the first, behind it those of the answers. "" is everything before the
// turn's own place.
type History string

// maxAnswers is how many answers a model is told that goes on again and again. The oldest of more are left out.
const maxAnswers = 128

// Before returns the place before which all messages are told, or 0 if nothing is limited, and the places
// of the answers that are told besides. A damaged text tells of no answer.
func (t History) Before() (place int64, answers []int64) {
	for i, text := range strings.Split(string(t), ",") {
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case err != nil || n <= 0:
			return place, answers
		case i == 0:
			place = n
		default:
			answers = append(answers, n)
		}
	}
	return place, answers
}

// NextHistory returns what a turn is told that goes on with the answer of this one.
func (t Turn) NextHistory() History {
	if t.History == "" {
		return History(strconv.FormatInt(t.Place+1, 10))
	}
	before, answers := t.History.Before()
	return historyOf(before, append(answers, t.Place))
}

// HistoryBeside returns what a turn is told that goes on now, besides the answers of the turns that have gone on,
// or will, with the same message: a person has answered a call of it, and another one.
func HistoryBeside(tx *durable.Tx, told History) History {
	before, answers := told.Before()
	for _, row := range tx.SQL(`SELECT place FROM turn WHERE told = ? OR told LIKE ? ORDER BY place`,
		strconv.FormatInt(before, 10), strconv.FormatInt(before, 10)+",%") {
		if place := row.Int(0); !slices.Contains(answers, place) {
			answers = append(answers, place)
		}
	}
	return historyOf(before, answers)
}

// historyOf returns the text of places.
func historyOf(before int64, answers []int64) History {
	slices.Sort(answers)
	text := strconv.FormatInt(before, 10)
	for _, place := range answers[max(len(answers)-maxAnswers, 0):] {
		text += "," + strconv.FormatInt(place, 10)
	}
	return History(text)
}

// KeepEdit keeps the new text of a message that a waiting turn changes when it begins. Until then, the
// turns before it answer what was said when they were accepted.
func KeepEdit(tx *durable.Tx, seq int64, message string) {
	tx.SQL(`UPDATE turn SET edit = ? WHERE seq = ?`, message, seq)
}

// TakeEdit takes that text.
func TakeEdit(tx *durable.Tx, seq int64) string {
	text := ""
	for _, row := range tx.SQL(`SELECT edit FROM turn WHERE seq = ?`, seq) {
		text = row.Text(0)
	}
	KeepEdit(tx, seq, "")
	return text
}

// AnsweredFor returns the claims of the waiting turns that answer a message.
func AnsweredFor(tx *durable.Tx, message string) (claims []string) {
	for _, row := range tx.SQL(`SELECT claims FROM turn, json_each(CASE WHEN json_valid(origin) THEN origin ELSE '[]' END)
		WHERE status = ? AND value = ?`, string(Queued), message) {
		claims = append(claims, row.Text(0))
	}
	return claims
}

// OfReply returns the newest turn whose answer is a message.
func OfReply(tx *durable.Tx, reply string) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE reply = ? ORDER BY seq DESC LIMIT 1`, reply))
}
