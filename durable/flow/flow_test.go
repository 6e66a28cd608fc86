package flow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
)

func open(t *testing.T) *durable.Tx {
	t.Helper()
	tx := durable.NewTx(1, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, flow.Schema)
	return tx
}

// bell is an op that is rung from outside.
func bell(name string, begun *[]string) flow.Op {
	note := func(when string) func(*durable.Tx, flow.Key) {
		return func(_ *durable.Tx, key flow.Key) {
			*begun = append(*begun, fmt.Sprint(when, " ", name, " ", key.Position))
		}
	}
	return flow.Op{Name: name, Begin: note("begin"), Again: note("again")}
}

// TestRoutineSurvivesEveryEviction throws the routine away at every point and
// expects the same result and every step run once.
func TestRoutineSurvivesEveryEviction(t *testing.T) {
	tx := open(t)
	var begun []string
	steps := 0
	code := func(c *flow.Context) (json.RawMessage, error) {
		a, b := c.Await(bell("a", &begun)), c.Await(bell("b", &begun))
		n, err := flow.Step(c, "count", func(*durable.Tx) (int, error) { steps++; return steps, nil })
		if err != nil {
			return nil, err
		}
		first, err := a.Wait()
		if err != nil {
			return nil, err
		}
		_, failure := b.Wait()
		return json.Marshal(fmt.Sprint(n, string(first), failure))
	}
	for _, position := range []int{1, 0} {
		r := flow.Start(tx, "r", code)
		if _, _, done := r.Done(); done {
			t.Fatal("done too early")
		}
		r.Stop()
		failure := map[int]string{1: "broken"}[position]
		if !flow.Complete(tx, flow.Key{Routine: "r", Position: position}, []byte("x"), failure) {
			t.Fatal("nobody awaits")
		}
		if flow.Complete(tx, flow.Key{Routine: "r", Position: position}, []byte("y"), "") {
			t.Fatal("completed twice")
		}
	}
	r := flow.Start(tx, "r", code)
	result, err, done := r.Done()
	if !done || err != nil || string(result) != `"1xbroken"` {
		t.Errorf("got %s, %v, %v", result, err, done)
	}
	if got, want := fmt.Sprint(begun), "[begin a 0 begin b 1 again a 0]"; steps != 1 || got != want {
		t.Errorf("%d steps, begun %v, want %v", steps, got, want)
	}
}

// TestResumeGoesOnInPlace is the same without an eviction.
func TestResumeGoesOnInPlace(t *testing.T) {
	tx := open(t)
	var begun []string
	r := flow.Start(tx, "r", func(c *flow.Context) (json.RawMessage, error) {
		for _, name := range []string{"a", "b"} {
			if _, err := c.Await(bell(name, &begun)).Wait(); err != nil {
				return nil, err
			}
		}
		return json.RawMessage(`1`), nil
	})
	for position := range 2 {
		if len(begun) != position+1 {
			t.Fatalf("begun %v", begun)
		}
		flow.Complete(tx, flow.Key{Routine: "r", Position: position}, nil, "")
		r.Resume(tx)
	}
	if result, err, done := r.Done(); !done || err != nil || string(result) != "1" {
		t.Errorf("got %s, %v, %v", result, err, done)
	}
}

// TestDivergence is what code gets that decides by something not journaled.
func TestDivergence(t *testing.T) {
	tx := open(t)
	var begun []string
	await := func(name string) *flow.Routine {
		return flow.Start(tx, "r", func(c *flow.Context) (json.RawMessage, error) { return c.Await(bell(name, &begun)).Wait() })
	}
	await("a").Stop()
	_, err, done := await("b").Done()
	var diverged *flow.DivergedError
	if !done || !errors.As(err, &diverged) || diverged.Was != "a" || diverged.Asked != "b" {
		t.Errorf("got %v, %v", err, done)
	}
}

// TestPanicsGoOn: a panic of code is a trap, not an error.
func TestPanicsGoOn(t *testing.T) {
	tx := open(t)
	defer func() {
		if p := recover(); p != "bug" {
			t.Errorf("recovered %v", p)
		}
	}()
	flow.Start(tx, "r", func(*flow.Context) (json.RawMessage, error) { panic("bug") })
}
