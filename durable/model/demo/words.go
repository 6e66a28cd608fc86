package demo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
)

// maxText bounds the size of all chunks together, in bytes.
const maxText = 64 << 20

// numberWord is one of the words key=value whose value is a whole number.
type numberWord struct {
	key           string
	usual         int
	smallest, top int
}

// numberWords are in the order in which they are passed on.
var numberWords = []numberWord{
	{key: "chunks", usual: 5, top: 100_000},
	{key: "delay", usual: 0, top: 60_000},
	{key: "size", usual: 16, top: 64 << 10},
	{key: "n", usual: 3, smallest: 1, top: 1000},
	{key: "pchunks", usual: 3, top: 100_000},
}

// keywords are the words key=value of a message.
type keywords struct {
	// tool is "" if the message does not name one.
	tool string
	// number holds the value of every number word, given or not.
	number map[string]int
	// given are the keys that the message has.
	given map[string]bool
	// text is the message without these words.
	text string
	// problem says which value is invalid, or is "".
	problem string
}

func parseWords(message string) keywords {
	w := keywords{number: map[string]int{}, given: map[string]bool{}}
	for _, n := range numberWords {
		w.number[n.key] = n.usual
	}
	var rest []string
	for _, field := range strings.Fields(message) {
		key, value, found := strings.Cut(strings.Trim(field, "`'\".,;:!?()[]"), "=")
		if !found || !w.take(key, value) {
			rest = append(rest, field)
		}
	}
	w.text = strings.Join(rest, " ")
	for _, key := range []string{"chunks", "pchunks"} {
		if w.problem == "" && w.chunked() && w.number[key]*w.number["size"] > maxText {
			w.problem = fmt.Sprintf("`%s` times `size` may be at most %d bytes", key, maxText)
		}
	}
	return w
}

// take reads one word, and says whether its key is known.
func (w *keywords) take(key, value string) bool {
	if key == "tool" {
		w.tool, w.given[key] = value, true
		return true
	}
	i := slices.IndexFunc(numberWords, func(n numberWord) bool { return n.key == key })
	if i < 0 {
		return false
	}
	n := numberWords[i]
	number, err := strconv.Atoi(value)
	if err != nil || number < n.smallest || number > n.top {
		w.problem = fmt.Sprintf("`%s=%s` is not a whole number from %d to %d", key, model.Truncate(value, 40), n.smallest, n.top)
		return true
	}
	w.number[key], w.given[key] = number, true
	return true
}

// any says whether the message has any of the words.
func (w keywords) any() bool { return len(w.given) > 0 }

// chunked says whether deltas are chunks rather than prose.
func (w keywords) chunked() bool {
	return w.given["chunks"] || w.given["delay"] || w.given["size"]
}

// chunks returns an answer with the given number of chunks.
func (w keywords) chunks(count int) script {
	return script{count: count, size: w.number["size"], delay: int64(w.number["delay"])}
}

// passOn appends the words that helpers obey to the text for a helper.
func (w keywords) passOn(text string) string {
	for _, n := range numberWords[:3] {
		if w.given[n.key] {
			text += fmt.Sprintf(" %s=%d", n.key, w.number[n.key])
		}
	}
	return text
}

// searchFirst is passOn for a helper that must use its own tool before it says chunks.
func (w keywords) searchFirst(text string) string {
	if w.chunked() {
		text += " tool=web_search"
	}
	return w.passOn(text)
}
