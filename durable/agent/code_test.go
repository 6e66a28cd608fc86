package agent_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
)

func noTool(*agent.Context, struct{}) (string, error) { return "", nil }

// TestCodeLimits checks that a limit out of its range is refused with words.
func TestCodeLimits(t *testing.T) {
	most := agent.CodeLimits{Calls: 5_000, Parallel: 64, Time: 24 * time.Hour, Work: 2_000_000_000, Stretch: 200_000_000, Memory: 64 << 20, Answer: 256 << 10}
	agent.Code().Limits(most)
	for words, f := range map[string]func(){
		"the limit Calls of code is 5001":          func() { agent.Code().Limits(agent.CodeLimits{Calls: 5_001}) },
		"the limit Parallel of code is 65":         func() { agent.Code().Limits(agent.CodeLimits{Parallel: 65}) },
		"the limit Time of code is 86400000000001": func() { agent.Code().Limits(agent.CodeLimits{Time: 24*time.Hour + 1}) },
		"the limit Work of code is -1":             func() { agent.Code().Limits(agent.CodeLimits{Work: -1}) },
		"the limit Stretch of code is 200000001":   func() { agent.Code().Limits(agent.CodeLimits{Stretch: 200_000_001}) },
		"the limit Memory of code is":              func() { agent.Code().Limits(agent.CodeLimits{Memory: 64<<20 + 1}) },
		"the limit Answer of code is":              func() { agent.Code().Limits(agent.CodeLimits{Answer: 256<<10 + 1}) },
		"the tool nap runs no code":                func() { agent.NewTool("nap", "", noTool).Limits(agent.CodeLimits{}) },
		"Code cannot be given to Code":             func() { agent.Code(agent.Code()) },
		"two tools named nap":                      func() { agent.Code(agent.NewTool("nap", "", noTool), agent.NewTool("nap", "", noTool)) },
	} {
		t.Run(words, func(t *testing.T) {
			defer func() {
				if got, _ := recover().(interface{ Error() string }); got == nil || !strings.Contains(got.Error(), words) {
					t.Errorf("got %v", got)
				}
			}()
			f()
		})
	}
}

// TestCodeIsDescribed checks which tools the model is told of.
func TestCodeIsDescribed(t *testing.T) {
	tool := func(name string) agent.Tool { return agent.NewTool(name, "", noTool) }
	never := func(map[string]string) bool { return false }
	client := agent.NewClientTool[struct{}]("camera", "")
	atHand := []agent.Tool{tool("search-web"), tool("off").When(never), client, agent.Code()}
	for name, test := range map[string]struct {
		code      agent.Tool
		want, not []string
	}{
		"all tools":  {agent.Code(), []string{"search_web"}, []string{"off", "camera", "code("}},
		"some tools": {agent.Code(tool("own"), tool("elsewhere").When(never)), []string{"own"}, []string{"elsewhere", "search_web"}},
	} {
		told := test.code.Describe(nil, atHand)
		for _, want := range test.want {
			if !strings.Contains(told, "tools."+want) && !strings.Contains(told, want+"(") {
				t.Errorf("%s: %s is missing in %s", name, want, told)
			}
		}
		for _, not := range test.not {
			if strings.Contains(told, not) {
				t.Errorf("%s: %s is in %s", name, not, told)
			}
		}
		if !json.Valid(test.code.Schema) {
			t.Errorf("the schema is %s", test.code.Schema)
		}
	}
}
