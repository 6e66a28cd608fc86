// Package agent is what an author of agents writes against. An agent is a value: its
// name, its instructions, its model, its tools, its methods. A helper is an agent that
// others use as a tool; [AgentTool] makes a tool of it, and within a tool's code
// [RunAgent] and [StartAgent] run it. See the examples.
//
// One run of a helper is one object with storage of its own, a conversation that can be
// opened from the page, and one id for ever. Its row is written before the helper is
// woken, so that a run reaches its end whatever dies on the way, and its result the call
// that asked for it. How a run differs from what is usual is said by an [Option].
//
// A tool's code, and a [Program], is straight-line Go over a journal: what it awaited is
// not done again when its instance was lost and it is run anew. It must therefore decide
// by what it was given and has awaited; Step of package flow is for the rest.
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
	// Name is the class name that the platform knows the agent by. In URLs it
	// appears in kebab case.
	Name string
	// Helper says that the agent lives in a parent, as a tool of its.
	Helper bool
	// Title and Icon are how browsers show a helper's runs, "" for the name alone.
	Title, Icon string
	// Instructions are the model's system prompt.
	Instructions string
	// Model answers. Nil leaves the choice to the deployment's variables; see
	// [model.Open].
	Model model.Model
	// Tools are what the model can have called.
	Tools []Tool
	// Program is what a helper runs instead of asking a model, or nil; see [NewProgram].
	// Instructions, Model and Tools mean nothing beside it.
	Program Program
	// Methods are what clients can call by name. Every agent has "inspect" besides, which the
	// inspector calls and which answers in development only; one of that name replaces it.
	Methods map[string]Method
	// Runs bounds the runs of the agent's helpers; what is 0 in it is as usual, 16 at
	// work and 1024 that wait. Keep says how many that are over are kept, and how long;
	// what is 0 in it is as usual, 500 of them for a week.
	Runs Limits
	Keep Keep
	// Budget is what one turn of the agent may use, with its helpers and theirs.
	Budget Budget
	// BeforeRun sees every run of a helper before it begins, and may refuse it with an
	// error that the model is told. OnProgress sees a run whenever its helper has reported
	// progress, and AfterRun every run that is over; their errors are lines in the log.
	BeforeRun, OnProgress, AfterRun RunHook
	// Handlers take the ends of detached runs, see [Detached]. One that returns an error is
	// called again, five times in all over three minutes, with all that it did standing;
	// then the end is a dead letter.
	Handlers map[string]RunHook
	// Callbacks are what schedules call, by name.
	Callbacks map[string]Callback
	// MaxSteps is how many steps a turn of the agent has, model calls with the tools that
	// they want; 0 is as usual, 10.
	MaxSteps int
	// ModelSilence is how long a model may go without a word in one call: more of its answer, of
	// a thought, or of a tool's input. Then the call is given up and tried again. 0 is as usual, a
	// minute. ModelTime is how long one call may take in all before its turn fails, 0 is as usual,
	// 30 minutes. Both are looked at every 30 seconds.
	ModelSilence, ModelTime time.Duration
	// History is how many tokens of the conversation the model is told, 0 is as usual,
	// 100,000. Beyond that the oldest messages and steps are left out, always whole ones and
	// half of them at once; see [Hooks.Compact]. Tokens are estimated: three bytes of text,
	// or of a tool's input or output, are one, a message has four more, and a picture 1,600. Instructions and
	// tools are not counted.
	History int
	// Hooks are called as turns of the agent go on.
	Hooks Hooks
	// DuringTurn says what becomes of messages that a person sends while a turn speaks. The
	// usual policy is [Queue]: all are answered, one after the other.
	DuringTurn Policy
	// AcceptState may refuse a state that a client sets, JSON of 1 MB at most. The
	// client is told that it was refused, and the log why; the state stays as it was. Nil
	// accepts all.
	AcceptState func(state json.RawMessage) error
}

// Method is something that clients can call by name. Its result becomes JSON; an
// error's text goes to the caller.
type Method = chat.Method

// Call is one call of a [Method].
type Call = chat.Call

// Conversation is what a method or a hook can do with its conversation.
type Conversation = chat.Conversation

// Hooks are called as turns go on. The other types are what they are given.
type (
	Hooks = chat.Hooks
	// TurnInfo says which turn a hook is called for.
	TurnInfo = chat.TurnInfo
	// StepRequest is what the model is about to be asked, and StepResult what has come of it.
	StepRequest = chat.StepRequest
	StepResult  = chat.StepResult
	// ToolCall is a call of a tool: what is known of it yet.
	ToolCall = chat.ToolCall
	// TurnError is why a turn has failed, in words.
	TurnError = chat.TurnError
	// LeftOut is what the model will no longer be told.
	LeftOut = chat.LeftOut
)

// RunHook is told of a run, in the event that it is about. What becomes of its error is said
// where hooks are set: at [Agent.BeforeRun] and at [Agent.Handlers].
type RunHook = chat.RunHook

// RunInfo is what can be told of a run. Its times are in milliseconds since 1970.
type RunInfo = chat.RunInfo

// Filter chooses runs from a list, the newest 50 where it says nothing else.
type Filter = run.Filter

// Progress is how far a run has come, for [Context.ReportProgress].
type Progress = chat.Progress

// Milestone is a stage that a run has reached, see [Context.Milestone].
type Milestone = chat.Milestone

// Limits bounds how many runs are at work, and how many wait.
type Limits = run.Limits

// Keep says how many runs that are over are kept, and how long.
type Keep = run.Keep

// Budget is what one turn may use, in tokens and in model calls. What is 0 in it has no limit.
type Budget = chat.Budget

// Class returns the class that a module registers for the agent. It panics where a program is
// not declared as a helper.
func (a Agent) Class() durable.Class {
	if a.Program != nil && !a.Helper {
		panic("agent: " + a.Name + " is a program and has to be declared as a helper")
	}
	methods := map[string]Method{"inspect": inspect}
	maps.Copy(methods, a.Methods)
	hosted := chat.Agent{
		Class: a.Name, Helper: a.Helper, Instructions: a.Instructions, Model: a.model, Methods: methods, AcceptState: a.AcceptState,
		Program: a.Program, Runs: a.Runs, Keep: a.Keep, Budget: a.Budget, BeforeRun: a.BeforeRun, OnProgress: a.OnProgress, AfterRun: a.AfterRun,
		Handlers: a.Handlers, Callbacks: a.Callbacks, MaxSteps: a.MaxSteps, History: a.History,
		ModelSilence: a.ModelSilence, ModelTime: a.ModelTime, Hooks: a.Hooks, DuringTurn: a.DuringTurn,
	}
	for _, t := range a.Tools {
		hosted.Tools = append(hosted.Tools, chat.Tool(t))
	}
	return durable.Class{Name: a.Name, Helper: a.Helper, New: func() durable.Object { return chat.NewHost(hosted) }}
}

func (a Agent) model(vars map[string]string, secrets []string) (model.Model, error) {
	if a.Model != nil {
		return a.Model, nil
	}
	return model.Open(vars, secrets)
}
