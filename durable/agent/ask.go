package agent

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/infer"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// Question is what [Ask] asks a person. All of it together has at most 32 KiB as JSON.
type Question struct {
	// Title is the question in a few words, and Text says more. One of them must not be "".
	Title, Text string
	// Choices are the texts that can be chosen from, if the answer is a string. Nil takes any text.
	Choices []string
	// Default is the value that the form shows first, or nil. It must fit the answer's schema.
	Default any
	// Expires is how long the question can be answered. 0 means 7 days. A year is the longest.
	Expires time.Duration
	// scopes are what a person needs who answers.
	scopes []string
}

// Answer is a person's answer to a [Question].
type Answer[T any] struct {
	Value T
	// Denied says that the person has refused to answer, or has said no. Value is then zero.
	Denied bool
	// Reason says why the person has refused, and By who the person is, where that is known.
	Reason, By string
	// At is when the answer was taken.
	At time.Time
}

// maxExpiry is the longest time for which a question can be answered.
const maxExpiry = 365 * 24 * time.Hour

// Ask asks a person, and waits for the answer for as long as the question allows. If T is a bool,
// the question is answered by yes or no. Any other T is a form, whose JSON Schema comes from T as
// that of a tool's input does: an answer that does not fit is refused, and the question stays open.
// A string with Choices takes one of them.
//
// The question is shown in the message of the turn, or of the run, whose code asks, and in no
// request to a model. While the code waits, nothing is kept in memory, and the time does not count
// for the timeouts of runs. At the root the turn ends when its code waits for nothing else, and
// another turn goes on with the code when the answer comes.
//
// Whoever may speak with the agent can answer, and the code goes on with its own claims: [Answer.By] names the
// person, and the code decides what the answer is worth.
//
// A question that nobody answers in time is a [flow.ErrTimeout]. flow.Within sets a shorter time,
// and withdraws the question then. An object's code can have 64 questions open at once.
func Ask[T any](c *Context, q Question) (Answer[T], error) {
	var value T
	a, err := ask(c, q, &value)
	if err != nil {
		return Answer[T]{}, err
	}
	return Answer[T]{Value: value, Denied: a.Denied, Reason: a.Reason, By: a.By, At: time.UnixMilli(a.At).UTC()}, nil
}

// ask is Ask without the type: value points to what the answer's value is read into.
func ask(c *Context, q Question, value any) (a question.Answer, err error) {
	if c.inJob() {
		return a, flow.Permanent(errJobAsks)
	}
	asked, err := questionOf(q, reflect.TypeOf(value).Elem())
	if err != nil {
		return a, fmt.Errorf("agent: the question %.80q: %w", q.title(), err)
	}
	asked.Call = c.code.Call.ID
	data, err := c.Await(flow.Op{
		Name:   "question " + q.title(),
		Person: true,
		Begin:  func(tx *durable.Tx, key flow.Key) { c.object.Ask(tx, key, asked) },
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { c.object.Withdraw(tx, key) },
	}).Wait()
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(data, &a); err != nil {
		return a, fmt.Errorf("agent: the answer to %.80q: %w", q.title(), err)
	}
	if a.Expired {
		return a, fmt.Errorf("agent: nobody has answered %.80q: %w", q.title(), flow.ErrTimeout)
	}
	if a.Denied {
		return a, nil
	}
	if err := json.Unmarshal(a.Value, value); err != nil {
		return a, fmt.Errorf("agent: the answer to %.80q: %w", q.title(), err)
	}
	return a, nil
}

// errJobAsks is the error of a question of a job. No other turn could begin before the answer.
var errJobAsks = errors.New("agent: code that UndoCall or UndoRun has queued cannot ask a person: the conversation would stand still until the answer")

func (q Question) title() string { return cmp.Or(q.Title, q.Text) }

// questionOf returns a question whose answer has a type in the form in which it is shown and kept, or what
// is wrong with it.
func questionOf(q Question, t reflect.Type) (author.Question, error) {
	if q.Expires == 0 {
		q.Expires = DefaultExpiry
	}
	asked := author.Question{Form: t.Kind() != reflect.Bool, Expires: q.Expires.Milliseconds(), Scopes: q.scopes}
	schema, err := q.schema(t)
	switch {
	case err != nil:
		return asked, err
	case q.title() == "":
		return asked, errors.New("it has no title and no text")
	case q.Expires < time.Millisecond || q.Expires > maxExpiry:
		return asked, fmt.Errorf("it expires after %v, not after 1ms to %v", q.Expires, maxExpiry)
	}
	shown := struct {
		Title   string          `json:"title,omitempty"`
		Text    string          `json:"text,omitempty"`
		Choices []string        `json:"choices,omitempty"`
		Schema  json.RawMessage `json:"schema"`
		Default json.RawMessage `json:"default,omitempty"`
		Scopes  []string        `json:"scopes,omitempty"`
	}{Title: q.Title, Text: q.Text, Choices: q.Choices, Scopes: q.scopes}
	if asked.Schema, err = limit.Marshal(schema); err != nil {
		return asked, fmt.Errorf("its schema: %w", err)
	}
	shown.Schema = asked.Schema
	if q.Default != nil {
		if shown.Default, err = limit.Marshal(q.Default); err != nil {
			return asked, fmt.Errorf("its default: %w", err)
		}
		if err := run.Fit(asked.Schema, shown.Default); err != nil {
			return asked, fmt.Errorf("its default: %w", err)
		}
	}
	if asked.Input, err = limit.Marshal(shown); err != nil {
		return asked, err
	}
	if n := len(asked.Input); n > limit.Question {
		return asked, fmt.Errorf("it has %d bytes, at most %d", n, limit.Question)
	}
	return asked, nil
}

// schema returns the schema of the answer.
func (q Question) schema(t reflect.Type) (*infer.Schema, error) {
	schema, err := infer.For(t)
	if err != nil || q.Choices == nil {
		return schema, err
	}
	if t.Kind() != reflect.String {
		return nil, fmt.Errorf("it has choices, and its answer is a %s and no string", t)
	}
	for i, choice := range q.Choices {
		if choice == "" || slices.Contains(q.Choices[:i], choice) {
			return nil, fmt.Errorf("its choice %d is empty, or is there twice", i)
		}
		schema.Enum = append(schema.Enum, choice)
	}
	return schema, nil
}
