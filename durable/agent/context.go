package agent

import (
	"cmp"
	"errors"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about the runs that a tool's code starts and awaits.

// Context is what the code of a tool or of a [Program] waits with. The code is straight-line Go
// that survives the loss of its instance, see package flow.
//
// These are its awaits. The functions of package flow take a Context: flow.Step, flow.Do,
// flow.Sleep, flow.SleepUntil, flow.Fetch, flow.Now, flow.Random, flow.Receive, flow.Go and
// flow.Within. [StartAgent], [RunAgent], [StartAgentAs] and [RunAgentAs] run helpers with it. [Ask]
// asks a person, and [Act] calls a tool. Its own methods wait for milestones, report milestones and
// progress, request turns, make schedules, control runs and signal them, and list and cancel all of
// these. Every await is journaled, so a replay does not repeat it.
//
// A Context is valid in the code that it was given to, and in the branches of that code that
// flow.Go has begun. The embedded [flow.Context] has Await, for operations of an author's own, and
// Branch.
type Context struct {
	*flow.Context
	of *author.Context
}

func contextOf(c *author.Context) *Context { return &Context{c.Context, c} }

// Detached says whether the code runs in a helper that works on a detached run, see the option
// [Detached]. Nothing waits for such a run, and people watch its progress.
func (c *Context) Detached() bool { return c.of.Code.Detached }

// Version returns the [Agent.Version] under which the code's run began, also if the agent has
// another one by now. In a tool of a root it is "". Code that was changed can go on as before for
// runs of an earlier version:
//
//	if agent.Version(c) != "" {
//		err = flow.Sleep(c, time.Minute) // since version 2
//	}
func Version(c *Context) string { return c.of.Code.Version }

// Var is [Conversation.Var] for a tool's code. It is journaled, so that a deployment with other
// variables does not change what the code has decided.
func (c *Context) Var(name string) (string, error) {
	return flow.Step(c, "variable "+name, func(*durable.Tx) (string, error) { return c.of.Object.Var(name), nil })
}

// startRun begins a run and returns at once. A run that cannot begin has failed, and its outcome
// says so.
func (c *Context) startRun(s spec) Run {
	branch := c.Branch()
	n := c.of.Runs[branch]
	c.of.Runs[branch]++
	r := s.run(cmp.Or(s.id, c.runID(branch, n)+c.token(s)))
	r.ToolCall, r.Order, r.Claims = c.of.Code.Call.ID, n, c.of.Code.Claims
	return Run{r.ID, c.Await(flow.Op{
		Name: "run " + r.Class + " " + r.ID,
		Begin: func(tx *durable.Tx, key flow.Key) {
			if branch != flow.Main {
				r.Order = key.Position // in the order in which they began, over all branches
			}
			if s.order != nil {
				r.Order = *s.order
			}
			r.Turn = c.of.Code.Turn(c.of.Object)
			if s.stopWithTurn {
				r.StopsWith = r.Turn
			}
			c.of.Object.Runs().Begin(tx, key, r, s.noQueue)
		},
		Cancel: c.of.Object.Runs().AbandonAwait,
		Asks: func(tx *durable.Tx) bool {
			have, _ := run.Find(tx, r.ID)
			return have.Status == run.Waiting
		},
	})}
}

// token returns the last part of the name of a run that the root hosts. The names of other helpers'
// runs may be the same but for this part.
func (c *Context) token(s spec) string {
	if s.id != "" || s.handler == "" || !c.of.Object.Runs().IsHelper() {
		return ""
	}
	token, err := flow.Step(c, "name of the helper", func(tx *durable.Tx) (string, error) { return "-" + task.Token(tx), nil })
	if err != nil {
		return ""
	}
	return token
}

// runID names the nth run that a branch begins. The name is made from the call, from the run that a
// program works on, or from the request of a job, so that a call that is made again finds its
// runs. It does not depend on the order in which the branches ran.
func (c *Context) runID(branch, n int) string {
	id := cmp.Or(c.of.Code.Base, c.of.Code.Run)
	program := id != ""
	if !program {
		id = c.of.Code.Call.ID
	}
	if branch != flow.Main {
		id += "-b" + strconv.Itoa(branch)
	}
	if n > 0 || program && branch == flow.Main {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// Say adds to the text that a program's conversation, and the panel of its run at the parent, show
// while the program works. A program may say 800,000 bytes. A tool gets an error: its words are its
// output.
func (c *Context) Say(text string) error {
	if c.of.Code.Outside != 0 {
		return errors.New("agent: the code of a call of another program has no conversation to say something in")
	}
	_, err := flow.Step(c, "say", func(tx *durable.Tx) (any, error) { return nil, c.of.Object.Loop().Say(tx, text) })
	return err
}
