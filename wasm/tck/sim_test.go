package tck

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim"
	"github.com/tributary-agents/tributary/wasm/host"
)

// simulated is the number of seeds that run on the module.
const simulated = 100

// killed is a seed in which the process is killed inside an event.
const killed = 50852541

// TestSimulation runs simulated worlds of the shipped agents natively and on the module that is
// deployed. Decisions, events and commands are the same, to the byte.
func TestSimulation(t *testing.T) {
	_, module := shipped(t)
	lanes := runtime.GOMAXPROCS(0)
	var traps atomic.Int64
	t.Run("seeds", func(t *testing.T) {
		for lane := range lanes {
			t.Run(fmt.Sprint(lane), func(t *testing.T) {
				t.Parallel()
				native, wasm := worlds(t, module, &traps)
				for seed := 1 + lane; seed <= simulated; seed += lanes {
					agree(t, seed, sim.Run(native, uint32(seed)), sim.Run(wasm, uint32(seed)))
				}
			})
		}
	})
	t.Run("killed inside an event", func(t *testing.T) {
		native, wasm := worlds(t, module, &traps)
		agree(t, killed, sim.Run(native, killed), sim.Run(wasm, killed))
	})
	if traps.Load() == 0 {
		t.Error("no event has trapped on the module")
	}
}

// worlds returns the shipped agents, natively and on the module. Each takes storage from a pool of
// its own.
func worlds(t *testing.T, module *host.Module, traps *atomic.Int64) (native, wasm sim.Subject) {
	first, second := &durabletest.Pool{}, &durabletest.Pool{}
	t.Cleanup(func() {
		if err := errors.Join(first.Close(), second.Close()); err != nil {
			t.Error(err)
		}
	})
	native = sim.Subject{Root: agents.Assistant.Name, Engine: func(seed uint32) durabletest.Inspector {
		n := durabletest.NewNative(seed, agents.Classes()...)
		n.Draw(first)
		return n
	}}
	wasm = sim.Subject{Root: agents.Assistant.Name, Engine: func(seed uint32) durabletest.Inspector {
		e := host.NewEngine(module, host.EngineOptions{Seed: seed, Pool: second, MaxMemory: 1 << 30})
		return counted{e, traps}
	}}
	return native, wasm
}

// agree fails the test if two runs of a seed differ.
func agree(t *testing.T, seed int, want, got sim.Result) {
	t.Helper()
	switch {
	case got.Failure != nil:
		t.Errorf("seed %d: %v", seed, got.Failure)
	case got.Sum != want.Sum:
		t.Errorf("seed %d: %d decisions and %d events on the module, natively %d and %d", seed, len(got.Script.Decisions), got.Events, len(want.Script.Decisions), want.Events)
	}
}

// counted counts the events that trap.
type counted struct {
	*host.Engine
	traps *atomic.Int64
}

// Step implements [durabletest.Engine].
func (c counted) Step(object string, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error) {
	commands, err := c.Engine.Step(object, at, opened, event)
	if err != nil {
		c.traps.Add(1)
	}
	return commands, err
}
