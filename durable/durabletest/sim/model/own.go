package model

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/sample"
)

// This file is for agents that are not made for the simulator: it knows their tools by the schemas
// that a request has.

// Address is where the model's server is.
const Address = "http://model.test/v1"

// Asked begins each text that a person types.
const Asked = "tell me of "

// isQuiet says whether the model calls no tools in a world that comes to rest: otherwise the end of
// each run could begin other runs without end, and helpers could have helpers.
func (q Question) isQuiet() bool {
	if q.slot == "" {
		return !strings.HasPrefix(q.Text(), Asked)
	}
	return strings.Contains(q.slot, "/")
}

// answerOwn decides what is answered to such an agent.
func (s *Server) answerOwn(d dice.Dice, q Question, a *Answer) {
	quiet := s.mode.Settling && q.isQuiet()
	if len(q.Tools) > 0 && !quiet && d.Under(4) > q.Steps()*2 {
		if d.Chance(2) {
			a.delta(map[string]any{"content": d.Word() + ". "})
		}
		for range 1 + d.Under(min(3, 1+len(q.Tools))) {
			s.callOwn(d, q.Tools[d.Under(len(q.Tools))], a)
		}
		a.finish("tool_calls")
		return
	}
	if schema := q.Format.JSON.Schema; len(schema) > 0 {
		a.delta(map[string]any{"content": string(s.Draw(d, schema))})
	} else {
		a.text(d, q)
	}
	a.finish("stop")
}

// callOwn calls a tool. Now and then the input does not fit the schema, as models do it.
func (s *Server) callOwn(d dice.Dice, t Tool, a *Answer) {
	c := a.newCall(d, t)
	c.Input = string(s.Draw(d, t.Function.Parameters.schema))
	if d.Chance(16) {
		c.Input = `{"` + d.Word() + `":[]}`
	}
	a.add(c)
}

// Draw returns a value that fits a schema, or an empty object if there is none.
func (s *Server) Draw(d dice.Dice, schema json.RawMessage) json.RawMessage {
	parsed, known := s.schemas[string(schema)]
	if !known {
		var err error
		if parsed, err = sample.Parse(schema); err != nil {
			return json.RawMessage("{}")
		}
		s.schemas[string(schema)] = parsed
	}
	body, err := parsed.Draw(d)
	if err != nil {
		return json.RawMessage("{}")
	}
	return body
}

// IsAsked says whether a request is one to the model, and not one of a tool.
func IsAsked(f durable.Fetch) bool { return strings.HasPrefix(f.URL, Address) }

// Serve answers the request of a tool: with JSON, with text, with an error, or not at all.
func (s *Server) Serve(slot string, f durable.Fetch) {
	what := f.Method + " " + f.URL + " " + string(f.Body)
	d := dice.New(s.seed, "served", what, strconv.Itoa(s.requested[what]))
	s.requested[what]++
	s.Cancel(slot, f.Fetch)
	events := served(d)
	for _, e := range events {
		s.reply(request{slot, f.Fetch}, e)
	}
	if len(events) == 0 {
		s.unanswered = append(s.unanswered, request{slot, f.Fetch})
	}
}

// reply sends a piece of the answer to the request of a tool.
func (s *Server) reply(r request, e durable.Event) {
	s.Lanes.Post(laneOf(r.slot, r.fetch), func() { s.World.Fetched(r.slot, r.fetch, named(r.fetch, e)) })
}

// served is an answer to the request of a tool.
func served(d dice.Dice) []durable.Event {
	kinds := dice.Options{{"json", 6}, {"text", 2}, {"missing", 2}, {"broken", 1}, {"unreachable", 1}, {"cut", 1}, {"silent", 1}}
	answer := func(status int, kind, body string) []durable.Event {
		return []durable.Event{
			durable.FetchResponded{Status: status, Header: map[string]string{"content-type": kind}},
			durable.FetchChunk{Data: []byte(body)},
			durable.FetchEnded{},
		}
	}
	switch kind := d.Pick(kinds); kind {
	case "text":
		return answer(200, "text/plain", strings.TrimSpace(string(bytes.Repeat([]byte(d.Word()+" "), 1+d.Under(50)))))
	case "missing":
		return answer(404, "text/plain", "not found")
	case "broken":
		return answer(500, "text/plain", "no "+d.Word())
	case "unreachable":
		return []durable.Event{durable.FetchFailed{Error: "connection refused"}}
	case "cut":
		return append(answer(200, "application/json", `{"`)[:2], durable.FetchFailed{Error: "connection reset"})
	case "silent":
		return nil
	}
	return answer(200, "application/json", `{"`+d.Word()+`":"`+d.Word()+`","items":[]}`)
}
