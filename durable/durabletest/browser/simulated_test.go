package browser_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/browser"
	"github.com/tributary-agents/tributary/durable/durabletest/sim"
)

// These constants bound what is taken from simulated worlds.
const (
	lookedAt  = 150 // seeds
	kept      = 8   // lives of tabs that are taken at once
	mostSteps = 90
)

// simulated returns recordings of tabs in simulated worlds that together show the most.
func simulated(t *testing.T) map[string]*browser.Vector {
	all := map[string]*browser.Vector{}
	pool := &durabletest.Pool{}
	native := func(seed uint32) durabletest.Inspector {
		n := durabletest.NewNative(seed, agents.Classes()...)
		n.Draw(pool)
		return n
	}
	for seed := range uint32(lookedAt) {
		var lives []*browser.Vector
		world := sim.Subject{
			Root:    agents.Assistant.Name,
			Engine:  native,
			Mounted: func(page *browser.Tab, messages []byte) { lives = append(lives, page.Record(messages)) },
		}
		r := sim.Run(world, seed+1)
		if r.Failure != nil {
			t.Logf("seed %d is left out: %v", seed+1, r.Failure)
			continue
		}
		if strings.Contains(r.Script.String(), "jump") {
			continue // the model's timers follow the wall clock when it is set, and a client's timers do not
		}
		for _, v := range lives {
			v.Steps = v.Steps[:min(len(v.Steps), mostSteps)]
			all[fmt.Sprintf("seed_%03d_%s", seed+1, strings.ReplaceAll(v.Tab, ".", ""))] = v
		}
	}
	shown := map[string]bool{}
	for _, file := range files(t) {
		for _, s := range situations(read(t, file)) {
			shown[s] = true
		}
	}
	return choose(all, shown)
}

// choose repeatedly takes the recording with the most situations that no other one has shown, and
// cuts it off after the last of these.
func choose(all map[string]*browser.Vector, shown map[string]bool) map[string]*browser.Vector {
	chosen, told := map[string]*browser.Vector{}, map[string][]string{}
	for name, v := range all {
		told[name] = situations(v)
	}
	for len(chosen) < kept {
		best, most, end := "", 0, 0
		for name := range all {
			if n, last := news(told[name], shown); n > most || n == most && name < best {
				best, most, end = name, n, last
			}
		}
		if most == 0 {
			break
		}
		v := all[best]
		v.Steps = v.Steps[:end+1]
		for _, s := range told[best] {
			shown[s] = true
		}
		chosen[best] = v
	}
	return chosen
}

// news counts the situations of a recording that were not shown before, and returns the step of the
// last one.
func news(life []string, shown map[string]bool) (count, last int) {
	var fresh []string
	for i, s := range life {
		if !shown[s] && !slices.Contains(fresh, s) {
			fresh, last = append(fresh, s), i
		}
	}
	return len(fresh), last
}

// situations returns for each step its kind and the state of the tab before it.
func situations(v *browser.Vector) []string {
	state := map[string]string{}
	var all []string
	for _, s := range v.Steps {
		all = append(all, strings.Join([]string{s.Do, kind(s.Hear), state["status"], state["observing"], state["recovering"]}, " "))
		for name, value := range s.Shows {
			state[name] = string(value)
		}
	}
	return all
}

func kind(text json.RawMessage) string {
	var f struct {
		Type, Body, Reason                                       string
		Replay, ReplayComplete, Done, Error, Connect, Recovering bool
		Event                                                    struct{ Kind, Body string }
	}
	var chunk struct{ Type string }
	_ = json.Unmarshal(text, &f)
	_ = json.Unmarshal([]byte(f.Body+f.Event.Body), &chunk)
	return fmt.Sprint(f.Type, f.Reason, f.Replay, f.ReplayComplete, f.Done, f.Error, f.Connect, f.Recovering, f.Event.Kind, chunk.Type)
}
