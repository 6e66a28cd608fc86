// Package agents is the application that Tributary ships. Start here: change an
// agent, or add one and list it in [Classes].
package agents

import "github.com/tributary-agents/tributary/durable"

// Classes are the classes that the module serves.
func Classes() []durable.Class {
	return []durable.Class{Assistant.Class(), Researcher.Class(), Planner.Class()}
}
