package loop

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Fact is something that has happened to the turn under way. It is reported within the event, after
// its rows are written. The set is closed: it has the types of this file.
type Fact interface{ fact() }

type (
	// Said are chunks that were appended to the turn's log. First is the index of the first. Turn is
	// valid during the report.
	Said struct {
		Turn   *turn.Turn
		First  int64
		Bodies [][]byte
	}
	// Interrupted says that a model call broke off and will be repeated. With Over, it says that the
	// answer goes on again, or has ended.
	Interrupted struct {
		Turn turn.Turn
		Over bool
	}
	// Amended is a call of an earlier message that has ended, with the files that it shows.
	Amended struct {
		Call  approval.Call
		Chunk protocol.Chunk
		Files []protocol.Chunk
	}
	// Awaited says that code which awaits something has its result, and can go on.
	Awaited struct{}
	// Changed says that the turn's cost has changed, or that its tools wait.
	Changed struct{}
	// Ended is a turn that is over.
	Ended struct {
		Turn  turn.Turn
		Draft *reply.Draft
		// Output and Summary are the results of a program, and FailReason says why it failed.
		Output     json.RawMessage
		Summary    string
		FailReason run.Reason
		// Usage is what the turn has cost.
		Usage run.Usage
	}
)

func (Said) fact()        {}
func (Interrupted) fact() {}
func (Amended) fact()     {}
func (Awaited) fact()     {}
func (Changed) fact()     {}
func (Ended) fact()       {}
