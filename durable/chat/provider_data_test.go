package chat_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// told is what a stand-in of a provider reads of a request.
type told struct {
	Model    string        `json:"model"`
	Messages []toldMessage `json:"messages"`
}

type toldMessage struct {
	Role    string          `json:"role"`
	Thought *string         `json:"reasoning_content"`
	Details json.RawMessage `json:"reasoning_details"`
	Calls   []struct {
		Extra json.RawMessage `json:"extra_content"`
	} `json:"tool_calls"`
	Content json.RawMessage `json:"content"`
}

// blocks is the content of a message of Anthropic's API.
func (m toldMessage) blocks() (list []struct{ Type, Thinking, Signature string }) {
	_ = json.Unmarshal(m.Content, &list) // a text has none
	return list
}

// hasUse says whether a message of Anthropic's API calls a tool.
func (m toldMessage) hasUse() bool { return strings.Contains(string(m.Content), `"tool_use"`) }

// since returns the messages behind the last one of a person.
func (r told) since() []toldMessage {
	last := 0
	for i, m := range r.Messages {
		if m.Role == "user" && !strings.Contains(string(m.Content), "tool_result") {
			last = i
		}
	}
	return r.Messages[last:]
}

// standIn is a provider with its own rule for what it wants back. said are the events of an answer that
// calls the tool, and answered those of one that does not. refuses says what is wrong with a request.
type standIn struct {
	provider       string
	said, answered []string
	refuses        func(told) string
	// secret is what no other provider may be told.
	secret string
}

var standIns = map[string]standIn{
	"DeepSeek": {
		provider: "openai", secret: "I should look",
		said: []string{
			`{"id":"x","choices":[{"delta":{"reasoning_content":"I should"}}]}`, `{"id":"x","choices":[{"delta":{"reasoning_content":" look."}}]}`,
			`{"id":"x","choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"research","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]",
		},
		answered: []string{`{"choices":[{"delta":{"content":"Done."},"finish_reason":"stop"}]}`, "[DONE]"},
		refuses: func(r told) string {
			for _, m := range r.Messages {
				if m.Role == "assistant" && (m.Thought == nil || *m.Thought == "" || len(m.Calls) > 0 && *m.Thought != "I should look.") {
					return "The `reasoning_content` in the thinking mode must be passed back to the API."
				}
			}
			return ""
		},
	},
	"Kimi, whose input is no JSON": {
		provider: "openai", secret: "I should look",
		said: []string{
			`{"choices":[{"delta":{"reasoning_content":"I should look."}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"research:0","function":{"name":"research","arguments":"{\"a\": ,}"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]",
		},
		answered: []string{`{"choices":[{"delta":{"reasoning_content":"Enough.","content":"Done."},"finish_reason":"stop"}]}`, "[DONE]"},
		refuses: func(r told) string {
			for i, m := range r.Messages {
				if len(m.Calls) > 0 && (m.Thought == nil || strings.TrimSpace(*m.Thought) == "") {
					return fmt.Sprintf("thinking is enabled but reasoning_content is missing in assistant tool call message at index %d", i)
				}
			}
			return ""
		},
	},
	"Gemini": {
		provider: "openai", secret: "c2ln",
		said: []string{
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"","extra_content":{"google":{"thought_signature":"c2ln"}},"function":{"name":"research","arguments":"{}"}}]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"","function":{"name":"research","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]",
		},
		answered: []string{`{"choices":[{"delta":{"content":"Done."},"finish_reason":"stop"}]}`, "[DONE]"},
		refuses: func(r told) string {
			for _, m := range r.Messages {
				if len(m.Calls) > 0 && (len(m.Calls) != 2 || string(m.Calls[0].Extra) != `{"google":{"thought_signature":"c2ln"}}` || m.Calls[1].Extra != nil) {
					return "Function call is missing a thought_signature in functionCall parts."
				}
			}
			return ""
		},
	},
	"OpenRouter": {
		provider: "openai", secret: "c2ln",
		said: []string{
			`{"choices":[{"delta":{"reasoning":"I should","reasoning_details":[{"type":"reasoning.text","text":"I should","index":0,"format":"f"}]}}]}`,
			`{"choices":[{"delta":{"reasoning":" look.","reasoning_details":[{"type":"reasoning.text","text":" look.","index":0,"format":"f"}]}}]}`,
			`{"choices":[{"delta":{"content":"","reasoning_details":[{"type":"reasoning.text","signature":"c2ln","index":0,"format":"f"}]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"research","arguments":"{}"}}]}}]}`,
			`{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"b3Bh","id":"c1","index":1}]},"finish_reason":"tool_calls"}]}`, "[DONE]",
		},
		answered: []string{`{"choices":[{"delta":{"content":"Done."},"finish_reason":"stop"}]}`, "[DONE]"},
		refuses: func(r told) string {
			const want = `[{"format":"f","index":0,"signature":"c2ln","text":"I should look.","type":"reasoning.text"},{"data":"b3Bh","id":"c1","index":1,"type":"reasoning.encrypted"}]`
			for _, m := range r.Messages {
				if len(m.Calls) > 0 && string(m.Details) != want {
					return "reasoning_details must match the original"
				}
			}
			return ""
		},
	},
	"Anthropic": {
		provider: "anthropic", secret: "c2ln",
		said: []string{
			`{"type":"message_start","message":{"id":"m1"}}`, `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"I should look."}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}`, `{"type":"content_block_stop","index":0}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"research","input":{}}}`, `{"type":"content_block_stop","index":1}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `{"type":"message_stop"}`,
		},
		answered: []string{
			`{"type":"message_start","message":{"id":"m2"}}`, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Done."}}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, `{"type":"message_stop"}`,
		},
		refuses: func(r told) string {
			for _, m := range r.Messages {
				for _, b := range m.blocks() {
					if b.Type == "thinking" && b.Signature == "" {
						return "messages.1.content.0.thinking.signature: Field required"
					}
				}
			}
			for _, m := range r.since() {
				if m.hasUse() && m.blocks()[0].Signature != "c2ln" {
					return "Expected `thinking` or `redacted_thinking`, but found `tool_use`."
				}
			}
			return ""
		},
	},
	"DeepSeek by Anthropic's API": {
		provider: "anthropic", secret: "I should look",
		said: []string{
			`{"type":"message_start","message":{"id":"m1"}}`, `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"I should look."}}`, `{"type":"content_block_stop","index":0}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"research","input":{}}}`, `{"type":"content_block_stop","index":1}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `{"type":"message_stop"}`,
		},
		answered: []string{
			`{"type":"message_start","message":{"id":"m2"}}`, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Done."}}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, `{"type":"message_stop"}`,
		},
		refuses: func(r told) string {
			for _, m := range r.Messages {
				if b := m.blocks(); m.hasUse() && (b[0].Type != "thinking" || b[0].Thinking != "I should look.") {
					return "The `content[].thinking` in the thinking mode must be passed back to the API."
				}
			}
			return ""
		},
	},
}

// standInWorld is a conversation with a stand-in. bodies are the requests that it was sent.
type standInWorld struct {
	t *testing.T
	*durabletest.World
	with   standIn
	evict  bool
	bodies []string
}

func newStandInWorld(t *testing.T, with standIn) *standInWorld {
	t.Helper()
	research := func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"found"`), nil
	}
	engine := durabletest.NewNative(1, chattest.Class(agent.Agent{Name: "Kept", Tools: []agent.Tool{{Name: "research", Run: research}}}))
	t.Cleanup(func() { engine.Close() })
	w := &standInWorld{t: t, World: durabletest.NewWorld(engine, "Kept", "room"), with: with}
	act(t, w.World, "var MODEL_PROVIDER="+with.provider, "var MODEL_NAME=m", "var MODEL_BASE_URL=https://kept.test/v1", "secret MODEL_API_KEY", "connect a")
	return w
}

// do acts, and answers the requests that follow. If evict is set, the memory is lost before each answer.
func (w *standInWorld) do(actions ...string) {
	w.t.Helper()
	act(w.t, w.World, actions...)
	for range 20 {
		name, body := w.asked()
		if name == "" {
			return
		}
		if w.evict {
			w.Evict("")
			act(w.t, w.World, "connect b")
			name, body = w.asked()
		}
		w.bodies = append(w.bodies, body)
		w.answer(name, body)
	}
	w.t.Fatal("it is asked for ever")
}

// asked returns the last request since.
func (w *standInWorld) asked() (name, body string) {
	for _, line := range w.Take() {
		if rest, ok := strings.CutPrefix(line, "fetch turn-"); ok {
			name, body = "turn-"+strings.Fields(rest)[0], rest[strings.Index(rest, `{"model"`):]
		}
	}
	return name, body
}

func (w *standInWorld) answer(name, body string) {
	w.t.Helper()
	var r told
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		w.t.Fatal(err)
	}
	if why := w.with.refuses(r); why != "" {
		w.t.Fatalf("refused: %s\n%s", why, body)
	}
	events := w.with.said
	if len(r.since()) > 1 {
		events = w.with.answered
	}
	w.Fetched("", name, durable.FetchResponded{Fetch: name, Status: 200, Header: map[string]string{"content-type": "text/event-stream"}})
	w.Fetched("", name, durable.FetchChunk{Fetch: name, Data: []byte("data: " + strings.Join(events, "\n\ndata: ") + "\n\n")})
}

// TestProviderIsToldWhatItWantsBack has turns with tools with stand-ins that refuse a request without what
// they have sent: in the loop, after the memory was lost, with the next question, with one that replaces
// another, and in front of questions that another provider has answered. The other provider is told
// nothing of it.
func TestProviderIsToldWhatItWantsBack(t *testing.T) {
	for name, with := range standIns {
		for _, evict := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, evict %v", name, evict), func(t *testing.T) {
				w := newStandInWorld(t, with)
				w.evict = evict
				w.do("say a R1 u1: one")
				w.do("say a R2 u2: two")
				w.do("regenerate a R3 u2: two again")
				if n := len(w.bodies); n != 6 {
					t.Fatalf("%d requests, want 6", n)
				}
				if last := w.bodies[5]; !strings.Contains(last, with.secret) {
					t.Errorf("it is not told %q: %s", with.secret, last)
				}
				w.with.refuses = func(told) string { return "" }
				act(t, w.World, "var MODEL_BASE_URL=https://other.test/v1")
				w.Evict("")
				w.do("say a R4 u3: three")
				if body := w.bodies[6]; strings.Contains(body, with.secret) {
					t.Errorf("another server is told %q: %s", with.secret, body)
				}
			})
		}
	}
}

// TestThoughtIsNoAnswer checks that a turn whose model has only thought ends with an error that says why,
// and that the thought is kept.
func TestThoughtIsNoAnswer(t *testing.T) {
	thought := func(finish string) []string {
		return []string{`{"choices":[{"delta":{"reasoning_content":"Hm."}}]}`, `{"choices":[{"delta":{"content":"\n"},"finish_reason":"` + finish + `"}]}`, "[DONE]"}
	}
	call := []string{`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"research","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]"}
	for name, test := range map[string]struct {
		said, answered []string
		want           string
	}{
		"stop":           {thought("stop"), nil, "the model gave no answer, only a thought"},
		"length":         {thought("length"), nil, "the model gave no answer: it was cut off by the limit on the answer's length while it thought; see MODEL_MAX_TOKENS"},
		"a filter":       {thought("SAFETY"), nil, "the model gave no answer: the provider's filter has stopped it"},
		"behind a call":  {call, thought("stop"), "the model gave no answer, only a thought"},
		"nothing at all": {[]string{`{"choices":[{"delta":{},"finish_reason":"length"}]}`, "[DONE]"}, nil, "the model gave no answer: it was cut off by the limit on the answer's length; see MODEL_MAX_TOKENS"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newStandInWorld(t, standIn{provider: "openai", said: test.said, answered: test.answered, refuses: func(told) string { return "" }})
			var lines []string
			act(t, w.World, "say a R1 u1: one")
			for range 3 {
				all := w.Take()
				lines = append(lines, all...)
				for _, line := range all {
					if rest, ok := strings.CutPrefix(line, "fetch turn-"); ok {
						w.answer("turn-"+strings.Fields(rest)[0], rest[strings.Index(rest, `{"model"`):])
					}
				}
			}
			if all := strings.Join(lines, "\n"); !strings.Contains(all, `"`+test.want+`"`) || strings.Contains(all, `\"finish\"`) {
				t.Errorf("want %q:\n%s", test.want, all)
			}
		})
	}
}
