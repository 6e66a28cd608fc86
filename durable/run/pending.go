package run

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Pending is something that a person is asked. Its JSON is public: it is an element of the list of
// all open questions.
type Pending struct {
	// ID is the id of the tool call that waits. It names the question in the whole tree.
	ID string `json:"id"`
	// Path has the runs from the root to the conversation that asks, outermost first. It is empty for
	// the root.
	Path []string     `json:"path"`
	Kind QuestionKind `json:"kind"`
	// Tool is the name of the tool, and Input its input, or nil if it is too long to be listed. The
	// input of a question for a value is its form.
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input,omitempty"`
	// Hidden is how many bytes of Input and Text are not listed.
	Hidden int `json:"hidden,omitempty"`
	// Title, Text and Risk explain the question. Each may be "".
	Title string `json:"title"`
	Text  string `json:"text"`
	Risk  string `json:"risk"`
	// Scopes are what a person needs who approves.
	Scopes []string `json:"scopes"`
	// Asked is when the person was asked, and Expires when the time for the answer is over, both in
	// milliseconds since 1970. Expires is 0 if the question waits for ever.
	Asked   int64 `json:"asked"`
	Expires int64 `json:"expires"`
}

// QuestionKind says what a person is asked.
type QuestionKind string

// The kinds of questions.
const (
	// Approval asks whether a call may run.
	Approval QuestionKind = "approval"
	// Form asks for a value.
	Form QuestionKind = "question"
)

// The limits of what a run tells its parent of its questions, in bytes of JSON. A question beyond
// maxQuestion, or beyond the first half of maxQuestions, is told without its input and its text. If
// it does not fit then, it is not described: it can be answered, and is not listed.
const (
	maxQuestion  = 16 << 10
	maxQuestions = 512 << 10
)

// BoundPending keeps questions within the limits.
func BoundPending(list []Pending) []Pending {
	var kept []Pending
	left := maxQuestions
	for _, q := range list {
		size := len(limit.MustMarshal(q))
		if size > min(maxQuestion, left-maxQuestions/2) {
			q.Hidden += len(q.Input) + len(q.Text)
			q.Input, q.Text = nil, ""
			size = len(limit.MustMarshal(q))
		}
		if size > min(maxQuestion, left) {
			continue
		}
		left -= size
		kept = append(kept, q)
	}
	return kept
}

// storedPending is the stored form of questions: JSON, or "" for none.
func storedPending(list []Pending) string {
	if len(list) == 0 {
		return ""
	}
	return string(limit.MustMarshal(BoundPending(list)))
}

// PendingOf returns what the helper of a run that waits, or is paused, asks people, with the run in
// front of each path.
func PendingOf(tx *durable.Tx, r Run) []Pending {
	if r.Status != Waiting && r.Status != Paused {
		return nil
	}
	var list []Pending
	for _, row := range tx.SQL(`SELECT pending FROM run WHERE seq = ?`, r.Seq) {
		if json.Unmarshal([]byte(row.Text(0)), &list) != nil {
			return nil // none, or damaged
		}
	}
	for i, q := range list {
		list[i].Path = slices.Concat([]string{r.ID}, q.Path)
		list[i].Scopes = append([]string{}, q.Scopes...)
	}
	return list
}
