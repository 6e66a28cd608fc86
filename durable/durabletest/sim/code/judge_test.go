package code_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/code"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// drawn returns a program that returns what one call has brought, and the call's input.
func drawn(t *testing.T) (p *code.Program, input string) {
	t.Helper()
	for seed := range uint32(10_000) {
		p := code.Draw(dice.New(seed, "test"), []code.Tool{{Name: "find", Properties: []string{"query"}}})
		lines := strings.Split(p.Text, "\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[1], "out.push(await tools.find(") || lines[2] != "return out" {
			continue
		}
		return p, strings.TrimSuffix(strings.TrimPrefix(lines[1], "out.push(await tools.find("), "))")
	}
	t.Fatal("no program makes one call")
	return nil, ""
}

func TestProgramJudge(t *testing.T) {
	p, input := drawn(t)
	found := code.Call{Tool: "find", Input: json.RawMessage(input), State: "output-available", Output: json.RawMessage(`"it"`)}
	lost := code.Call{Tool: "find", Input: json.RawMessage(input), State: "output-error", Words: "it is lost"}
	open := code.Call{Tool: "find", Input: json.RawMessage(input), State: "input-available"}
	for _, c := range []struct {
		name, told string
		call       code.Call
		trouble    code.Trouble
		right      bool
	}{
		{"the output", `{"status":"completed","result":["it"]}`, found, code.Trouble{}, true},
		{"the error", `{"status":"failed","error":"Error: it is lost (line 2)"}`, lost, code.Trouble{}, true},
		{"the time is over", `{"status":"failed","error":"the code has taken longer than 1m0s"}`, lost, code.Trouble{}, true},
		{"given up", `{"status":"failed","error":"this code has stopped the server 3 times, and is not run again"}`, lost, code.Trouble{Lost: true}, true},
		{"given up without a reason", `{"status":"failed","error":"this code has stopped the server 3 times, and is not run again"}`, lost, code.Trouble{}, false},
		{"another output", `{"status":"completed","result":["that"]}`, found, code.Trouble{}, false},
		{"no output", `{"status":"completed","result":[]}`, found, code.Trouble{}, false},
		{"an output too many", `{"status":"completed","result":["it","it"]}`, found, code.Trouble{}, false},
		{"an output of a call that has failed", `{"status":"completed","result":["it is lost"]}`, lost, code.Trouble{}, false},
		{"an error of a call that has not failed", `{"status":"failed","error":"Error: it is lost (line 2)"}`, found, code.Trouble{}, false},
		{"another line", `{"status":"failed","error":"Error: it is lost (line 3)"}`, lost, code.Trouble{}, false},
		{"a line of the console", `{"status":"completed","result":["it"],"logs":["it"]}`, found, code.Trouble{}, false},
		{"a call that has not ended", `{"status":"completed","result":["it"]}`, open, code.Trouble{}, false},
		{"another run", `{"status":"failed","error":"the code did something else when it was run again"}`, found, code.Trouble{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if wrong := p.Judge(c.told, []code.Call{c.call}, c.trouble); (wrong == "") != c.right {
				t.Errorf("got %q", wrong)
			}
		})
	}
}

// TestDraw shows that each program is drawn alike by its dice, and that programs differ.
func TestDraw(t *testing.T) {
	different := map[string]bool{}
	for seed := range uint32(200) {
		tools := []code.Tool{{Name: "find", Properties: []string{"query"}}, {Name: "pair", Properties: []string{"a", "b"}}}
		first, again := code.Draw(dice.New(seed), tools), code.Draw(dice.New(seed), tools)
		if first.Text != again.Text {
			t.Fatalf("seed %d: %s\n\n%s", seed, first.Text, again.Text)
		}
		different[first.Text] = true
	}
	if len(different) < 150 {
		t.Errorf("only %d programs", len(different))
	}
}
