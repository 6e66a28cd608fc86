package author

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
	"github.com/tributary-agents/tributary/durable/internal/infer"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// DefaultExpiry is how long a question waits that does not say it, and maxExpiry is the longest.
const DefaultExpiry, maxExpiry = 7 * 24 * time.Hour, 365 * 24 * time.Hour

// Inquiry is what code asks a person in words. Its fields are those of agent.Question. Scopes are what a
// person needs who answers.
type Inquiry struct {
	Title, Text string
	Choices     []string
	Default     any
	Expires     time.Duration
	Scopes      []string
}

// Ask asks a person, and waits for the answer. value points to what the answer's value is read into.
func (c *Context) Ask(q Inquiry, value any) (a question.Answer, err error) {
	if c.InJob() {
		return a, flow.Permanent(ErrJobAsks)
	}
	asked, err := q.question(reflect.TypeOf(value).Elem())
	if err != nil {
		return a, fmt.Errorf("agent: the question %.80q: %w", q.title(), err)
	}
	asked.Call = c.Code.Call.ID
	data, err := c.Await(flow.Op{
		Name:   "question " + q.title(),
		Person: true,
		Begin:  func(tx *durable.Tx, key flow.Key) { c.Object.Ask(tx, key, asked) },
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { c.Object.Withdraw(tx, key) },
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

func (q Inquiry) title() string { return cmp.Or(q.Title, q.Text) }

// question returns a question whose answer has a type in the form in which it is shown and kept, or what
// is wrong with it.
func (q Inquiry) question(t reflect.Type) (Question, error) {
	if q.Expires == 0 {
		q.Expires = DefaultExpiry
	}
	asked := Question{Form: t.Kind() != reflect.Bool, Expires: q.Expires.Milliseconds(), Scopes: q.Scopes}
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
	}{Title: q.Title, Text: q.Text, Choices: q.Choices, Scopes: q.Scopes}
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
func (q Inquiry) schema(t reflect.Type) (*infer.Schema, error) {
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
