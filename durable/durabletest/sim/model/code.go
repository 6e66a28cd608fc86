package model

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/code"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// coder returns what makes an answer call the tool that runs code, or nil if the answer does not.
func (s *Server) coder(q Question, before int) func(a *Answer) {
	if !s.mode.Code || !slices.ContainsFunc(q.Tools, func(t Tool) bool { return t.Function.Name == contract.Code }) {
		return nil
	}
	d := dice.New(s.seed, "code", q.key(), strconv.Itoa(before))
	if d.Under(3) <= q.Steps() {
		return nil
	}
	return func(a *Answer) {
		for range 1 + d.Under(8)/7 {
			a.writeCode(d, callable(d, append(s.hidden(q), q.Tools...)))
		}
	}
}

// hidden returns the tools that code reaches, and that a question does not have.
func (s *Server) hidden(q Question) (tools []Tool) {
	for _, name := range s.Hidden(q.slot) {
		var t Tool
		t.Function.Name, t.Function.Parameters.Properties = name, map[string]string{"text": "string"}
		tools = append(tools, t)
	}
	return tools
}

// writeCode calls the tool that runs code.
func (a *Answer) writeCode(d dice.Dice, tools []code.Tool) {
	p := code.Draw(d, tools)
	c := ToolCall{ID: "call_" + d.Word() + d.Word(), Name: contract.Code, Program: p}
	if a.CountsCalls {
		c.ID = "call_" + strconv.Itoa(len(a.Calls))
	}
	body, err := json.Marshal(map[string]string{"code": p.Text})
	if err != nil {
		panic("model: " + err.Error())
	}
	c.Input = string(body)
	a.add(c)
}

// callable returns the tools that code calls. Those that are there for code alone are called most often,
// because helpers take long.
func callable(d dice.Dice, tools []Tool) (some []code.Tool) {
	for _, t := range usable(tools) {
		name := t.Function.Name
		if name == contract.Mine && !d.Chance(8) || t.asksPerson() && name != contract.Permit {
			continue
		}
		c := code.Tool{Name: name, Properties: slices.Sorted(maps.Keys(t.Function.Parameters.Properties))}
		if t.isAction() {
			c.Values = wished
		}
		often := 1
		if name == contract.Stamp || name == contract.Permit || contract.IsServed(name) {
			often = 4
		}
		for range often {
			some = append(some, c)
		}
	}
	return some
}

// wished returns a value of a property of an action.
func wished(d dice.Dice, property string) string {
	some := map[string][]string{"wish": contract.Wishes, "note": contract.Notes}[property]
	return some[d.Under(len(some))]
}

// Stamp answers a request that stamps something, when it has arrived. A few connections break, before
// the request has arrived or behind that. stamped is called when it arrives.
func (s *Server) Stamp(slot string, f durable.Fetch, stamped func()) {
	what := string(f.Body)
	d := dice.New(s.seed, "stamp", what)
	r := request{slot, f.Fetch}
	kind := 0
	if !s.mode.Settling {
		kind = d.Under(16)
	}
	s.Lanes.Post(laneOf(slot, f.Fetch), func() {
		if kind == 1 {
			s.reply(r, durable.FetchFailed{Error: "connection refused"})
			return
		}
		stamped()
		switch kind {
		case 2:
			s.reply(r, durable.FetchFailed{Error: "connection reset"})
			return
		case 3:
			s.reply(r, durable.FetchResponded{Status: http.StatusInternalServerError})
			s.reply(r, durable.FetchEnded{})
			return
		}
		s.reply(r, durable.FetchResponded{Status: http.StatusOK})
		s.reply(r, durable.FetchChunk{Data: []byte(contract.Stamped(what))})
		s.reply(r, durable.FetchEnded{})
	})
}
