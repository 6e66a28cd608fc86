package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// question is what a model is asked, as the body of a request says it.
type question struct {
	Messages []questionMessage `json:"messages"`
	Tools    []tool            `json:"tools"`
}

// questionMessage is one message of a conversation.
type questionMessage struct {
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

// tool is one that the model may have called.
type tool struct {
	Function struct {
		Name       string `json:"name"`
		Parameters struct {
			Properties map[string]struct {
				Type string `json:"type"`
			} `json:"properties"`
		} `json:"parameters"`
	} `json:"function"`
}

func parseQuestion(body []byte) (question, error) {
	var q question
	err := json.Unmarshal(body, &q)
	return q, err
}

// goOn is how a model is told to go on behind an answer of its that broke off.
const goOn = "Your answer broke off there."

// asked returns where the last message of a person stands.
func (q question) asked() int {
	for i, m := range slices.Backward(q.Messages) {
		if m.Role == "user" && !strings.HasPrefix(m.Content, goOn) {
			return i
		}
	}
	return 0
}

// text is what was asked last.
func (q question) text() string { return q.Messages[q.asked()].Content }

// noticed says whether that came from something at work in the background.
func (q question) noticed() bool { return strings.HasPrefix(q.text(), "(The ") }

// marks are the words by which an answer to everything that was asked can be known.
func (q question) marks() string {
	words := ""
	for _, m := range q.Messages {
		if m.Role == "user" && !strings.HasPrefix(m.Content, goOn) {
			words += " " + mark(m.Content)
		}
	}
	return words
}

// rounds is how many steps have been made since: those that had tools called. What an
// answer had said when it broke off is no step.
func (q question) rounds() int {
	n := 0
	for _, m := range q.Messages[q.asked():] {
		if len(m.ToolCalls) > 0 {
			n++
		}
	}
	return n
}

// key tells questions apart: who is asked, what, and which step it is.
func (q question) key() string {
	return q.Messages[0].Content + "\x00" + q.text() + "\x00" + strconv.Itoa(q.rounds())
}

// identity is the whole of what is asked, without what an answer had said that broke off.
func (q question) identity() string {
	messages := q.Messages
	if n := len(messages); n > 1 && strings.HasPrefix(messages[n-1].Content, goOn) {
		messages = messages[:n-2]
	}
	body, err := json.Marshal(messages)
	if err != nil {
		panic("sim: " + err.Error())
	}
	return string(body)
}

// wellFormed checks what a provider would refuse: every call has exactly one result, and
// it stands right behind.
func (q question) wellFormed() error {
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
