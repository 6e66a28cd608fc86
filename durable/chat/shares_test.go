//go:build !wasip1

package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/internal/share/sharetest"
	"github.com/tributary-agents/tributary/durable/model"
)

// This file has people fill what all people of a conversation share, through the entrance that they have.

// wisher is a model that calls a tool as often as the question says: "3 sign". With "insist" it calls one
// again and again.
type wisher struct{}

func (wisher) Name() string { return "wisher" }

func (wisher) Begin(tx *durable.Tx, id string, request model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	return &wished{id: id, request: request}, nil
}

type wished struct {
	id      string
	request model.Request
}

func (a *wished) Take(tx *durable.Tx, event durable.Event) ([]model.Delta, error) {
	if _, fired := event.(durable.TimerFired); !fired {
		return nil, nil
	}
	last := a.request.Messages[len(a.request.Messages)-1].Content[0]
	var deltas []model.Delta
	var n int
	var tool string
	if text, ok := last.(model.Text); ok {
		_, _ = fmt.Sscanf(text.Text, "%d %s", &n, &tool) // any other question has a short answer
	}
	for i := len(a.request.Messages) - 1; i >= 0; i-- {
		if text, ok := a.request.Messages[i].Content[0].(model.Text); ok {
			if text.Text == "insist" {
				n, tool = 3, "nothing"
			}
			break
		}
	}
	for range n {
		call := model.ToolCall{ID: "call_" + tx.NewID(), Name: tool, Input: json.RawMessage(`{}`)}
		if tool == "bee" || tool == "drone" {
			call.Input = json.RawMessage(`{"n":1}`)
		}
		if take := a.request.TakeID; take != nil && !take(tx, call.ID) {
			call.ID = "own_" + tx.NewID()
		}
		deltas = append(deltas, model.ToolCallStarted{ID: call.ID, Name: call.Name}, call)
	}
	if n > 0 {
		return append(deltas, model.Finished{Reason: model.ToolCalls}), nil
	}
	return []model.Delta{model.TextDelta{Text: "well"}, model.Finished{Reason: model.Stop}}, nil
}

func (a *wished) Cancel(tx *durable.Tx) { tx.Do(durable.StopTimer{Timer: a.id}) }

// crowd is a conversation that several people use.
type crowd struct {
	t      *testing.T
	w      *durabletest.World
	engine *durabletest.Native
	sent   int
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	sign := agent.NewTool("sign", "", func(*agent.Context, struct{}) (string, error) { return "signed", nil }).NeedsApproval(nil)
	ask := agent.NewTool("ask", "", func(c *agent.Context, _ struct{}) (string, error) {
		_, err := agent.Ask[string](c, agent.Question{Title: "Which?"})
		return "", err
	})
	rest := agent.NewTool("rest", "", func(c *agent.Context, _ struct{}) (string, error) { return "", flow.Sleep(c, 1<<40) })
	a := agent.Agent{
		Name: "Crowd", Model: wisher{}, Tools: []agent.Tool{sign, ask, rest, agent.NewClientTool[struct{}]("where", "Where.")},
		Methods: map[string]agent.Method{"runTurn": func(c *agent.Call) (any, error) {
			var r agent.TurnRequest
			if err := c.Arg(0, &r); err != nil {
				return nil, err
			}
			return c.RunTurn(r)
		}},
	}
	engine := durabletest.NewNative(1, chattest.Class(a))
	t.Cleanup(func() { engine.Close() })
	return &crowd{t: t, w: durabletest.NewWorld(engine, "Crowd", "room"), engine: engine}
}

// open opens a socket of a person, and returns why that was refused.
func (c *crowd) open(conn, claims string) error {
	c.w.Take()
	c.w.Advance(c.w.Now() + 5)
	url := "/agents/crowd/room"
	if claims != "" {
		url += "?_until=9999999999999"
	}
	c.w.Tell(durable.SocketOpened{Conn: durable.ConnID(conn), URL: url, Claims: claims})
	return failure(c.w.Take(), `close `+conn+` 1013 "?([^"]*)`)
}

// failure returns what a pattern finds among some lines, or nil.
func failure(lines []string, pattern string) error {
	if m := regexp.MustCompile(pattern).FindStringSubmatch(strings.Join(lines, "\n")); m != nil {
		return errors.New(m[1])
	}
	return nil
}

// say sends a question of a person, and returns what happens.
func (c *crowd) say(conn, claims, text string) []string {
	c.sent++
	return c.frame(conn, claims, requestFrame(fmt.Sprint("R", c.sent), nil, user(fmt.Sprint("u", c.sent), text)))
}

func (c *crowd) frame(conn, claims string, frame any) []string {
	c.w.Take()
	c.w.Advance(c.w.Now() + 25) // the frames of a second are not met
	sendAs(c.w, conn, claims, frame)
	return c.w.Take()
}

// run has the object go on until nothing happens any more.
func (c *crowd) run() []string {
	c.t.Helper()
	if err := c.w.Do("tick 1s"); err != nil {
		c.t.Fatal(err)
	}
	return c.w.Take()
}

func (c *crowd) number(statement string) int {
	c.t.Helper()
	if err := c.w.Do("tick 1ms"); err != nil {
		c.t.Fatal(err)
	}
	return int(sql(c.t, c.engine, statement)[0].Int(0))
}

// TestSocketsAreShared has people open sockets, and the memory of the object lost in between.
func TestSocketsAreShared(t *testing.T) {
	c, opened := newCrowd(t), 0
	sharetest.Check(t, share.Sockets, func(claims string) error {
		opened++
		if opened%200 == 0 {
			c.w.Do("evict")
		}
		return c.open(fmt.Sprint("c", opened), claims)
	}, func() int { return c.number(`SELECT COUNT(*) FROM authorized`) })
}

// TestTurnsAreShared has people ask while a turn works.
func TestTurnsAreShared(t *testing.T) {
	c := newCrowd(t)
	for _, conn := range []string{"a", "b"} {
		if err := c.open(conn, ""); err != nil {
			t.Fatal(err)
		}
	}
	c.say("a", sharetest.Nobody, "1 rest")
	c.run()
	for name, take := range map[string]func(claims string) []string{
		"a person's question": func(claims string) []string { return c.say("a", claims, "hello") },
		"a method": func(claims string) []string {
			c.sent++
			return c.frame("b", claims, map[string]any{"type": "rpc", "id": fmt.Sprint("r", c.sent), "method": "runTurn", "args": []any{map[string]any{"text": "hi", "mode": "submit"}}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			sharetest.Check(t, share.Turns, func(claims string) error {
				return failure(take(claims), `(\d+ requests are waiting already[^"\\]*)`)
			}, func() int { return c.number(`SELECT COUNT(*) FROM turn WHERE status = 'queued'`) })
			sql(t, c.engine, `DELETE FROM turn WHERE status = 'queued'`)
		})
	}
}

// TestWaitingCallsAreShared has people wait for one turn, with several sockets each.
func TestWaitingCallsAreShared(t *testing.T) {
	c, calls, sockets := newCrowd(t), map[string]int{}, 0
	if err := c.open("a", ""); err != nil {
		t.Fatal(err)
	}
	c.say("a", sharetest.Nobody, "1 rest")
	conn := map[string]string{}
	sharetest.Check(t, share.WaitingCalls, func(claims string) error {
		if calls[claims]%31 == 0 { // the limit of a socket is not met
			sockets++
			conn[claims] = fmt.Sprint("c", sockets)
			if err := c.open(conn[claims], claims); err != nil {
				t.Fatal(err)
			}
		}
		calls[claims]++
		lines := c.frame(conn[claims], claims, map[string]any{
			"type": "rpc", "id": fmt.Sprint("r", calls[claims]), "method": "runTurn", "args": []any{map[string]any{"text": "hi", "id": "s", "mode": "wait"}},
		})
		return failure(lines, `"error\\?":\\?"(\d+ calls [^"\\]*)`)
	}, func() int { return c.number(`SELECT COUNT(*) FROM caller`) })
}

// TestQuestionsAreShared has the code of people's turns ask questions, which wait beside each other.
func TestQuestionsAreShared(t *testing.T) {
	c := newCrowd(t)
	if err := c.open("a", ""); err != nil {
		t.Fatal(err)
	}
	sharetest.Check(t, share.Questions, func(claims string) error {
		return failure(append(c.say("a", claims, "1 ask"), c.run()...), `errorText\\*":\\*"(\d+ questions wait for an answer already[^"\\]*)`)
	}, func() int { return c.number(`SELECT COUNT(*) FROM question WHERE over_at = 0`) })
}

// TestApprovalsOfPeopleAreShared checks that the calls of a person's turns are refused if too many wait already,
// and those of others are not: calls that a person approves, and those of tools in a browser.
func TestApprovalsOfPeopleAreShared(t *testing.T) {
	const refused = "256 calls wait for an answer already for one person, who can have 256 of 1024"
	for _, tool := range []string{"sign", "where"} {
		c := newCrowd(t)
		if err := c.open("a", ""); err != nil {
			t.Fatal(err)
		}
		for i := range 255 {
			sql(t, c.engine, `INSERT INTO ask (call, message, run, state, claims) VALUES (?, 'm', '', 'open', ?)`, fmt.Sprint("c", i), sharetest.Of("m"))
		}
		c.w.Do("evict")
		waiting := func() int { return c.number(`SELECT COUNT(*) FROM ask`) }
		said := strings.Join(append(c.say("a", sharetest.Of("m"), "3 "+tool), c.run()...), "\n")
		if n := strings.Count(said, refused); n == 0 || waiting() != 256 {
			t.Errorf("%s: %d calls wait, and it is told %d times that no more can: %.2000s", tool, waiting(), n, said)
		}
		said = strings.Join(append(c.say("a", sharetest.Of("m"), "2 "+tool), c.run()...), "\n")
		if !strings.Contains(said, refused) || waiting() != 256 {
			t.Errorf("%s: %d calls wait: %.2000s", tool, waiting(), said)
		}
		said = strings.Join(append(c.say("a", sharetest.Of("a"), "2 "+tool), c.run()...), "\n")
		if strings.Contains(said, "already for one person") || waiting() != 258 {
			t.Errorf("%s: %d calls wait: %.2000s", tool, waiting(), said)
		}
	}
}
