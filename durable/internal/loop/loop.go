// Package loop runs a turn: model, tools, model, end. It sends nothing to browsers. What has
// happened is reported as a [Fact].
package loop

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Loop runs the turn under way: the model is called, the tools that it asks for run, and the model is
// called again, until the turn ends. What a loop keeps in memory can be rebuilt from rows.
type Loop struct {
	config Config
	// active is the turn under way, or nil.
	active *activeTurn
	// paused says that the object's run is paused.
	paused bool
	// working says that code of the turn runs now. What it waits for is known when it has stopped.
	working bool
	// fits makes the tools that the model is told of fit for every provider.
	fits model.Fits
}

// Config is what a loop needs of its object. No func may be nil.
type Config struct {
	// Class is the object's class. Helper says that the log of a turn may outlive it: a parent reads it.
	Class  string
	Helper bool
	// MaxSteps is how many steps a turn has at most. Budget is what one turn may use.
	MaxSteps int
	Budget   run.Budget
	// Runs are the runs that the turn has begun.
	Runs *supervisor.Supervisor
	// Report is called with every fact.
	Report func(*durable.Tx, Fact)
	// Sockets returns how many sockets see the words of a turn.
	Sockets func() int
	// Timeouts returns how long model calls may take. Model returns the model. Request returns the request for a turn's next step.
	Timeouts func() (model.Timeouts, error)
	Model    func() (model.Model, error)
	Request  func(*durable.Tx, turn.Turn) model.Request
	// Prepare says whether a model call has to wait for what the model is told of. [Loop.CallModel] makes
	// it then.
	Prepare func(*durable.Tx) (wait bool)
	// BeforeStep may change a request. Its error ends the turn, except for [ErrCancelled].
	BeforeStep func(*durable.Tx, *model.Request) error
	// BeforeCalls may change the calls among a model's deltas, and returns the ends of those that are
	// refused.
	BeforeCalls func(*durable.Tx, []model.Delta) []protocol.Chunk
	// CheckResult returns what a call has returned, or the error that replaces it.
	CheckResult func(tx *durable.Tx, call turn.Call, output json.RawMessage, err error) (json.RawMessage, error)
	// AfterStep is told that a step is over, which is the last of the journal if it is nil. OnError may
	// change the words of an error.
	AfterStep func(*durable.Tx, *turn.Step)
	OnError   func(tx *durable.Tx, words string) string
	// TakeCallID says whether a provider's id can be used for a call.
	TakeCallID func(tx *durable.Tx, id string) bool
	// Tool says what a tool needs before it runs. Code returns the code that runs for a call, and what
	// its routine is given.
	Tool func(tx *durable.Tx, name string) Tool
	Code func(*durable.Tx, turn.Call) (Code, flow.Options)
	// Asked says whether a question that code has put to a person is open. Withdraw ends the questions
	// of a routine that never goes on.
	Asked    func(tx *durable.Tx, id string) bool
	Withdraw func(tx *durable.Tx, routine string)
	// Program returns the code that runs a turn instead of a model, the call that it runs for, and what
	// its routine is given. The code is nil if a model answers the turn.
	Program func(*durable.Tx, turn.Turn) (turn.Call, Code, flow.Options)
}

// Code is straight-line code over a journal.
type Code = func(*flow.Context) (json.RawMessage, error)

// Tool is what a loop knows of a tool.
type Tool struct {
	// Client says that the browser runs it.
	Client bool
	// Approval says whether a person has to approve a call with this input. Nil means never.
	Approval func(input json.RawMessage) bool
	// Describe returns what a person is told of a question, as JSON, and when the time for the answer
	// is over, or 0. Nil means that there is nothing to tell, and no such time.
	Describe func(input json.RawMessage) (descriptor json.RawMessage, expires int64)
}

// ErrCancelled says that the turn was cancelled, and ends with the event.
var ErrCancelled = errors.New("loop: the turn was cancelled")

// New returns a loop without a turn.
func New(c Config) *Loop { return &Loop{config: c} }

func (l *Loop) report(tx *durable.Tx, f Fact) { l.config.Report(tx, f) }

// Begin begins a turn, whose log it opens. [Loop.Proceed] has it go on.
func (l *Loop) Begin(tx *durable.Tx, t turn.Turn) (message string) {
	l.active = newActiveTurn(tx, t)
	l.active.work, l.active.code, l.active.options = l.config.Program(tx, t)
	start := protocol.Chunk{Type: protocol.ChunkStart, MessageMetadata: json.RawMessage(`{"createdAt":` + strconv.FormatInt(tx.Now, 10) + `}`)}
	if !t.Continues {
		start.MessageID = t.Reply
	}
	l.emit(tx, start, protocol.Chunk{Type: protocol.ChunkStartStep})
	return start.MessageID
}

// Proceed has a turn that was begun run the calls that were approved before, or call the model. A turn that runs a
// program leaves those calls to the next turn.
func (l *Loop) Proceed(tx *durable.Tx) {
	if l.active.code == nil {
		approval.AssignTo(tx, l.active.turn.Seq)
	}
	if !l.runApproved(tx) {
		l.callModel(tx)
	}
}

// Narrate has the active turn say a text, and ends it.
func (l *Loop) Narrate(tx *durable.Tx, text string) {
	a := l.active
	l.emit(tx, a.draft.Chunks([]model.Delta{model.TextDelta{Text: text}, model.Finished{}})...)
	l.emit(tx, reply.EndChunks(model.Stop, a.spent())...)
	l.endTurn(tx, turn.Completed, "")
}

// Fail ends the active turn, which has done nothing yet, with an error. The calls that were approved
// before it end too: they may be what it cannot get past.
func (l *Loop) Fail(tx *durable.Tx, words string) {
	a := l.active
	if a.code == nil {
		approval.AssignTo(tx, a.turn.Seq)
	}
	a.approvedCalls, a.quarantine = approval.OfTurn(tx, a.turn.Seq), &quarantine{}
	l.endTurn(tx, turn.Failed, words)
}

// Note appends a chunk to the log of the active turn that is not part of its message.
func (l *Loop) Note(tx *durable.Tx, c protocol.Chunk) {
	l.active.unstored = append(l.active.unstored, c.Encode())
	l.active.draft.Track(c)
}

// Store stores the chunks of the event in the log of the active turn. It is called before the log is
// read, and when the event ends: an event writes one row, whatever it says.
func (l *Loop) Store(tx *durable.Tx) {
	if l.active != nil {
		l.active.store(tx)
	}
}

func (a *activeTurn) store(tx *durable.Tx) {
	if n := len(a.unstored); n > 0 {
		stream.Append(tx, a.stream(), a.draft.Next-int64(n), a.unstored...)
		a.unstored = nil
	}
}

// WaitsForAnswer says whether a call of the active turn is open and not running, while other calls
// of the turn run. It returns the call's part.
func (l *Loop) WaitsForAnswer(call string) (protocol.Part, bool) {
	a := l.active
	if a == nil || len(a.running) == 0 && !(l.paused && a.quarantine != nil) {
		return protocol.Part{}, false
	}
	part, ok := a.draft.Fold.Call(call)
	return part, ok && part.Open() && !a.isRunning(call)
}

// Answer takes the answer to a call that [Loop.WaitsForAnswer] has returned.
func (l *Loop) Answer(tx *durable.Tx, c protocol.Chunk) { l.emit(tx, l.active.draft.BoundOutput(c)) }

// RunAnswered runs a call that was answered, if it was approved.
func (l *Loop) RunAnswered(tx *durable.Tx, id string) {
	for _, call := range l.active.draft.ToolCalls {
		if call.ID == id {
			l.runTools(tx, []turn.Call{call})
		}
	}
}

// HandleDue handles an entry of the schedule, of one of [Kinds].
func (l *Loop) HandleDue(tx *durable.Tx, due durable.Due) {
	if l.active == nil || l.active.key() != due.ID {
		return
	}
	if l.paused && isPausedKind(due.Kind) {
		tx.Schedule(due.Kind, due.ID, tx.Now)
		return
	}
	switch due.Kind {
	case dueWatchdog:
		l.checkStall(tx)
	case dueRetry:
		l.callModel(tx)
	case dueQuarantined:
		l.RetryQuarantined(tx)
	}
}
