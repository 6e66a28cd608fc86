// Package simtest simulates the agents of a project: people in browsers, a model that calls every
// tool with random inputs that fit its schema, and trouble of every kind. Each seed is one world. A
// world that breaks an invariant fails the test with the seed and the fewest decisions that show it.
//
//	func TestSimulation(t *testing.T) { simtest.Run(t, agents.Classes()...) }
package simtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/mode"
	"github.com/tributary-agents/tributary/durable/model/openai"
	"github.com/tributary-agents/tributary/durable/run"
)

// The environment variables of a test run.
const (
	// SeedVar is the only seed to run. With -v everything that happens in its world is printed.
	SeedVar = "TRIBUTARY_SEED"
	// SeedsVar is how many seeds are run.
	SeedsVar = "TRIBUTARY_SEEDS"
)

// Options are the settings of a simulation. The zero value is valid.
type Options struct {
	// Seeds is how many seeds are run for all roots together. It defaults to 200, and the variable
	// TRIBUTARY_SEEDS comes first.
	Seeds int
	// Vars are variables of the deployment, such as those that offer a tool.
	Vars map[string]string
}

// Run simulates classes that chat.Class has made, with the default [Options]: first the seeds from
// 1 on of the first root, then those of the next one. All of them run in one goroutine, as an
// agent's code does in a deployment. The model of every agent is the simulator's.
//
// The code of an agent may return errors and may panic: then the conversation has to go on. It must
// not depend on anything but its input and its journal, and a handler has to accept the ends of its
// runs.
func Run(t *testing.T, classes ...durable.Class) {
	t.Helper()
	Options{}.Run(t, classes...)
}

// Run is the function [Run] with options.
func (o Options) Run(t *testing.T, classes ...durable.Class) {
	t.Helper()
	own, simulated := declared(t, classes)
	var roots []string
	for _, c := range classes {
		if !c.Helper {
			roots = append(roots, c.Name)
		}
	}
	if len(roots) == 0 {
		t.Fatal("simtest: people talk to roots, and every class is a helper")
	}
	seeds := o.seeds(t, len(roots))
	for _, root := range roots {
		t.Run(root, func(t *testing.T) {
			pool := &durabletest.Pool{}
			t.Cleanup(func() {
				if err := pool.Close(); err != nil {
					t.Error(err)
				}
			})
			s := sim.Subject{Root: root, Vars: o.Vars, Own: own, Engine: func(seed uint32) durabletest.Inspector {
				n := durabletest.NewNative(seed, simulated...)
				n.Draw(pool)
				return n
			}}
			found, all := search(seeds, s)
			if found != (finding{}) {
				t.Errorf("%s\nRun it again: %s=%d go test -v -run '^%s$' .", found.why, SeedVar, found.seed, strings.ReplaceAll(t.Name(), "/", "$/^"))
			}
			if len(seeds) == 1 && testing.Verbose() {
				sim.Replay(s, sim.Run(s, seeds[0]).Script, t.Output())
			}
			t.Logf("%d seeds, %d events", all.worlds, all.events)
		})
	}
}

// defaultSeeds take about ten seconds.
const defaultSeeds = 200

// seeds returns the seeds of each root.
func (o Options) seeds(t *testing.T, roots int) []uint32 {
	t.Helper()
	if only := number(t, SeedVar); only > 0 {
		return []uint32{uint32(only)}
	}
	n := defaultSeeds
	if o.Seeds > 0 {
		n = o.Seeds
	}
	if given := number(t, SeedsVar); given > 0 {
		n = given
	}
	seeds := make([]uint32, (n+roots-1)/roots)
	for i := range seeds {
		seeds[i] = uint32(i + 1)
	}
	return seeds
}

// number returns the value of an environment variable, or 0.
func number(t *testing.T, name string) int {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		return 0
	}
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil {
		t.Fatalf("simtest: %s is %q, and has to be a number", name, value)
	}
	return int(n)
}

// declared returns what the simulator has to know of agents, and their classes with its model. The
// rules know the default timeouts of models.
func declared(t *testing.T, classes []durable.Class) (*mode.Own, []durable.Class) {
	t.Helper()
	own := &mode.Own{Client: map[string]json.RawMessage{}}
	var simulated []durable.Class
	for _, c := range classes {
		a, ok := c.Agent.(agent.Agent)
		if !ok {
			t.Fatalf("simtest: the class %s is not made by chat.Class", c.Name)
		}
		for _, tool := range a.Tools {
			if tool.Client {
				own.Client[tool.Name] = tool.Output
			}
		}
		own.Hooked = own.Hooked || isHooked(a)
		a.Model, a.ModelIdleTimeout, a.ModelFirstByteTimeout, a.ModelTimeout = nil, 0, 0, 0
		simulated = append(simulated, chat.Class(a, openai.Provider))
	}
	return own, simulated
}

// fewSteps is how many steps a turn of a simulated agent may have at most.
const fewSteps = 4

// isHooked says whether an agent's declaration may change what a model is told, or end turns.
func isHooked(a agent.Agent) bool {
	h := a.Hooks
	return h.BeforeStep != nil || h.BeforeCall != nil || h.Compact != nil || h.Repair != nil ||
		a.BeforeRun != nil || a.Budget != (run.Budget{}) || a.MaxSteps > 0 && a.MaxSteps <= fewSteps
}

// perRepetition is how many worlds there are for one that is run twice.
const perRepetition = 4

// tries is how often it is tried to leave something out of what fails.
const tries = 200

// finding is a world that has failed, or the zero value.
type finding struct {
	seed uint32
	why  string
}

// summary is what happened in the worlds of some seeds.
type summary struct{ worlds, events, traps int }

// search runs the worlds of seeds, until one fails.
func search(seeds []uint32, s sim.Subject) (found finding, all summary) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // a world is small and short-lived
	for i, seed := range seeds {
		r := sim.Run(s, seed)
		all = summary{all.worlds + 1, all.events + r.Events, all.traps + r.Traps}
		if r.Failure != nil {
			r = sim.Shrink(s, r, tries)
			return finding{seed, fmt.Sprintf("%.2000s\nin the world of %s", r.Failure, r.Script)}, all
		}
		if i%perRepetition > 0 && len(seeds) > 1 {
			continue
		}
		if again := sim.Replay(s, r.Script, nil); again.Sum != r.Sum {
			return finding{seed, depends + difference(s, r.Script)}, all
		}
	}
	return finding{}, all
}

const depends = "the code depends on something that is neither its input nor in its journal, such as a variable of a package, " +
	"the time, or the order of a map: the same decisions, made twice, brought something else.\n"

// difference returns where two runs of the same decisions begin to differ, as far as they still do.
func difference(s sim.Subject, script sim.Script) string {
	told := func() []string {
		var words bytes.Buffer
		sim.Replay(s, script, io.Writer(&words))
		return strings.Split(words.String(), "\n")
	}
	first, second := told(), told()
	for i := range min(len(first), len(second)) {
		if first[i] != second[i] {
			return fmt.Sprintf("%.600s\nand then\n%.600s", first[i], second[i])
		}
	}
	return ""
}
