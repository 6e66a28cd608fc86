package mcpserver

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	answers "github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about what the code of a call asks its client, or the person who uses it.

// question is an open question, as it is stored.
type question struct {
	// Key is the name under which the client answers, and Position the await of the code.
	Key      string `json:"key"`
	Position int    `json:"position"`
	// Method and Params are those of the protocol.
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	// Schema is what an answer has to fit, or empty.
	Schema json.RawMessage `json:"schema,omitempty"`
	Form   form            `json:"form"`
	// Scopes are what the request needs that brings the answer.
	Scopes []string `json:"scopes,omitempty"`
	// Number is that of the event that asks it of a session, or 0 if it was not asked yet.
	Number int64 `json:"number,omitempty"`
}

// form is how an answer is filled in.
type form string

const (
	// approves asks for yes or no, by accepting or declining.
	approves form = "approves"
	// fields asks for an object, and single for one value, which is the field of that name.
	fields form = "fields"
	single form = "value"
	// whole gives the code the answer as the protocol has it.
	whole form = "whole"
)

// Ask implements [author.MCPServer].
func (p *Server) Ask(tx *durable.Tx, key flow.Key, q author.Question) {
	k := p.ofKey(key)
	made, err := questionOf(q)
	switch {
	case k == nil:
		err = errRemoved
	case len(k.asked) >= limit.Questions:
		err = fmt.Errorf("%d questions wait for an answer already", limit.Questions)
	case slices.ContainsFunc(k.asked, func(have question) bool { return have.Key == q.Name }):
		err = fmt.Errorf("another question has the name %.80q", q.Name)
	case err == nil && (k.kind != ofRequest || k.client.Version != ""):
		if _, lacks := k.client.capabilities().Missing(made.ask().Needs()); lacks {
			err = errCannotAsk
		}
	}
	if err != nil {
		flow.Complete(tx, key, nil, err.Error())
		return
	}
	made.Position, made.Scopes = key.Position, q.Scopes
	if made.Key = q.Name; made.Key == "" {
		made.Key = "q" + strconv.Itoa(key.Position)
	}
	k.asked, k.changed = append(k.asked, made), true
}

// Can implements [author.MCPServer].
func (p *Server) Can(id, method string) bool {
	k := p.inMemory(id)
	switch {
	case k == nil:
		return false
	case method == mcp.MethodElicit:
		return k.client.Form
	case method == mcp.MethodSample:
		return k.client.Sampling
	}
	return method == mcp.MethodRoots && k.client.Roots
}

const errCannotAsk failure = "the client of this call cannot be asked"

// Withdraw implements [author.MCPServer].
func (p *Server) Withdraw(tx *durable.Tx, key flow.Key) {
	k := p.ofKey(key)
	if k == nil {
		return
	}
	for _, q := range k.asked {
		if w := k.waiter; q.Position == key.Position && q.Number > 0 && w != nil && w.began {
			note := mcp.EncodeNote(mcp.Cancelled{Request: k.questionID(q), Reason: "the question was withdrawn"}, mcp.ID{})
			tx.Do(durable.Emit{Stream: w.request, Data: mcp.AppendEvent(nil, "", note)})
		}
	}
	k.forget(key.Position)
}

// asks says whether the question of an await is open, and forget closes it.
func (k *call) asks(position int) bool {
	return slices.ContainsFunc(k.asked, func(q question) bool { return q.Position == position })
}

func (k *call) forget(position int) {
	k.asked = slices.DeleteFunc(k.asked, func(q question) bool { return q.Position == position })
	k.changed = true
}

// ask returns the question in the form of the protocol.
func (q question) ask() mcp.Ask {
	params, err := mcp.Parse(q.Params)
	if err == nil {
		var ask mcp.Ask
		if ask, err = mcp.ParseAsk(q.Method, params); err == nil {
			return ask
		}
	}
	return mcp.Elicit{Message: string(q.Params)} // a damaged row, or a question of an author that is none
}

// questionOf returns a question of code as a client is asked it.
func questionOf(q author.Question) (question, error) {
	if q.Client != "" {
		made := question{Method: q.Client, Params: q.Input, Form: whole}
		params, err := mcp.Parse(q.Input)
		if err == nil {
			_, err = mcp.ParseAsk(q.Client, params)
		}
		return made, err
	}
	var shown struct {
		Title, Text string
		Default     json.RawMessage
	}
	if err := json.Unmarshal(q.Input, &shown); err != nil {
		return question{}, err
	}
	made := question{Method: mcp.MethodElicit, Form: approves}
	requested := json.RawMessage(`{"type":"object","properties":{}}`)
	if q.Form {
		var err error
		made.Schema = q.Schema
		if made.Form, requested, err = requestedOf(q.Schema, shown.Default); err != nil {
			return made, err
		}
	}
	made.Params = limit.MustMarshal(map[string]any{
		"mode": "form", "message": strings.Trim(shown.Title+"\n\n"+shown.Text, "\n"), "requestedSchema": requested,
	})
	return made, nil
}

// requestedOf returns the schema of a form for a value: an object whose fields are texts, numbers,
// booleans or choices.
func requestedOf(schema, proposed json.RawMessage) (form, json.RawMessage, error) {
	v, err := mcp.Parse(schema)
	if err != nil {
		return "", nil, err
	}
	if isPlain(v) {
		field := map[string]json.RawMessage{}
		if err := json.Unmarshal(schema, &field); err != nil {
			return "", nil, err
		}
		if proposed != nil {
			field["default"] = proposed
		}
		return single, limit.MustMarshal(map[string]any{
			"type": "object", "properties": map[string]any{string(single): field}, "required": []string{string(single)},
		}), nil
	}
	properties, others := v.Get("properties"), v.Get("additionalProperties").Get("type")
	if v.Get("type").Text() != "object" || others.Exists() || slices.ContainsFunc(properties.Items(), func(f mcp.Value) bool { return !isPlain(f) }) {
		return "", nil, errors.New("the answer has fields in fields, or lists, which the form of a client has not")
	}
	var defaults map[string]json.RawMessage
	_ = json.Unmarshal(proposed, &defaults) // it is an object if there is one, since it fits the schema
	out := map[string]map[string]json.RawMessage{}
	for i, name := range properties.Names() {
		field := map[string]json.RawMessage{}
		_ = json.Unmarshal([]byte(properties.Items()[i].JSON()), &field) // it was parsed before
		if value, ok := defaults[name]; ok {
			field["default"] = value
		}
		out[name] = field
	}
	required := json.RawMessage(cmp.Or(v.Get("required").JSON(), "[]"))
	return fields, limit.MustMarshal(map[string]any{"type": "object", "properties": out, "required": required}), nil
}

func isPlain(v mcp.Value) bool {
	return slices.Contains([]string{"string", "number", "integer", "boolean"}, v.Get("type").Text())
}

// lackedFor returns the error of a request whose answers need scopes that it does not have, or nil. It
// decides by the claims of the request that brings the answers, whoever has begun the call.
func (p *Server) lackedFor(c row, responses mcp.InputResponses, by string) *mcp.Error {
	for _, q := range c.asked {
		if _, answers := q.responseIn(responses); answers {
			if missing := p.config.Missing(by, q.Scopes); len(missing) > 0 {
				return invalid(needsToApprove(missing))
			}
		}
	}
	return nil
}

func needsToApprove(missing []string) string {
	return "the approval of this call needs the scope " + strings.Join(missing, ", ")
}

// responseIn returns the response that is about a question.
func (q question) responseIn(responses mcp.InputResponses) (v mcp.Value, ok bool) {
	i := slices.IndexFunc(responses, func(r mcp.InputResponse) bool { return r.Key == q.Key })
	if i < 0 {
		return v, false
	}
	return responses[i].Value, true
}

// take journals the answers of a client to a call's questions. What does not answer a question leaves it
// open, and so does an answer that needs a scope which the request lacks.
func (p *Server) take(tx *durable.Tx, c *row, responses mcp.InputResponses, claims string) {
	c.asked = slices.DeleteFunc(slices.Clone(c.asked), func(q question) bool {
		response, ok := q.responseIn(responses)
		if !ok || len(p.config.Missing(claims, q.Scopes)) > 0 {
			return false
		}
		a, ok := q.answerOf(response)
		if !ok {
			return false
		}
		a.By, a.At = p.config.Subject(claims), tx.Now
		flow.Complete(tx, flow.Key{Routine: routineOf + c.id, Position: q.Position}, limit.MustMarshal(a), "")
		return true
	})
}

// answerOf returns the answer to a question, or false if the response is none.
func (q question) answerOf(v mcp.Value) (a answers.Answer, ok bool) {
	if q.Form == whole {
		return answers.Answer{Value: json.RawMessage(v.JSON())}, fitsWhole(q.Method, v)
	}
	r, err := mcp.ParseElicitResult(v)
	switch {
	case err != nil:
		return a, false
	case r.Action == mcp.Cancel:
		return answers.Answer{Denied: true, Reason: "it was cancelled"}, true
	case r.Action == mcp.Decline:
		return answers.Answer{Denied: true}, true
	case q.Form == approves:
		return answers.Answer{Value: json.RawMessage("true")}, true
	case q.Form == single:
		r.Content = r.Content.Get(string(single))
	}
	if !r.Content.Exists() {
		return a, false
	}
	a.Value = json.RawMessage(r.Content.JSON())
	return a, len(a.Value) <= limit.QuestionAnswer && run.FitAnswer(q.Schema, a.Value) == nil
}

func fitsWhole(method string, v mcp.Value) bool {
	var err error
	switch method {
	case mcp.MethodElicit:
		_, err = mcp.ParseElicitResult(v)
	case mcp.MethodSample:
		_, err = mcp.ParseSampled(v)
	case mcp.MethodRoots:
		_, err = mcp.ParseRootList(v)
	}
	return err == nil && v.IsObject()
}

// requests returns the open questions of a call.
func (c row) requests() []mcp.InputRequest {
	requests := []mcp.InputRequest{}
	for _, q := range c.asked {
		requests = append(requests, mcp.InputRequest{Key: q.Key, Ask: q.ask()})
	}
	return requests
}
