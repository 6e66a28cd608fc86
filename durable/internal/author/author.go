// Package author is the border between package agent, whose types an author's code works with, and
// package chat, which calls that code. Package chat imports package agent, and agent does not import
// chat. So [Object] is what agent needs of a conversation, and [Bind] makes what chat hands to the
// code. In this way agent exports nothing that only chat needs.
package author

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/inspection"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Object is the conversation that calls an author's code.
type Object interface {
	// Runs follows the runs of helpers. Loop is how the active turn goes on. Tails are the streams
	// through which a helper's parent reads its runs.
	Runs() *supervisor.Supervisor
	Loop() *loop.Loop
	Tails() *task.Tails
	// Var returns a variable of the deployment, or "". HasSecret says whether it has a secret of a name.
	Var(name string) string
	HasSecret(name string) bool
	// Path returns the path of the conversation, or "" for a helper, which no request reaches.
	Path() string
	// State returns the agent's state, or nil if none was set. SetState stores a state and shows it
	// to every client.
	State(tx *durable.Tx) json.RawMessage
	SetState(tx *durable.Tx, state json.RawMessage)
	// Acting returns the claims for which the code in this event works: JSON, or "" if everything is
	// granted.
	Acting(tx *durable.Tx) string
	// ActFor has the code of this event work for some claims, until the returned function is called.
	ActFor(claims string) (until func())
	// Pending returns what people are asked, here and below. Decide takes a person's answer.
	Pending(tx *durable.Tx) []run.Pending
	Decide(tx *durable.Tx, v Verdict) Outcome
	// CheckCallback says whether schedules can call a callback. FollowSchedules is to be called
	// when the schedules have changed.
	CheckCallback(name string) error
	FollowSchedules(tx *durable.Tx)
	// KeepOnce is that of the agent.
	KeepOnce() time.Duration
	// Ask puts a question of the code to a person. Withdraw ends it, because the code does not wait
	// for it any more.
	Ask(tx *durable.Tx, key flow.Key, q Question)
	Withdraw(tx *durable.Tx, key flow.Key)
	// Submit queues the turn that code requests, or finds the turn of an earlier request with the
	// same id or key.
	Submit(tx *durable.Tx, r TurnRequest) (t turn.Turn, joined bool, err error)
	// Notify puts a message into the chat and queues the turn that answers it. Narrate queues a
	// turn that says a text without a model.
	Notify(tx *durable.Tx, text, claims string) error
	Narrate(tx *durable.Tx, text string) error
	// QueueJob queues a turn that runs the job of [Linked] with a text. Its error says why no turn is accepted.
	QueueJob(tx *durable.Tx, text string) error
	// Tool returns the agent.Tool of a name among those of the agent, or nil.
	Tool(name string) any
	// Tools returns the tools at hand as a []agent.Tool, and Vars the deployment's variables.
	Tools(tx *durable.Tx) any
	Vars() map[string]string
	// Servers are those of the agent's option MCP, or nil. Resume resumes a routine after an await of it has ended, and
	// CallModel the turn that has waited for servers.
	Servers() Servers
	Resume(tx *durable.Tx, routine string)
	CallModel(tx *durable.Tx)
	// Model returns the agent's model. ShowNote sends those who watch the active turn a chunk that no log
	// has.
	Model() (model.Model, error)
	ShowNote(tx *durable.Tx, chunk []byte)
	// The rest are for calls that the code of a call of the model has made. parent is that call.
	//
	// ChangesCalls says whether the agent has a hook that may change the input of a call. ChangeCall
	// calls it, and returns the input to use, or why the call is refused.
	ChangesCalls() bool
	ChangeCall(tx *durable.Tx, call turn.Call) (json.RawMessage, error)
	// ShowCall shows a call in the message of its parent. ReturnCall checks what has come of it, shows
	// that, and returns it. EndCall ends a call, if it is open, with an error.
	ShowCall(tx *durable.Tx, parent string, call turn.Call)
	ReturnCall(tx *durable.Tx, parent string, call turn.Call, schema, output json.RawMessage, err error) (json.RawMessage, error)
	EndCall(tx *durable.Tx, parent string, call turn.Call, why string)
	// EndCalls ends all calls that the code of a call has made and that have not ended.
	EndCalls(tx *durable.Tx, parent, why string)
	// AskApproval asks a person whether a call of a tool, an agent.Tool, may run. The await gets the
	// answer.
	AskApproval(tx *durable.Tx, key flow.Key, parent string, call turn.Call, tool any)
	// Shown returns the digest that the question about a call has kept of the tool, or "".
	Shown(tx *durable.Tx, parent, call string) string
	// Report says how far the code of a call outside of any turn has come.
	Report(tx *durable.Tx, call string, p run.Progress)
	// LogToClient sends a line to the program that has made a call.
	LogToClient(tx *durable.Tx, call, level string, data json.RawMessage)
	// ClientCan says whether the program that has made a call can be asked by a method.
	ClientCan(call, method string) bool
	// Said returns what was said in the conversation, as text.
	Said(tx *durable.Tx) string
	// Cancel stops a turn: at once if it has not begun, and otherwise at the end of the event.
	Cancel(tx *durable.Tx, t turn.Turn)
	// Answer returns the text of a turn's answer so far.
	Answer(tx *durable.Tx, t turn.Turn) string
	// Emit sends the client a piece of a call's result.
	Emit(tx *durable.Tx, c Call, piece json.RawMessage)
	// CheckWait says why a call of a method cannot wait for a turn, or returns nil. Wait has the
	// call answered when the turn is final. If streamed, the call is sent the turn's chunks before.
	CheckWait(tx *durable.Tx, c Call) error
	Wait(tx *durable.Tx, c Call, t turn.Turn, streamed bool)
}

// Servers are the servers of the Model Context Protocol that an agent uses. Package agent makes them of
// the agent's option MCP, so an application without that option carries none of it.
type Servers interface {
	// Open is called when the memory of the object was lost.
	Open(tx *durable.Tx)
	// Prepare asks the servers whose offer is missing or old, and says whether the turn has to wait for
	// one. Notice is what the model is told of servers that cannot be used, or "".
	Prepare(tx *durable.Tx) (wait bool)
	Notice(tx *durable.Tx) string
	// Offered returns the servers' tools as a []agent.Tool. Told says whether a model is told of one.
	Offered(tx *durable.Tx) any
	Offers(tx *durable.Tx, tool string) bool
	// Fetched handles an event of a fetch of a server, and Sampled one of a fetch or timer of a model that a server asks.
	// HandleDue handles an entry of the schedule.
	Fetched(tx *durable.Tx, name string, event durable.Event)
	Sampled(tx *durable.Tx, name string, event durable.Event)
	HandleDue(tx *durable.Tx, due durable.Due)
	// Withdraw ends the waits of a routine that never goes on.
	Withdraw(tx *durable.Tx, routine string)
	// Frame is what a browser of a person is told when it connects, and News whether all are told it at the end of an
	// event, or "".
	Frame(tx *durable.Tx, who string) string
	News(tx *durable.Tx) bool
	// Askers returns the persons whose links are in their frames alone. TakeSignature takes the front door's
	// signature of the object's address.
	Askers(tx *durable.Tx) []string
	TakeSignature(signature string)
	// Respond answers the request of a person who signs in to a server. who is "" for nobody.
	Respond(tx *durable.Tx, e durable.RequestReceived, who string)
	// Check is that of the class, see [durable.Class].
	Check(variable func(name string) string, hasSecret func(name string) bool) error
	// Method returns the agent.Method of a name, or nil. Methods are the names of those that clients are
	// offered.
	Method(name string) any
	Methods() []string
	// Sections are what a developer sees of the servers.
	Sections(tx *durable.Tx) []inspection.Table
	// Busy says whether something is under way that is lost with the memory, and Bytes roughly how much
	// memory the servers take.
	Busy() bool
	Bytes() int
}

// Question is a question of code to a person. Call is the call whose code asks, or "" for a program.
// Input is what is shown. Its answer has to fit the JSON Schema: a Form waits for a value, and any
// other question for yes or no. Expires is how long the question is open, in milliseconds.
type Question struct {
	Call          string
	Input, Schema json.RawMessage
	Form          bool
	Expires       int64
	Scopes        []string
	// Client is the method of the protocol by which the program is asked that has made the call, whose
	// params Input is then, and Name that of the question there. Both are "" for a question to a person.
	Client, Name string
}

// Verdict is a person's answer to the question of a call: where it comes from, and whose it is.
type Verdict struct {
	Conn     durable.ConnID
	Call     string
	Approved bool
	// Reason says in words why the call is denied, or is "".
	Reason string
	// Claims are those of the person: JSON, or "" if everything is granted.
	Claims string
	// Continues says that the model goes on once all calls of the message are answered.
	Continues bool
}

// Outcome is what has come of a verdict. Past is the answer that counts.
type Outcome struct {
	Past approval.Past
	// Over says that another answer was taken before. Unknown says that there is no such question. If
	// the question is still open, Missing are the scopes that the person lacks, or Refused says what is
	// wrong with the answer.
	Over, Unknown bool
	Missing       []string
	Refused       error
}

// LacksScope is the error of a call of a tool that requires scopes which are missing.
func LacksScope(tool string, missing []string) error {
	return fmt.Errorf("the call was refused: %s requires the scope %s, which this conversation has not been granted", tool, strings.Join(missing, ", "))
}

// TurnRequest is a turn that code requests: its text, the id and the key of the submission, and the
// claims for which the turn works.
type TurnRequest struct{ Text, ID, Key, Claims string }

// Call is one call of a method by a client.
type Call struct {
	Conn durable.ConnID
	// ID is the client's id of the call.
	ID   string
	Args []json.RawMessage
	// Waits says that the call is answered when a turn is final. Package agent sets it.
	Waits bool
}

// AnsweredLater is the result of a method whose call is answered when a turn is final.
type AnsweredLater struct{}

// Code is the code that a context is made for.
type Code struct {
	// Call is the tool call. Run is the id of the run that a program works on, "" for a tool.
	Call turn.Call
	Run  string
	// Base names what the code begins: the run of a program that was begun first, see
	// [facet.StartRequest], or the request of a job. It is "" if Run or Call does.
	Base string
	// Detached says that the turn works on a detached run.
	Detached bool
	// ApprovedBy is the subject of the claims of the person who has approved the call, or "". Shown is the digest that
	// the question has kept of the tool, or "".
	ApprovedBy, Shown string
	// ByCode says that code of a model has made the call.
	ByCode bool
	// Version is the version that the run of the turn began with.
	Version string
	// Claims are those of the turn that has made the call, or works on the run.
	Claims string
	// Outside is a negative number in place of that of a turn, if another program has made the call, and
	// otherwise 0. Its id is that of the call.
	Outside int64
}

// Turn returns the number under which the code begins runs: that of its turn, unless it runs for another
// program.
func (c Code) Turn(o Object) int64 {
	if c.Outside != 0 {
		return c.Outside
	}
	return o.Loop().Turn().Seq
}

// Request returns the request of the code's turn, or the call of another program.
func (c Code) Request(o Object) string {
	if c.Outside != 0 {
		return c.Call.ID
	}
	return o.Loop().Turn().Request
}

// Binding makes values of package agent.
type Binding struct {
	// Endpoint makes the server of an agent that is exposed, or returns nil. CheckExposed says what is
	// wrong with how an agent is exposed.
	Endpoint     func(a any, o Object) MCPServer
	CheckExposed func(a any) error
	// Conversation makes an *agent.Conversation.
	Conversation func(o Object, tx *durable.Tx) any
	// Call makes an *agent.Call. call.Waits is to be read when the method has returned.
	Call func(o Object, tx *durable.Tx, call *Call) any
	// Context makes an *agent.Context.
	Context func(o Object, c *flow.Context, code Code) any
	// Claims makes an agent.Claims of stored claims. Answered makes an agent.Answered, or an error.
	Claims   func(text string) any
	Answered func(o Outcome) (any, error)
	// Digest returns what the question about a call of a tool, an agent.Tool, keeps of the tool that it shows, or "".
	Digest func(tool any) string
	// RunInfo makes an agent.RunInfo, and Submission an agent.Submission with all its fields.
	RunInfo    func(r run.Run) any
	Submission func(o Object, tx *durable.Tx, t turn.Turn) any
	// Servers makes the servers of an agent's option MCP, which is an agent.MCPOption.
	Servers func(option any, o Object) Servers
}

// Linked is what the options of the module's agents have linked. A field is nil if no agent uses its option: only that
// option refers to the code, so the module of an application without it has none of the code. The options set the fields
// before any object is opened. An object serves helpers of other classes, so what one class has linked is there for all.
var Linked struct {
	// Ledger is the ledger of actions for helpers, and RunEnded is called with each run of the object that has ended.
	Ledger   supervisor.Ledger
	RunEnded func(tx *durable.Tx, run string)
	// RootServices adds to the ledger of an object what it does for the servers of helpers.
	RootServices func(o Object, actions supervisor.Ledger) supervisor.Ledger
	// EndCalls ends the calls of code that is not in memory at its end, and could not end them itself.
	EndCalls func(o Object, tx *durable.Tx, parent, why string)
	// Job is the code of a turn that does something for code which cannot wait. The text says what. It gets an
	// *agent.Context.
	Job func(c any, text string) (json.RawMessage, error)
}

// Bind is set by package agent when it is initialised.
var Bind Binding
