package agent

import (
	"cmp"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
)

// This file is about the runs that a tool's code starts and awaits.

// Context gives a tool's code its awaits. The code is straight-line Go that survives the loss of
// its instance: see package flow.
type Context struct {
	*flow.Context
	object author.Object
	code   author.Code
	// runs counts the runs that each branch has begun.
	runs map[int]int
}

// Detached says whether the helper works on a detached run. Nothing waits for such a run, and
// people watch its progress.
func (c *Context) Detached() bool { return c.code.Detached }

// startRun begins a run and returns at once. A run that cannot begin has failed, and its outcome
// says so.
func (c *Context) startRun(s spec) Run {
	branch := c.Branch()
	n := c.runs[branch]
	c.runs[branch]++
	r := s.run(cmp.Or(s.id, c.runID(branch, n)))
	r.ToolCall, r.Order = c.code.Call.ID, n
	return Run{r.ID, c.Await(flow.Op{
		Name: "run " + r.Class + " " + r.ID,
		Begin: func(tx *durable.Tx, key flow.Key) {
			if branch != flow.Main {
				r.Order = key.Position // in the order in which they began, over all branches
			}
			if s.order != nil {
				r.Order = *s.order
			}
			if s.stopWithTurn {
				r.StopsWith = c.object.Loop().Turn().Seq
			}
			r.Turn = c.object.Loop().Turn().Seq
			c.object.Runs().Begin(tx, key, r, s.noQueue)
		},
		Cancel: c.object.Runs().AbandonAwait,
	})}
}

// runID names the nth run that a branch begins. The name is made from the call, or from the run
// that a program works on, so that a call that is made again finds its runs. It does not depend on
// the order in which the branches ran.
func (c *Context) runID(branch, n int) string {
	id, program := c.code.Call.ID, c.code.Run != ""
	if program {
		id = c.code.Run
	}
	if branch != flow.Main {
		id += "-b" + strconv.Itoa(branch)
	}
	if n > 0 || program && branch == flow.Main {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// Say adds to the text that the helper's conversation and its parent's panel show while a program
// works. Only a program can use it: a tool's words are its output.
func (c *Context) Say(text string) error {
	_, err := flow.Step(c, "say", func(tx *durable.Tx) (any, error) { return nil, c.object.Loop().Say(tx, text) })
	return err
}
