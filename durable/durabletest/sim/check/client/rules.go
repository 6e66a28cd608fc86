// Package client holds the rules about what browsers are sent: that they are told the truth, once,
// in order, and as much as others.
package client

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// Rules are the rules about the sockets of one root.
type Rules struct {
	*check.View

	// said is the chunk that was sent under a number of a stream. leftOut are the numbers that some
	// socket was sent nothing under.
	said    map[string]string
	leftOut map[string]bool
	// shownAt is when a socket was sent its last transcript.
	shownAt map[durable.ConnID]int64
	// next is the number that a socket is sent next of a stream.
	next map[string]int64
	// reports are the progress and the milestones of a run that a socket was sent.
	reports map[string]*reports
	// offered are the sockets of root pages that were greeted. The value is the request of the stream
	// that the socket was offered and has not accepted, or "".
	offered map[durable.ConnID]string
	// lives counts how often the root was opened. probes maps each answered probe to the life in which
	// it came.
	lives  int
	probes map[string]int
	// pending are the requests that probes were told to wait for. ended are the requests whose ends sockets were sent.
	pending map[string]string
	ended   map[durable.ConnID]string
	// interrupted says that a socket was told of an answer that was interrupted.
	interrupted bool
	// clearedUpTo is the number of the last turn before the conversation was cleared.
	clearedUpTo int64
	// calls are the calls of methods, by socket and id. keys are the submissions of keys.
	calls map[string]*call
	keys  map[string]keyed
	// words are the texts of messages that were sent, where messages are merged.
	words map[string]string
	// relayed are the answers that were passed on to a helper, by the call that brings them.
	// onPages are the questions that were answered on a helper's own page.
	relayed map[string]relayedAnswer
	onPages map[string]bool
}

// New returns the rules.
func New(v *check.View) *Rules {
	return &Rules{
		View: v,
		said: map[string]string{}, leftOut: map[string]bool{}, next: map[string]int64{}, reports: map[string]*reports{},
		offered: map[durable.ConnID]string{}, probes: map[string]int{}, calls: map[string]*call{}, keys: map[string]keyed{},
		shownAt: map[durable.ConnID]int64{}, words: map[string]string{}, relayed: map[string]relayedAnswer{}, onPages: map[string]bool{},
		pending: map[string]string{}, ended: map[durable.ConnID]string{},
	}
}

// onRoot says whether a socket belongs to a page of the root, and not to that of a helper.
func (r *Rules) onRoot(conn durable.ConnID) bool { return r.Sockets[conn] == "" }

// isSent says whether a socket is sent a frame of a type.
func isSent(e check.Event, conn durable.ConnID, kind string) bool {
	return slices.ContainsFunc(e.Sent, func(s check.Sent) bool { return s.Frame.Type == kind && slices.Contains(s.To, conn) })
}

// lastTurn returns the last of some turns, or a turn without a number.
func lastTurn(turns []stored.Turn) (last stored.Turn) {
	if n := len(turns); n > 0 {
		last = turns[n-1]
	}
	return last
}
