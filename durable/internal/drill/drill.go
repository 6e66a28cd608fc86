// Package drill connects a browser's socket to a helper. It has the code of the parent, which holds
// the socket, and the code of the helper.
package drill

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
)

// Drill connects browsers' sockets to helpers. It is both ends, because they share one format.
type Drill struct {
	runs *supervisor.Supervisor
	// drillIns are the sockets of helpers that this parent holds. sockets are the sockets that this
	// helper's parent holds for it.
	drillIns map[durable.ConnID]*drillIn
	sockets  map[durable.ConnID]*socket
}

// New returns a drill-in without sockets.
func New(runs *supervisor.Supervisor) *Drill { return &Drill{runs: runs} }
