package model

import (
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// compose decides the answer to a question that was asked a number of times before.
func (s *Server) compose(q Question, before int) Answer {
	d := dice.New(s.seed, "answer", q.key(), strconv.Itoa(before))
	a := Answer{
		Whole: -1, workshop: s.mode.Workshop, Habits: s.habits,
		garbles: s.mode.Garbles, oneIndex: s.mode.OneIndex, oddErrors: s.mode.OddErrors,
	}
	a.head(200, map[string]string{"content-type": "text/event-stream"})
	if d.Chance(4) {
		a.think(d)
	}
	if s.mode.Own != nil {
		s.answerOwn(d, q, &a)
		return s.sent(d, q, before, a)
	}
	tools := usable(q.Tools)
	var people []Tool
	if s.mode.Questions {
		people = forPeople(tools)
	}
	coder := s.coder(q, before)
	tools = slices.DeleteFunc(tools, func(t Tool) bool { return t.asksPerson() || contract.ForCode(t.Function.Name) })
	if s.mode.Plans {
		tools = planning(tools)
	}
	if some := sending(usable(q.Tools)); s.mode.Delegates && len(some) > 0 && q.Steps() == 0 && !d.Chance(3) {
		tools, people, coder = some, nil, nil
	}
	if s.mode.Settling && s.background && q.fromBackground() { // otherwise the end of each run would begin other runs without end
		tools, people, coder = nil, nil, nil
	}
	if coder != nil {
		coder(&a)
		a.finish("tool_calls")
	} else if len(people) > 0 && d.Under(3) > q.Steps() {
		a.askPeople(d, people, tools)
		a.finish("tool_calls")
	} else if len(tools) > 0 && d.Under(4) > q.Steps()*2 {
		tools = preferred(d, tools)
		if d.Chance(2) {
			a.delta(map[string]any{"content": d.Word() + ". "})
		}
		a.callSome(d, tools)
		a.finish("tool_calls")
	} else {
		a.text(d, q)
		a.finish("stop")
	}
	return s.sent(d, q, before, a)
}

// sent is an answer as it is sent: some of them fail, or never end, and all come in pieces.
func (s *Server) sent(d dice.Dice, q Question, before int, a Answer) Answer {
	if !s.mode.Settling {
		a = s.spoil(d, a)
		a = s.stick(dice.New(s.seed, "stuck", q.key()), a)
	}
	a = s.dawdle(dice.New(s.seed, "slow", q.key(), strconv.Itoa(before)), a)
	a.shred(d)
	if s.mode.Settling || d.Chance(10) { // no event can come between the pieces any more, so two pieces are enough
		a.gather()
	}
	return a
}

// spoil makes some answers fail, on seeds whose model is faulty.
func (s *Server) spoil(d dice.Dice, a Answer) Answer {
	if !d.Chance(s.habits.Faulty) {
		return a
	}
	kinds := []string{"busy", "broken", "unreachable", "cut", "short", "silent", "refused"}
	bad := Answer{Whole: -1, Fault: true, oddErrors: a.oddErrors}
	switch kind := kinds[d.Under(len(kinds))]; kind {
	case "busy":
		seconds := 1 + d.Under(4)
		bad.RetryAfter = int64(seconds) * 1_000
		bad.head(429, map[string]string{"retry-after": strconv.Itoa(seconds)})
		bad.Pieces = append(bad.Pieces, durable.FetchEnded{})
	case "broken", "refused":
		bad.refuse(d, map[string]int{"broken": 500, "refused": 400}[kind])
	case "unreachable":
		bad.Pieces = append(bad.Pieces, durable.FetchFailed{Error: "connection refused"})
	case "cut":
		a.cut(1+d.Under(len(a.Pieces)-2), durable.FetchFailed{Error: "connection reset"})
		return a
	case "short":
		a.cut(1+d.Under(len(a.Pieces)-4), nil)
		a.tear()
		return a
	case "silent":
		a.cut(d.Under(len(a.Pieces)-2), nil)
		return a
	}
	return bad
}

// stick makes the answers to some questions break off behind the same words, however often they are asked, on
// seeds whose server does that.
func (s *Server) stick(d dice.Dice, a Answer) Answer {
	if !s.habits.Stuck || !d.Chance(6) {
		return a
	}
	bad := Answer{Whole: -1, Fault: true, Habits: s.habits}
	bad.head(200, map[string]string{"content-type": "text/event-stream"})
	if d.Chance(2) {
		bad.think(d)
	}
	for range 1 + d.Under(3) {
		bad.delta(map[string]any{"content": d.Word() + " "})
	}
	if d.Chance(2) {
		bad.event(map[string]any{"error": map[string]any{"code": 502, "message": "no " + d.Word()}})
		return bad
	}
	bad.Pieces = append(bad.Pieces, durable.FetchFailed{Error: "connection reset"})
	return bad
}
