// Package supervisor supervises the runs that an object has begun: it starts helpers, follows their
// streams, stops them, and delivers their ends. It sends nothing to browsers. What has happened to a
// run is reported as a [Fact].
package supervisor

import (
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// Supervisor follows the runs that an object has begun, from their start to their end. Their rows
// are in package run. What it keeps in memory can be rebuilt from them.
type Supervisor struct {
	config Config
	// tailReaders are the streams that the object reads from its helpers, by run.
	tailReaders map[string]*tailReader
	// reconcileCount counts the reconciliations since a run began, or a stream broke.
	reconcileCount int
	// waking are the runs whose helpers were woken and have not answered.
	waking map[string]bool
	// signalling are the runs whose helpers are being brought signals.
	signalling map[string]bool
	// unacknowledged counts the calls to helpers that are not acknowledged yet, by run.
	unacknowledged map[string]int
	// final is what is known of the final runs, or nil.
	final *finalRuns
	// notices are the origins that are told of runs, by run.
	notices map[string]*notice
	// requests are those that are to go up to the root. asks counts how often they were repeated.
	// askedTo is the number of the last request to the ledger that was repeated.
	requests []*facet.HostRequest
	asks     int
	askedTo  int64
	// forwarded are the calls that were passed on to helpers below, of which there were forwards.
	// newsCalls are the calls that wait for the handler of a run's end, and answers those that can be
	// answered.
	forwarded map[string]forwarded
	forwards  int
	newsCalls map[string][]string
	answers   []AnsweredNews
	// wiping says that the last event has commanded that slots be wiped.
	wiping bool
}

// Config is what a supervisor needs of its object.
type Config struct {
	// Class is the object's class. Helper says that the object is a helper itself.
	Class  string
	Helper bool
	// Runs are the limits on runs, and Keep says how many ended runs are kept.
	Runs run.Limits
	Keep run.Keep
	// Report is called with every fact. It must not be nil.
	Report func(*durable.Tx, Fact)
	// Refuse says why a run cannot begin. The reason is empty if the run can begin.
	Refuse func(*durable.Tx, run.Run) run.Result
	// HasHandler says whether there is a handler with a name for detached runs. Deliver calls it with
	// a run that has ended.
	HasHandler func(name string) bool
	Deliver    func(tx *durable.Tx, handler string, r run.Run) error
	// Ledger is the ledger of actions, or nil if no tool has a key.
	Ledger Ledger
	// KeepOnce is how long the ledger remembers keys, and 0 means the default.
	KeepOnce time.Duration
	// Watched says whether a browser is connected to the helper of a run, or to one below it.
	Watched func(*durable.Tx, run.Run) bool
	// Depth is how far below the root the object lives.
	Depth func(*durable.Tx) int
}

// New returns a supervisor without runs.
func New(c Config) *Supervisor { return &Supervisor{config: c} }

func (s *Supervisor) report(tx *durable.Tx, f Fact) { s.config.Report(tx, f) }

// checkDelay is how soon a helper is asked again that has not answered, in milliseconds.
const checkDelay = 30_000

// reachBackoff is how long to wait after each failure in a row to start a helper, or to read its
// stream, in milliseconds.
var reachBackoff = durable.Backoff{500, 1_000, 2_000, 4_000, 8_000}

// HandleDue handles an entry of the schedule, of one of [Kinds].
func (s *Supervisor) HandleDue(tx *durable.Tx, due durable.Due) {
	switch due.Kind {
	case dueReconcile:
		s.reconcileRuns(tx)
	case dueTail:
		s.retryTail(tx, due.ID)
	case dueDeadline:
		s.deadlinePassed(tx, due.ID)
	case dueIdleTimeout:
		s.idleTimeoutPassed(tx, due.ID)
	case DueDelivery:
		s.attemptDelivery(tx, due.ID)
	case DueWake:
		s.wakeHelper(tx, due.ID)
	case DueAsk:
		s.askAgain(tx)
	case dueLedger:
		s.NotifyWaiting(tx)
	case dueNotice:
		s.noticeDue(tx, due.ID)
	case dueSignal:
		s.retrySignals(tx, due.ID)
	}
}

// CallReturned handles the answer to a call, or its failure. kind is the prefix of the call's name,
// and id what follows it.
func (s *Supervisor) CallReturned(tx *durable.Tx, kind, id string, data []byte, failure string) {
	switch kind {
	case facet.CallAnswer:
		s.answerReturned(tx, id, data, failure)
		return
	case facet.CallHosted:
		s.newsReturned(tx, id, data, failure)
		return
	case facet.CallForward:
		s.forwardReturned(tx, id, data, failure)
		return
	case facet.CallSignal:
		s.signalsReturned(tx, id, data, failure)
		return
	case facet.CallWake:
		delete(s.waking, id)
	}
	r, ok := run.Find(tx, id)
	if !ok {
		return
	}
	switch kind {
	case facet.CallCancel:
		c, err := facet.Cancel.Result(data)
		s.cancelReturned(tx, r, c, err == nil && failure == "")
	case facet.CallJournal:
		s.journalReturned(tx, r, data, failure)
	case facet.CallCopy:
		s.copyReturned(tx, r, data, failure)
	case facet.CallPause:
		s.pauseReturned(tx, r, data, failure)
	case facet.CallWake:
		s.wakeAnswered(tx, r, data, failure)
	case facet.CallPage:
		s.pageReturned(tx, r, data, failure)
	}
}
