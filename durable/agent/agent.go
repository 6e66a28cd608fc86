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
// The code of a tool, and of a [Program], is straight-line Go over a journal. When its instance is
// lost, the code is run again from the beginning, and completed awaits are not repeated. So the
// code must decide only by its input and by what it has awaited. Use Step of package flow for
// everything else.
package agent

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/run"
)

// Agent describes a chat agent.
type Agent struct {
	// Name is the class name that the platform knows the agent by. URLs contain it in kebab case.
	Name string
	// Helper says that the agent lives in a parent, which uses it as a tool.
	Helper bool
	// Title and Icon are how browsers show a helper's runs. If both are "", they show the name alone.
	Title, Icon string
	// Instructions are the model's system prompt.
	Instructions string
	// Model answers. If it is nil, the deployment's variables choose one of the providers that are
	// given to [Agent.Class].
	Model model.Model
	// Tools are the tools that the model can call.
	Tools []Tool
	// Program is what a helper runs instead of a model, or nil; see [NewProgram]. An agent with a
	// program ignores Instructions, Model and Tools.
	Program Program
	// Methods are what clients can call by name. Every agent also has the method "inspect" for the
	// inspector. It answers in development only. A method of that name replaces it.
	Methods map[string]Method
	// Runs limits the runs of the agent's helpers. A field that is 0 has its default: 16 active runs
	// and 1024 queued ones. Keep says how many finished runs are kept, and how long. A field that is 0
	// has its default: 500 runs, for a week.
	Runs Limits
	Keep Keep
	// Budget is what one turn of the agent may use, including its helpers and theirs.
	Budget Budget
	// BeforeRun is called with every run of a helper before the run begins. Its error refuses the run,
	// and the model is told the error. OnProgress is called whenever a helper has reported progress,
	// AfterRun after the end of every run. Their errors are logged.
	BeforeRun, OnProgress, AfterRun RunHook
	// Handlers are called with the ends of detached runs, see [Detached]. A handler that returns an
	// error is called again, five times in all within three minutes. What a failed call has done is
	// not undone. After the last failure the end is a dead letter.
	Handlers map[string]RunHook
	// Callbacks are what schedules call, by name.
	Callbacks map[string]Callback
	// MaxSteps is how many steps a turn of the agent may have. A step is a model call and the tools
	// that it asks for. 0 means the default, 10.
	MaxSteps int
	// ModelIdleTimeout is how long a model may send no words in one call. A word is more of its
	// answer, of a thought, or of a tool's input. After that time the call is cancelled and retried. 0
	// means the default, a minute. ModelTimeout is how long one call may take in all before its turn
	// fails. 0 means the default, 30 minutes. Both are checked every 30 seconds.
	ModelIdleTimeout, ModelTimeout time.Duration
	// History is how many tokens of the conversation the model is sent. 0 means the default, 100,000.
	// Beyond that, the oldest messages and steps are left out, always whole ones and half of them at
	// once; see [Hooks.Compact]. Tokens are estimated: three bytes of text, or of a tool's input or
	// output, count as one, a message as four more, and a picture as 1,600. Instructions and tools are
	// not counted.
	History int
	// Hooks are called at certain points of the agent's turns.
	Hooks Hooks
	// DuringTurn says what happens to messages that a person sends while a turn is active. The default
	// is [Queue]: all are answered, one after the other.
	DuringTurn Policy
	// AcceptState may refuse a state that a client sets, which is JSON of at most 1 MB. The client is
	// told that the state was refused, and the reason is logged. The state then stays as it was. Nil
	// accepts every state.
	AcceptState func(state json.RawMessage) error
}

// Method is a function that clients can call by name. Its result becomes JSON. The text of its
// error goes to the caller.
type Method = chat.Method

// Call is one call of a [Method].
type Call = chat.Call

// Conversation is what a method or a hook can do with its conversation.
type Conversation = chat.Conversation

// Hooks are called at certain points of a turn. The other types are their parameters.
type (
	Hooks = chat.Hooks
	// TurnInfo says which turn a hook is called for.
	TurnInfo = chat.TurnInfo
	// StepRequest is what the model is about to be sent, and StepResult what the model has answered.
	StepRequest = chat.StepRequest
	StepResult  = chat.StepResult
	// ToolCall is a call of a tool, with what is known of it when the hook is called.
	ToolCall = chat.ToolCall
	// TurnError says in words why a turn has failed.
	TurnError = chat.TurnError
	// LeftOut is the part of the conversation that the model will no longer be sent.
	LeftOut = chat.LeftOut
)

// RunHook is called with a run, in the event that changes the run. [Agent.BeforeRun] and
// [Agent.Handlers] say what happens to its error.
type RunHook = chat.RunHook

// RunInfo is the public view of a run. Its times are in milliseconds since 1970.
type RunInfo = chat.RunInfo

// Filter chooses runs from a list. The zero value chooses the newest 50.
type Filter = run.Filter

// Progress is how far a run has come, for [Context.ReportProgress].
type Progress = chat.Progress

// Milestone is a stage that a run has reached, see [Context.Milestone].
type Milestone = chat.Milestone

// Limits says how many runs may be active, and how many may be queued.
type Limits = run.Limits

// Keep says how many finished runs are kept, and how long.
type Keep = run.Keep

// Budget is what one turn may use, in tokens and in model calls. A field that is 0 has no limit.
type Budget = run.Budget

// DefaultProviders are those of agents whose Class is given none. They are empty unless an
// application sets them, before it calls Class.
var DefaultProviders model.Providers

// Class returns the class that a module registers for the agent. A deployment chooses the model
// from the providers, see [model.Providers]; without any, from [DefaultProviders]. They are ignored
// if the agent has its own Model or a Program. The module contains only the providers that the
// application names. Class panics if an agent with a program is not declared as a helper, and if an agent has nothing that
// can answer.
func (a Agent) Class(providers ...model.Provider) durable.Class {
	if a.Program != nil && !a.Helper {
		panic("agent: " + a.Name + " is a program and has to be declared as a helper")
	}
	if len(providers) == 0 {
		providers = DefaultProviders
	}
	if a.Program == nil && a.Model == nil && len(providers) == 0 {
		panic("agent: " + a.Name + " has no model: give Class the providers that a deployment can choose from")
	}
	methods := map[string]Method{"inspect": inspect}
	maps.Copy(methods, a.Methods)
	hosted := chat.Agent{
		Class: a.Name, Helper: a.Helper, Instructions: a.Instructions, Model: a.opener(providers), Methods: methods, AcceptState: a.AcceptState,
		Program: a.Program, Runs: a.Runs, Keep: a.Keep, Budget: a.Budget, BeforeRun: a.BeforeRun, OnProgress: a.OnProgress, AfterRun: a.AfterRun,
		Handlers: a.Handlers, Callbacks: a.Callbacks, MaxSteps: a.MaxSteps, History: a.History,
		ModelIdleTimeout: a.ModelIdleTimeout, ModelTimeout: a.ModelTimeout, Hooks: a.Hooks, DuringTurn: a.DuringTurn,
	}
	for _, t := range a.Tools {
		hosted.Tools = append(hosted.Tools, chat.Tool(t))
	}
	return durable.Class{Name: a.Name, Helper: a.Helper, New: func() durable.Object { return chat.NewObject(hosted) }}
}

// opener returns a function that returns the model: the agent's own, or the one that the deployment
// chooses.
func (a Agent) opener(providers model.Providers) func(vars map[string]string, secrets []string) (model.Model, error) {
	if a.Model == nil {
		return providers.Open
	}
	return func(map[string]string, []string) (model.Model, error) { return a.Model, nil }
}
