package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// Question is the body of a request to the model.
type Question struct {
	Messages []Message `json:"messages"`
	Tools    []Tool    `json:"tools"`
	// Format is how the answer has to be, if its Schema is not empty.
	Format struct {
		JSON struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	// slot is that of the object that asks.
	slot string
}

// Message is one message of the conversation in a request.
type Message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func parse(body []byte) (Question, error) {
	var q Question
	err := json.Unmarshal(body, &q)
	return q, err
}

// goOn begins the message that asks a model to continue an answer that broke off.
const goOn = "Your answer broke off there."

// Last returns the index of the last message of a person.
func (q Question) Last() int {
	for i, m := range slices.Backward(q.Messages) {
		if m.Role == "user" && !strings.HasPrefix(m.Content, goOn) {
			return i
		}
	}
	return 0
}

// Text returns the last message of a person.
func (q Question) Text() string { return q.Messages[q.Last()].Content }

// Whole returns the messages without the part of an answer that broke off, and what asks for the rest.
func (q Question) Whole() []Message {
	if n := len(q.Messages); n > 1 && strings.HasPrefix(q.Messages[n-1].Content, goOn) {
		return q.Messages[:n-2]
	}
	return q.Messages
}

// Said returns the part of the answer that the model has given before the answer broke off.
func (q Question) Said() string {
	if n := len(q.Whole()); n < len(q.Messages) {
		return q.Messages[n].Content
	}
	return ""
}

// fromBackground says whether the last message is about work in the background.
func (q Question) fromBackground() bool { return strings.HasPrefix(q.Text(), "(The ") }

// marks returns the marks of all messages of people. An answer that contains all marks answers all
// questions.
func (q Question) marks() string {
	words := ""
	for _, m := range q.Messages {
		if m.Role == "user" && !strings.HasPrefix(m.Content, goOn) {
			words += " " + Mark(m.Content)
		}
	}
	return words
}

// Mark returns the word by which the answer to a text is recognised.
func Mark(text string) string { return dice.New(0, "mark", text).Word() }

// Steps returns the number of steps since the last message of a person: the messages with tool
// calls. The text of an answer that broke off is not a step.
func (q Question) Steps() int {
	n := 0
	for _, m := range q.Messages[q.Last():] {
		if len(m.ToolCalls) > 0 {
			n++
		}
	}
	return n
}

// key identifies a question: the agent that asks, the text, and the step.
func (q Question) key() string {
	return q.Messages[0].Content + "\x00" + q.Text() + "\x00" + strconv.Itoa(q.Steps())
}

// Identity returns all messages, without the beginning of an answer that broke off.
func (q Question) Identity() string {
	messages := q.Messages
	if n := len(messages); n > 1 && strings.HasPrefix(messages[n-1].Content, goOn) {
		messages = messages[:n-2]
	}
	body, err := json.Marshal(messages)
	if err != nil {
		panic("model: " + err.Error())
	}
	return string(body)
}

// Validate returns an error where a provider would refuse the request: each call needs exactly one
// result, right behind the message that makes the call.
func (q Question) Validate() error {
	var open []string
	for i, m := range q.Messages {
		if m.Role != "tool" && len(open) > 0 {
			return fmt.Errorf("message %d stands before the results of %v", i, open)
		}
		if m.Role == "tool" {
			at := slices.Index(open, m.ToolCallID)
			if at < 0 {
				return fmt.Errorf("message %d is the result of %q, which was not called or has one", i, m.ToolCallID)
			}
			open = slices.Delete(open, at, at+1)
		}
		for _, c := range m.ToolCalls {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("the results of %v are missing", open)
	}
	return nil
}
