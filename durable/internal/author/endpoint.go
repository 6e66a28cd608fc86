package author

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/inspection"
	"github.com/tributary-agents/tributary/durable/run"
)

// MCPServer is how other programs use an agent that is exposed to them. Only the code of an option of
// package agent refers to what implements it, so that the module of an application without that option
// has none of it.
type MCPServer interface {
	// Respond answers a request, in the name of granted claims.
	Respond(tx *durable.Tx, e durable.RequestReceived, claims string)
	// Sections are what a developer sees of the calls.
	Sections(tx *durable.Tx) []inspection.Table
	// Open has the calls go on that were under way when the object's memory was lost. If an event of the
	// object has trapped, code goes on in an event of its own.
	Open(tx *durable.Tx, trapped bool)
	// Working says whether there are calls that Open has go on.
	Working(tx *durable.Tx) bool
	// TimerFired handles the event of a timer of the server, and HandleDue an entry of the schedule. Fetched handles an event
	// of a fetch of code, and Drained and Cancelled one of a stream; they say whether it belongs to a call.
	TimerFired(tx *durable.Tx, timer string)
	Fetched(tx *durable.Tx, name string, event durable.Event) bool
	Drained(stream string) bool
	Cancelled(tx *durable.Tx, stream string) bool
	HandleDue(tx *durable.Tx, due durable.Due)
	// Completed notes that something has ended that a routine waited for, and says whether the routine is that
	// of a call. Resume has the code of such calls go on.
	Completed(routine string) bool
	Resume(tx *durable.Tx)
	// Ask and Withdraw are those of [Object], for the code of a call.
	Ask(tx *durable.Tx, key flow.Key, q Question)
	Withdraw(tx *durable.Tx, key flow.Key)
	// Can says whether the client of a call can be asked by a method.
	Can(call, method string) bool
	// Ended is told of a submission that is final, and says whether a call waits for it. answer returns its
	// JSON.
	Ended(tx *durable.Tx, submission string, answer func() []byte) (ours bool)
	// Report is told how far the code of a call has come.
	Report(tx *durable.Tx, call string, p run.Progress)
	// Log sends a line of the code of a call to its client, if that wants lines of the level.
	Log(tx *durable.Tx, call, level string, data json.RawMessage)
	// Has says whether there is a call or a task. Clear ends every call and forgets every task, with a reason in words.
	Has(tx *durable.Tx) bool
	Clear(tx *durable.Tx, why string)
	// Changed is told that a resource has changed.
	Changed(tx *durable.Tx, uri string)
	// Flush is called when the code of an event has run. It answers the calls that can be answered, and
	// says whether any has ended, which may have changed what the object has to do.
	Flush(tx *durable.Tx) (ended bool)
	// Load returns an estimate of the memory that the calls hold, and whether one is under way. Drop ends
	// their code, in memory only.
	Load() (bytes int, busy bool)
	Drop()
}
