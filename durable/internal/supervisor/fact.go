package supervisor

import (
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// Fact is something that has happened to a run. It is reported within the event, after its rows are
// written. The set is closed: it has the types of this file.
type Fact interface{ fact() }

type (
	// Begun is a run that was accepted, or was refused at once.
	Begun struct{ Run run.Run }
	// Chunks are chunks of a run that were kept. First is the index of the first. Run is valid during
	// the report.
	Chunks struct {
		Run    *run.Run
		First  int64
		Bodies [][]byte
	}
	// Paused is a run that was paused, or goes on.
	Paused struct{ Run run.Run }
	// Progressed is a run whose code has reported its progress.
	Progressed struct{ Run run.Run }
	// Reached is a milestone of a run. Again says that the run has reached one of the same name
	// before.
	Reached struct {
		Run       run.Run
		Milestone stream.Milestone
		Again     bool
	}
	// Ended is a run that is over.
	Ended struct{ Run run.Run }
	// Awaited says that code which awaits something has its result, and can go on.
	Awaited struct{}
	// Spent says that the cost of a turn's runs has changed.
	Spent struct{ Turn int64 }
	// Dormant says that a run will produce nothing for a long time. The object's own parent may wait
	// for nothing else.
	Dormant struct{}
	// Idle is a run that is over, and whose helper has nothing to do before it is woken or sent
	// something.
	Idle struct{ Run run.Run }
	// Asks says that something is to go up to the root.
	Asks struct{}
	// Unreachable is a run whose helper cannot be reached any more.
	Unreachable struct{ Run run.Run }
	// SignalsStored are signals to a run, up to the number Last, that its helper has stored. Unreceived
	// are the numbers of those that no code has received yet.
	SignalsStored struct {
		Run        string
		Last       int64
		Unreceived []int64
	}
	// SignalsKept says that the helper of a run could not be brought its signals yet.
	SignalsKept struct{ Run string }
	// SignalsOver says that a run ended before its helper stored the signals that were left.
	SignalsOver struct{ Run string }
	// AnswerTaken is a person's answer that the helper has taken.
	AnswerTaken struct{ Answer run.Answer }
	// AnswerDropped is a person's answer that has no effect, with the reason. Over says that the
	// question is no longer open, since OverAt and by the answer of a person, where that is known.
	AnswerDropped struct {
		Answer run.Answer
		Why    string
		Over   bool
		OverAt int64
		By     string
	}
	// Asked are the questions to a person of a run's helper, and of helpers below it. They have
	// changed.
	Asked struct {
		Run       run.Run
		Questions []facet.Question
	}
)

func (Begun) fact()         {}
func (Chunks) fact()        {}
func (Paused) fact()        {}
func (Progressed) fact()    {}
func (Reached) fact()       {}
func (Ended) fact()         {}
func (Awaited) fact()       {}
func (Spent) fact()         {}
func (Dormant) fact()       {}
func (Idle) fact()          {}
func (Asks) fact()          {}
func (Unreachable) fact()   {}
func (AnswerTaken) fact()   {}
func (SignalsStored) fact() {}
func (SignalsKept) fact()   {}
func (SignalsOver) fact()   {}
func (AnswerDropped) fact() {}
func (Asked) fact()         {}
