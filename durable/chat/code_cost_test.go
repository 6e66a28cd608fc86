//go:build !wasip1

package chat_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

// TestInputsOfCodeHaveACommonEnd checks that code cannot have many checks made each of which is allowed.
func TestInputsOfCodeHaveACommonEnd(t *testing.T) {
	large := `{"type":"object","anyOf":[{},` + strings.Repeat(`{"type":"null"},`, 5_000) + `{}]}`
	costly := agent.Tool{Name: "costly", Schema: json.RawMessage(large), Run: func(*agent.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage("1"), nil
	}}
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{agent.Code(costly)}})
	got := runCodeIn(t, w, `let n = 0; try { for (;; n++) await tools.costly({}) } catch (e) { return [n > 5, n < 50, e.message] }`, false)
	if want := `{"status":"completed","result":[true,true,"the input comes behind checks that have taken all steps there are for them"]}`; got.output != want {
		t.Errorf("got %.1000s\nwant %s", got.output, want)
	}
}

// TestSearchesOfCodeHaveAnEnd checks that code cannot search again and again.
func TestSearchesOfCodeHaveAnEnd(t *testing.T) {
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{agent.Code(agent.NewTool("echo", "", echo))}})
	got := runCodeIn(t, w, `let n = 0; try { for (;; n++) await (n % 2 ? search("a") : help("echo")) } catch (e) { return [n, e.message] }`, false)
	if want := `{"status":"completed","result":[32,"search and help were called 32 times"]}`; got.output != want {
		t.Errorf("got %.1000s\nwant %s", got.output, want)
	}
}
