package tck

import (
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
	"github.com/tributary-agents/tributary/wasm/host"
)

// crossing is the statements that crossed the boundary.
type crossing []abi.Statement

func (c *crossing) trace(call string, bytes ...[]byte) {
	if call != "sql" {
		return
	}
	s, err := abi.DecodeStatement(bytes[0])
	if err != nil {
		panic(err)
	}
	*c = append(*c, s)
}

// check shows that the statements are all of an instance's life: the texts come once and numbered
// in order, and a number comes behind its text. It returns how many came as texts with a number, as
// texts alone, and as numbers alone. The next call looks at what follows.
func (c *crossing) check(t *testing.T) (kept, texts, numbers int) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range *c {
		switch {
		case s.Number == 0:
			texts++
		case s.SQL == "":
			numbers++
		default:
			kept++
		}
		if s.SQL != "" && s.Number != 0 && (s.Number != kept || seen[s.SQL]) || s.SQL == "" && s.Number > kept {
			t.Errorf("%q came with number %d after %d texts", s.SQL, s.Number, kept)
		}
		seen[s.SQL] = true
	}
	*c = nil
	return kept, texts, numbers
}

// TestStatementsCrossOnce shows on both hosts that a statement's text crosses once for all objects
// of an instance, that an instance which replaces another begins with no text, and that a host
// which has kept as many texts as it may still runs others.
func TestStatementsCrossOnce(t *testing.T) {
	native(t)
	g, err := guest()
	if err != nil {
		t.Fatal(err)
	}
	for name, start := range map[string]func(trace func(string, ...[]byte)) (engine, error){
		"wazero": func(trace func(string, ...[]byte)) (engine, error) {
			return host.NewEngine(g.module, host.EngineOptions{Trace: trace}), nil
		},
		"node": func(trace func(string, ...[]byte)) (engine, error) { return NewNode(g.path, NodeOptions{Trace: trace}) },
	} {
		t.Run(name, func(t *testing.T) {
			var c crossing
			e, err := start(c.trace)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			}()
			life := func(wantKept, wantTexts, wantNumbers int) {
				t.Helper()
				if kept, texts, numbers := c.check(t); kept != wantKept || texts != wantTexts || numbers != wantNumbers {
					t.Errorf("got %d texts with a number, %d without, and %d numbers, want %d, %d and %d", kept, texts, numbers, wantKept, wantTexts, wantNumbers)
				}
			}
			// Opening takes five statements, and counting takes two.
			want(t, e, "a", "count", "count 1 steps 2")
			want(t, e, "b", "count", "count 1 steps 2")
			want(t, e, "a", "count", "count 2 steps 3")
			life(7, 0, 9)

			if err := e.Restart(); err != nil {
				t.Fatal(err)
			}
			want(t, e, "a", "count", "count 3 steps 2")
			if _, err := try(e, "a", durable.SocketMessage{Conn: "c", Text: "panic"}); err == nil {
				t.Fatal("the panic did not trap")
			}
			life(7, 0, 1)

			want(t, e, "a", "count", "count 4 steps 2")
			want(t, e, "a", "many 600", "many 359400")
			want(t, e, "a", "count", "count 5 steps 4")
			numbered := abi.MaxStatements - 7
			life(abi.MaxStatements, 2*(600-numbered), numbered+2)
		})
	}
}
