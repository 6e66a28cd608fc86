//go:build !wasip1

package chat_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

const hasForms = `{"elicitation":{"form":{}}}`

// keysOf returns the names of the questions in an answer.
func keysOf(t *testing.T, answer string) []string {
	t.Helper()
	var asked struct {
		InputRequests map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(answer), &asked); err != nil || len(asked.InputRequests) == 0 {
		t.Fatalf("%s asks nothing", answer)
	}
	return slices.Sorted(maps.Keys(asked.InputRequests))
}

func stateIn(t *testing.T, answer string) string {
	t.Helper()
	var asked struct{ RequestState string }
	if err := json.Unmarshal([]byte(answer), &asked); err != nil || asked.RequestState == "" {
		t.Fatalf("%s has no state", answer)
	}
	return asked.RequestState
}

// repeat repeats a call with an answer to each question.
func (p *program) repeat(params, answer string, responses ...string) string {
	p.t.Helper()
	var given []string
	for i, key := range keysOf(p.t, answer) {
		given = append(given, fmt.Sprintf("%q:%s", key, responses[i]))
	}
	return p.ask("tools/call", params+`,"requestState":"`+stateIn(p.t, answer)+`","inputResponses":{`+strings.Join(given, ",")+`}`)
}

type size struct {
	Width int  `json:"width"`
	Bold  bool `json:"bold,omitempty"`
}

// asker asks what a text of its input names.
var asker = agent.NewTool("asker", "", func(c *agent.Context, in word) (string, error) {
	switch in.Word {
	case "yes":
		a, err := agent.Ask[bool](c, agent.Question{Title: "Go on?"})
		return fmt.Sprint(a.Value, a.Denied), err
	case "size":
		a, err := agent.Ask[size](c, agent.Question{Title: "Which size?", Default: size{Width: 3}})
		return fmt.Sprint(a.Value.Width, a.Value.Bold, a.Denied), err
	case "rounds":
		one, err := agent.Ask[int](c, agent.Question{Title: "One?"})
		if err != nil {
			return "", err
		}
		two, err := agent.Ask[int](c, agent.Question{Title: "Two?"})
		return fmt.Sprint(one.Value + two.Value), err
	case "nested":
		_, err := agent.Ask[map[string]size](c, agent.Question{Title: "Which?"})
		return "", err
	}
	a, err := agent.Ask[string](c, agent.Question{Title: "Which color?", Choices: []string{"red", "blue"}})
	return a.Value, err
})

func textResult(text string) string {
	return `{"content":[{"type":"text","text":"` + text + `"}],"resultType":"complete"}`
}

// TestCallsAsk checks questions and their answers, also if the object's memory is lost in between.
func TestCallsAsk(t *testing.T) {
	for _, tt := range []struct{ word, requested, response, want string }{
		{"yes", `"requestedSchema":{"type":"object","properties":{}}`, `{"action":"accept"}`, "true false"},
		{"yes", `"Go on?"`, `{"action":"decline"}`, "false true"},
		{"size", `"width":{"default":3,"type":"integer"}`, `{"action":"accept","content":{"width":7}}`, "7 false false"},
		{"size", `"Which size?"`, `{"action":"cancel"}`, "0 false true"},
		{"color", `"enum":["red","blue"]`, `{"action":"accept","content":{"value":"blue"}}`, "blue"},
	} {
		for _, loss := range []string{"tick 1ms", "evict", "crash"} {
			p := exposed(t, agent.Agent{Tools: []agent.Tool{asker}, Expose: &agent.Expose{Tools: []string{"asker"}}})
			p.capabilities = hasForms
			call := `"name":"asker","arguments":{"word":"` + tt.word + `"}`
			asked := p.ask("tools/call", call)
			if !strings.Contains(asked, tt.requested) || !strings.Contains(asked, `"resultType":"input_required"`) {
				t.Errorf("%s: got %s, want %s in it", tt.word, asked, tt.requested)
			}
			p.do(loss)
			want(t, p.repeat(call, asked, tt.response), textResult(tt.want))
		}
	}
}

// TestRoundsAreGoodOnce checks which states and answers are refused, and which are asked for again.
func TestRoundsAreGoodOnce(t *testing.T) {
	p := exposed(t, agent.Agent{Tools: []agent.Tool{asker, echoTool}, Expose: &agent.Expose{Tools: []string{"asker", "echo"}}})
	p.capabilities = hasForms
	rounds := `"name":"asker","arguments":{"word":"rounds"}`
	one := p.ask("tools/call", rounds)
	refused := `error {"code":-32602,"message":"requestState is not valid any more, or was made for another request"}`
	for title, params := range map[string]string{
		"a changed state":  rounds + `,"requestState":"` + stateIn(t, one) + `A"`,
		"other arguments":  `"name":"asker","arguments":{"word":"yes"},"requestState":"` + stateIn(t, one) + `"`,
		"another tool":     `"name":"echo","arguments":{"word":"rounds"},"requestState":"` + stateIn(t, one) + `"`,
		"no state at all":  rounds + `,"requestState":""`,
		"another ticket":   rounds + `,"requestState":"` + strings.Replace(stateIn(t, one), ".", ".0", 1) + `"`,
		"no ticket":        rounds + `,"requestState":"` + strings.Split(stateIn(t, one), ".")[0] + `."`,
		"an id alone":      rounds + `,"requestState":"` + strings.Split(stateIn(t, one), ".")[0] + `"`,
		"another call":     rounds + `,"requestState":"mcp_none.` + strings.Split(stateIn(t, one), ".")[1] + `"`,
		"what is no state": rounds + `,"requestState":"%"`,
	} {
		t.Run(title, func(t *testing.T) { want(t, p.ask("tools/call", params), refused) })
	}
	p.claims = `{"sub":"eve","scopes":[]}`
	want(t, p.ask("tools/call", rounds+`,"requestState":"`+stateIn(t, one)+`"`), refused)
	p.claims = ""

	again := p.repeat(rounds, one, `{"action":"accept","content":{"value":"no number"}}`)
	if !slices.Equal(keysOf(t, again), keysOf(t, one)) {
		t.Errorf("an answer that does not fit is answered with %s", again)
	}
	want(t, p.repeat(rounds, one, `{"action":"accept","content":{"value":1}}`), refused)
	two := p.repeat(rounds, again, `{"action":"accept","content":{"value":1}}`)
	if slices.Equal(keysOf(t, again), keysOf(t, two)) {
		t.Errorf("the second question has the name of the first: %s", two)
	}
	want(t, p.repeat(rounds, two, `{"action":"accept","content":{"value":2}}`), textResult("3"))
	want(t, p.repeat(rounds, two, `{"action":"accept","content":{"value":2}}`), refused)

	late := p.ask("tools/call", rounds)
	p.do("tick 1h")
	want(t, p.repeat(rounds, late, `{"action":"accept","content":{"value":1}}`), refused)
}

// TestClientsThatCannotBeAsked checks what a client gets that has no forms.
func TestClientsThatCannotBeAsked(t *testing.T) {
	p := exposed(t, agent.Agent{Tools: []agent.Tool{asker, napTool}, Expose: &agent.Expose{Tools: []string{"asker"}}})
	want(t, p.ask("tools/call", `"name":"asker","arguments":{"word":"yes"}`),
		`error {"code":-32021,"message":"missing required client capability","data":{"requiredCapabilities":{"elicitation":{"form":{}}}}}`)
	p.capabilities = hasForms
	if got := p.ask("tools/call", `"name":"asker","arguments":{"word":"nested"}`); !strings.Contains(got, `"isError":true`) {
		t.Errorf("a question that no form can have: %s", got)
	}
}

// TestApprovalOfCalls checks that a person approves a call, and that scopes are needed.
func TestApprovalOfCalls(t *testing.T) {
	pay := agent.NewTool("pay", "", echo).NeedsApproval(nil).Requires("pay").Approver("approve")
	p := exposed(t, agent.Agent{Tools: []agent.Tool{pay}, Expose: &agent.Expose{Tools: []string{"pay"}}})
	call := `"name":"pay","arguments":{"word":"a"}`
	refusals := []struct{ claims, capabilities, want string }{
		{`{"sub":"ann","scopes":[]}`, hasForms, "requires the scope pay"},
		{`{"sub":"ann","scopes":["pay"]}`, hasForms, "needs the scope approve"},
		{`{"sub":"ann","scopes":["pay","approve"]}`, `{}`, "the client cannot ask one"},
	}
	for _, tt := range refusals {
		p.claims, p.capabilities = tt.claims, tt.capabilities
		if got := p.ask("tools/call", call); !strings.Contains(got, tt.want) || !strings.Contains(got, `"isError":true`) {
			t.Errorf("got %s, want %s in it", got, tt.want)
		}
	}
	p.capabilities = hasForms
	want(t, p.repeat(call, p.ask("tools/call", call), `{"action":"decline"}`), `{"content":[{"type":"text","text":"the call was denied"}],"isError":true,"resultType":"complete"}`)
	if got := p.repeat(call, p.ask("tools/call", call), `{"action":"accept"}`); !strings.Contains(got, `"structuredContent":{"word":"a"}`) {
		t.Errorf("got %s", got)
	}
}
