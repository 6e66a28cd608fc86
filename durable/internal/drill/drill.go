// Package drill is how a browser's socket reaches a helper: what its parent does, and what the
// helper does.
package drill

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
)

// Drill is how a browser's socket reaches a helper: both ends, because they share one format.
type Drill struct {
	runs *supervisor.Supervisor
	// drillIns are the sockets of helpers that this parent holds. sockets are the sockets that this
	// helper's parent holds for it.
	drillIns map[durable.ConnID]*drillIn
	sockets  map[durable.ConnID]*socket
}

// New returns a drill-in without sockets.
func New(runs *supervisor.Supervisor) *Drill { return &Drill{runs: runs} }
