package tck

import (
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/releases"
	"github.com/tributary-agents/tributary/wasm/host"
)

// TestReleases opens what releases have stored with modules: that of the shipped agents for their
// scene, and that of the scripts of package chat for the others. They go on as natively. Storage
// that is newer is refused.
func TestReleases(t *testing.T) {
	_, shippedModule := shipped(t)
	_, chatModule := compile(t, "wasm/tck/chat")
	known := releases.Newer{Component: durable.DamageSchema.Component, Known: len(durable.DamageSchema.Steps)}
	newer := []releases.Newer{known, {Component: "later"}}
	releases.Each(t, "../../durable/durabletest/releases", func(t *testing.T, s releases.Scene) {
		module := chatModule
		if slices.ContainsFunc(agents.Classes(), func(c durable.Class) bool { return c.Name == s.Class }) {
			module = shippedModule
		}
		open := func(seed uint32) durabletest.Inspector {
			return host.NewEngine(module, host.EngineOptions{Seed: seed})
		}
		releases.CheckGoesOn(t, s, open)
		releases.CheckRefusesNewer(t, s, newer, open)
		releases.CheckComesBack(t, s, known, open)
	})
}
