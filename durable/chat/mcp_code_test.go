package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

// codeAgent has tools whose code calls servers.
func codeAgent() agent.Agent {
	a := docsAgent()
	a.Tools = []agent.Tool{
		agent.NewTool("twice", "", func(c *agent.Context, _ struct{}) (string, error) {
			var last error
			for _, q := range []string{"first", "second"} {
				_, last = c.MCP("docs").Call("search", map[string]string{"q": q})
			}
			return "", last
		}),
		agent.NewTool("tour", "", func(c *agent.Context, in struct{ Tool string }) (string, error) {
			r, err := c.MCP("docs").Call(in.Tool, map[string]string{"q": "a"})
			if err != nil {
				return "", err
			}
			contents, err := c.MCP("docs").Read("note://1")
			if err != nil {
				return "", err
			}
			prompt, err := c.MCP("docs").Prompt("greet", map[string]string{"whom": "Ada"})
			if err != nil {
				return "", err
			}
			return fmt.Sprint(r.Text, " ", contents[0].Text, " ", prompt[0].Text), nil
		}),
	}
	return a
}

// TestCodeSurvivesLoss throws the memory away at every moment while code calls a tool, reads a resource and asks for a
// prompt. A call that only reads may be made again, and any other one may not.
func TestCodeSurvivesLoss(t *testing.T) {
	server := docs(func(q rpc) (int, string) {
		switch q.Method {
		case "resources/read":
			return 200, `{"resultType":"complete","ttlMs":0,"contents":[{"uri":"note://1","text":"noted"}]}`
		case "prompts/get":
			return 200, `{"resultType":"complete","messages":[{"role":"user","content":{"type":"text","text":"greet Ada"}}]}`
		}
		return 200, said("found")
	})
	for tool, most := range map[string]int{"search": 2, "write": 1} {
		for _, loss := range []string{"crash", "root"} {
			moments := 0
			for at := 0; ; at++ {
				w := newRemote(t, codeAgent(), server)
				w.do("connect a")
				act(t, w.World, "hold")
				w.do(`say a R1 u1: call tour {"Tool":"` + tool + `"}`)
				if !w.deliverAll(t, at, loss) {
					break
				}
				moments++
				text := w.text()
				good := strings.Contains(text, `it is \"found noted greet Ada\"`) || most == 1 && strings.Contains(text, "may or may not have happened")
				if w.calls() > most || !good {
					t.Fatalf("%s, %s at %d: %d calls, %s", tool, loss, at, w.calls(), text)
				}
			}
			if moments < 5 {
				t.Errorf("%s %s: only %d moments", tool, loss, moments)
			}
		}
	}
}
