package chat_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is what tests about people share: messages, requests and calls of people with claims.

// payee is the input of the tools that pay.
type payee struct {
	To string `json:"to"`
}

// words are a message with one text.
type words struct{ id, role, text string }

func user(id, text string) words { return words{id, "user", text} }

func messagesOf(list []words) []any {
	all := []any{}
	for _, m := range list {
		all = append(all, map[string]any{"id": m.id, "role": m.role, "parts": []any{map[string]any{"type": "text", "text": m.text}}})
	}
	return all
}

// requestFrame is the frame of a request for a turn. more has fields of its body, besides the messages.
func requestFrame(id string, more map[string]any, list ...words) map[string]any {
	body := map[string]any{"messages": messagesOf(list)}
	for name, value := range more {
		body[name] = value
	}
	return map[string]any{"type": "cf_agent_use_chat_request", "id": id, "init": map[string]any{"method": "POST", "body": string(limit.MustMarshal(body))}}
}

// callFrame is the frame of a call of a method.
func callFrame(method string, args ...any) map[string]any {
	return map[string]any{"type": "rpc", "id": "call", "method": method, "args": append([]any{}, args...)}
}

// sendAs has somebody send a frame.
func sendAs(w *durabletest.World, conn, claims string, frame any) {
	w.Tell(durable.SocketMessage{Conn: durable.ConnID(conn), Text: string(limit.MustMarshal(frame)), Claims: claims})
}

// answerTo finds the answer to a call among lines, and decodes its result unless that is nil. It returns the error
// that the method has, and says whether there is an answer.
func answerTo(t *testing.T, conn string, lines []string, result any) (failure string, answered bool) {
	t.Helper()
	for _, line := range lines {
		_, answer, ok := strings.Cut(strings.TrimSpace(line), "send "+conn+` {"type":"rpc",`)
		if !ok {
			continue
		}
		var f struct {
			Error  string
			Result json.RawMessage
		}
		if err := json.Unmarshal([]byte("{"+answer), &f); err != nil {
			t.Fatal(err)
		}
		if f.Error == "" && result != nil {
			if err := json.Unmarshal(f.Result, result); err != nil {
				t.Fatal(err)
			}
		}
		return f.Error, true
	}
	return "", false
}
