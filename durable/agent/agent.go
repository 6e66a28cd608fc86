// Package agent is the public API for authors of agents. An agent is a value: its name, its
// instructions, its model, its tools, its methods. A helper is an agent that other agents use as a
// tool. [AgentTool] makes a tool of a helper, and the code of a tool runs helpers with [RunAgent]
// and [StartAgent]. See the examples.
//
// One run of a helper is one object with its own storage, a conversation that can be opened from
// the page, and one permanent id. The row of a run is written before the helper is woken. So every
// run reaches its end, and its result reaches the call that started it, whatever crashes on the
// way. An [Option] changes a default of a run.
//
// Each kind of an author's code is given what it can do as its first argument. Tools and programs
// get a [Context] and may wait. Hooks, handlers and callbacks get a [Conversation]; they run within
// one event and cannot wait. A [Method], which a page calls, gets a [Call].
//
// The code of a tool, and of a [Program], is straight-line Go over a journal. When its instance is
// lost, the code is run again from the beginning, and completed awaits are not repeated. So the
// code must decide only by its input and by what it has awaited. It does everything else, such as
// reading the time or writing a row, with the functions of package flow.
//
// A workflow is a [Program] in a run with the option [Detached]: flow.Do tries a step until it
// succeeds, flow.Receive waits for a signal, and [Ask] for a person. An action is a call of a tool
// with [Once]: it happens once for its key.
package agent

import (
	"encoding/json"
	"time"

	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Agent describes a chat agent.
type Agent struct {
	// Name is the class name that the platform knows the agent by. URLs contain it in kebab case.
	Name string
	// Helper says that the agent is used as a tool: its conversations live in those of other
	// agents.
	Helper bool
	// Title and Icon are how browsers show a helper's runs. If both are "", they show the name alone.
	// The title of an agent that people talk to is what a page calls it.
	Title, Icon string
	// Description and Suggestions are for an agent that people talk to. A page shows them before the
	// first message: one or two sentences about the agent, of at most 500 characters, and messages that
	// it offers to send, at most 8 of at most 200 characters each.
	Description string
	Suggestions []string
	// Instructions are the model's system prompt.
	Instructions string
	// Model is what answers. If it is nil, the deployment's variables choose one of the providers
	// that chat.Class is given.
	Model model.Model
	// Tools are the tools that the model can call.
	Tools []Tool
	// MCP names the servers of the Model Context Protocol whose tools the agent uses: an [*MCP], or nil.
	MCP MCPOption
	// Program is what a helper runs instead of a model, or nil; see [NewProgram]. An agent with a
	// program ignores Instructions, Model and Tools.
	Program Program
	// Version is a text that the author changes with the code of a helper, of at most 128 bytes.
	// Usually it is "". A run keeps the version that it has begun with, see [Version].
	Version string
	// Methods are what clients can call by name. Every agent also has the method "inspect" for the
	// inspector. It answers in development only. A method of that name replaces it.
	Methods map[string]Method
	// Runs limits the runs of the agent's helpers. A field that is 0 has its default: 16 active runs
	// and 1024 queued ones. Keep says how many finished runs are kept, and how long. A field that is 0
	// has its default: 500 runs, for a week.
	Runs run.Limits
	Keep run.Keep
	// KeepOnce is how long the keys of tools with [Once] are remembered, and 0 means the default, 90
	// days. None is forgotten earlier. 10,000 are kept of each tool, 2,500 of these of one person, and
	// a call beyond that is refused. A key of which it is not known whether its call has happened never
	// goes by itself. For keys with [Tool.Across], that of the root counts.
	KeepOnce time.Duration
	// Budget is what one turn of the agent may use, including its helpers and theirs.
	Budget run.Budget
	// BeforeRun is called with every run of a helper before the run begins. Its error refuses the run,
	// and the model is told the error. OnProgress is called whenever a helper has reported progress,
	// AfterRun after the end of every run. Their errors are logged.
	BeforeRun, OnProgress, AfterRun RunHook
	// Handlers are given the ends of detached runs, see [Detached]. A handler that returns an error
	// is called again, five times in all within three minutes. What a failed call has done is not
	// undone. After the last failure the end is a dead letter, see [DeadLetter].
	Handlers map[string]RunHook
	// Callbacks are what schedules call, by name.
	Callbacks map[string]Callback
	// MaxSteps is how many steps a turn of the agent may have. A step is a model call and the tools
	// that it asks for. 0 means the default, 10.
	MaxSteps int
	// ModelIdleTimeout is how long a model's server may send nothing in one call, once its answer has
	// begun. Whatever it sends counts: words, thoughts, progress and comments. ModelFirstByteTimeout is
	// how long the first byte of the answer may take. After each of them the call is cancelled and
	// retried. ModelTimeout is how long one call may take in all before its turn fails. 0 means what the
	// deployment sets ([model.VarIdleTimeout] and the variables beside it), or the defaults: a minute, two
	// minutes or ModelIdleTimeout if that is longer, and 30 minutes.
	ModelIdleTimeout, ModelFirstByteTimeout, ModelTimeout time.Duration
	// History is how many tokens of the conversation the model is sent. 0 means the default, 100,000.
	// Beyond that, the oldest messages and steps are left out, always whole ones and half of them at
	// once; see [Hooks.Compact]. Tokens are estimated: three bytes of text, or of a tool's input or
	// output, count as one, a message as four more, and a picture as 1,600. Instructions and tools are
	// not counted.
	History int
	// Hooks are called at certain points of the agent's turns.
	Hooks Hooks
	// DuringTurn says what happens to messages that a person sends while a turn is active. The default
	// is [turn.Queue]: all are answered, one after the other.
	DuringTurn turn.Policy
	// Grant returns the scopes of a turn that begins, in place of those of its claims. It is called
	// once for a person's request, for the call of a method, for a person's answer to a question, and
	// at a helper for its run. What a person says in the view of a helper is granted by the agents above
	// it first. TurnInfo has what is known of these. It must decide by its arguments
	// alone. It is not called where everything is granted. Nil grants the scopes of the claims.
	Grant func(t TurnInfo, c Claims) []string
	// SignalScopes are what a request needs that signals a run over HTTP. Without them, whoever may speak with
	// the agent may signal its runs. The method [SendSignal] is asked for them by [Require].
	SignalScopes []string
	// Expose lets other programs use the agent, by the Model Context Protocol, or is nil: an [*Expose].
	Expose Exposed
	// AcceptState may refuse a state that a client sets, which is JSON of at most 1 MB. The client is
	// told that the state was refused, and the reason is logged. The state then stays as it was. Nil
	// accepts every state.
	AcceptState func(state json.RawMessage) error
}

// RunHook is called with a run, in the event that changes the run. [Agent.BeforeRun] and
// [Agent.Handlers] say what happens to its error.
type RunHook func(c *Conversation, r RunInfo) error
