package openai

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// This file is about what servers want back with the next request, besides the words: the texts of
// thoughts, under the names that they had, and data of an answer or a call that is passed on as it
// came. It goes to the server that has sent it and to no other. Data that cannot be read without the
// model, such as signatures, goes to that model only.
type (
	// thoughtTexts are the texts of a message's thoughts, under the names that servers use.
	thoughtTexts struct {
		// ReasoningContent is that of DeepSeek, Kimi and others. DeepSeek and Kimi want it back with every
		// message: https://api-docs.deepseek.com/guides/thinking_mode.
		ReasoningContent flatText `json:"reasoning_content,omitempty"`
		// Reasoning is that of OpenRouter, Groq, Ollama and later versions of vLLM, and ReasoningText that of
		// GitHub.
		Reasoning     flatText `json:"reasoning,omitempty"`
		ReasoningText flatText `json:"reasoning_text,omitempty"`
	}
	// answerData is kept of an answer with calls: the thoughts of OpenRouter
	// (https://openrouter.ai/docs/guides/best-practices/reasoning-tokens) and of LiteLLM with their
	// signatures, GitHub's in secret writing, and Gemini's signature of an answer.
	answerData struct {
		Details json.RawMessage `json:"reasoning_details,omitempty"`
		Blocks  json.RawMessage `json:"thinking_blocks,omitempty"`
		Opaque  json.RawMessage `json:"reasoning_opaque,omitempty"`
		Extra   json.RawMessage `json:"extra_content,omitempty"`
	}
	// callData is kept of a call: the signature of Gemini
	// (https://ai.google.dev/gemini-api/docs/thought-signatures), as Google or a proxy sends it.
	callData struct {
		Extra     json.RawMessage `json:"extra_content,omitempty"`
		Specific  json.RawMessage `json:"provider_specific_fields,omitempty"`
		Signature json.RawMessage `json:"thought_signature,omitempty"`
	}
	// keptData is the metadata of a thought or of a call, in the form that chat clients keep.
	keptData struct {
		// From is the host that has sent it, and Model the model. Answer is the id of the answer: if a step
		// was begun again, only the thoughts of its last answer are used.
		From   string `json:"from"`
		Model  string `json:"model,omitempty"`
		Answer string `json:"answer,omitempty"`
		// Field is the name under which the text of a thought came. Such a text needs no proof.
		Field string `json:"field,omitempty"`
		Plain bool   `json:"plain,omitempty"`
		// Call and Message are kept with a call. Message is that of its answer, at the answer's first call.
		Call    *callData   `json:"call,omitempty"`
		Message *answerData `json:"message,omitempty"`
	}
	provided struct {
		OpenAI *keptData `json:"openai"`
	}
)

// The names of the texts of thoughts.
const (
	fieldReasoningContent = "reasoning_content"
	fieldReasoning        = "reasoning"
	fieldReasoningText    = "reasoning_text"
)

// thought returns the text of a message's thoughts and the name that it has, or "". Some servers send it
// under two names.
func (d delta) thought() (text, field string) {
	switch {
	case d.ReasoningContent != "":
		return string(d.ReasoningContent), fieldReasoningContent
	case d.Reasoning != "":
		return string(d.Reasoning), fieldReasoning
	case d.ReasoningText != "":
		return string(d.ReasoningText), fieldReasoningText
	case d.Content.thought != "":
		return string(d.Content.thought), ""
	}
	return d.answerData.words(), ""
}

// with returns the texts with one more under the name of a field.
func (t thoughtTexts) with(field, text string) thoughtTexts {
	switch field {
	case fieldReasoningContent:
		t.ReasoningContent += flatText(text)
	case fieldReasoning:
		t.Reasoning += flatText(text)
	case fieldReasoningText:
		t.ReasoningText += flatText(text)
	}
	return t
}

// encode returns what is kept of a call as JSON, or "".
func (c callData) encode() string {
	for _, raw := range []*json.RawMessage{&c.Extra, &c.Specific, &c.Signature} {
		if model.SaysNothing(*raw) {
			*raw = nil
		}
	}
	if c.Extra == nil && c.Specific == nil && c.Signature == nil {
		return ""
	}
	return string(limit.MustMarshal(c))
}

// growing are the fields of a detail that come in pieces.
var growing = []string{"text", "summary", "thinking"}

// words returns the text of the thoughts in the details.
func (a answerData) words() string {
	if len(a.Details) == 0 {
		return ""
	}
	var b strings.Builder
	for _, d := range listOf(a.Details) {
		for _, name := range growing {
			b.WriteString(textOf(d[name]))
		}
	}
	return b.String()
}

type detail = map[string]json.RawMessage

func listOf(raw json.RawMessage) (list []detail) {
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

func textOf(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // what is no text has none
	return s
}

// endThought returns the end of the thought that is open, if the server wants its text back.
func (a *answer) endThought() []model.Delta {
	if !a.thinking {
		return nil
	}
	a.thinking = false
	if a.field == "" || a.host == "" {
		return nil
	}
	return []model.Delta{model.ReasoningEnded{Provider: encodeKept(keptData{From: a.host, Answer: a.id, Field: a.field, Plain: true})}}
}

// keep gives the calls of an answer what is kept of them, and the first one what is kept of the answer.
func (a *answer) keep(deltas []model.Delta) []model.Delta {
	first := true
	for i, d := range deltas {
		switch d := d.(type) {
		case model.ToolCall:
			d.Provider = a.kept(d.Provider, first)
			deltas[i], first = d, false
		case model.ToolCallInvalid:
			d.Provider = a.kept(d.Provider, first)
			deltas[i], first = d, false
		}
	}
	return deltas
}

func (a *answer) kept(call json.RawMessage, first bool) json.RawMessage {
	k := keptData{From: a.host, Model: a.model}
	if len(call) > 0 {
		k.Call = &callData{}
		_ = json.Unmarshal(call, k.Call) // it was encoded here
	}
	if first {
		k.Message = a.data.encode()
	}
	if a.host == "" || k.Call == nil && k.Message == nil {
		return nil
	}
	return encodeKept(k)
}

func encodeKept(k keptData) json.RawMessage { return limit.MustMarshal(provided{&k}) }

// asker says to whom a request goes.
type asker struct{ host, model string }

// keptOf returns what a message's part keeps for the asked server, or nil.
func (a asker) keptOf(provider json.RawMessage) *keptData {
	var p provided
	if a.host == "" || len(provider) == 0 || json.Unmarshal(provider, &p) != nil || p.OpenAI == nil || p.OpenAI.From != a.host {
		return nil
	}
	return p.OpenAI
}

// signedOf is [asker.keptOf] for data that only the model that made it can read.
func (a asker) signedOf(provider json.RawMessage) keptData {
	k := a.keptOf(provider)
	if k == nil || k.Model != a.model {
		return keptData{}
	}
	return *k
}

// thoughtsOf returns the texts of a message's thoughts that the server wants back. Later says that a
// person has said something since: then only texts under the name reasoning_content are.
func (a asker) thoughtsOf(m model.Message, later bool) (texts thoughtTexts) {
	last := ""
	for _, c := range m.Content {
		r, ok := c.(model.Reasoning)
		if !ok {
			continue
		}
		k := a.keptOf(r.Provider)
		if k == nil || k.Field == "" || later && k.Field != fieldReasoningContent {
			continue
		}
		if k.Answer != last {
			last, texts = k.Answer, thoughtTexts{}
		}
		texts = texts.with(k.Field, r.Text)
	}
	return texts
}

// noThought is the text of a thought that is not known: the server refuses a message without one, and
// some refuse an empty one. The message had none, another model has made it, or it was left out.
const noThought = " "

// thinkers are hosts that want the text of a thought with every call, whoever has made it.
var thinkers = []string{"deepseek.com", "moonshot.ai", "moonshot.cn", "kimi.com"}

// isThinker says whether the host of a server is one of them.
func (a asker) isThinker() bool {
	host, _, _ := strings.Cut(a.host, ":")
	return slices.ContainsFunc(thinkers, func(t string) bool { return host == t || strings.HasSuffix(host, "."+t) })
}

// fill gives all messages of the assistant the text of a thought, if one of them has it, or if the
// server wants it with calls.
func (a asker) fill(list []message) {
	known := slices.ContainsFunc(list, func(m message) bool { return m.ReasoningContent != "" })
	for i, m := range list {
		if m.Role == string(model.Assistant) && (known || a.isThinker() && len(m.ToolCalls) > 0) {
			list[i].ReasoningContent = cmp.Or(m.ReasoningContent, noThought)
		}
	}
}
