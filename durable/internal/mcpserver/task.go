package mcpserver

import (
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// task returns a call as its client sees it.
func (c row) task() mcp.Task {
	ttl := int64(taskAge)
	t := mcp.Task{
		ID: c.id, Status: statusOf(c.state), Message: c.message, Created: timeOf(c.created), Updated: timeOf(c.updated),
		TTL: &ttl, Poll: taskPoll, Requests: c.requests(),
	}
	if len(c.asked) > 0 && !c.state.final() { // also while other branches of the code are at work
		t.Status = mcp.TaskInput
	}
	switch result, wrong := kept(c); {
	case c.state == failed:
		t.Error = wrong
	case c.state == completed && result != nil:
		t.Result, _ = mcp.Parse(c.result)
	}
	return t
}

// statusOf returns the name that the protocol has for a state.
func statusOf(s state) mcp.TaskStatus {
	switch s {
	case asking:
		return mcp.TaskInput
	case completed:
		return mcp.TaskCompleted
	case failed:
		return mcp.TaskFailed
	case cancelled:
		return mcp.TaskCancelled
	}
	return mcp.TaskWorking
}

func timeOf(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }

// task answers a request about a task.
func (p *Server) task(tx *durable.Tx, f from, c mcp.TaskCall) (mcp.Result, *mcp.Error) {
	if missing, lacks := f.caller.Capabilities.Missing(mcp.ClientCapabilities{Tasks: true}); lacks {
		return nil, mcp.MissingCapability(missing)
	}
	k := p.inMemory(c.Task)
	if k == nil {
		stored, _ := find(tx, c.Task)
		k = &call{row: stored, stored: true}
	}
	if k.kind != ofTask || !claims.SamePerson(k.claims, f.claims) {
		return nil, invalid("unknown task")
	}
	switch c.What {
	case mcp.MethodTask:
		if k.state.final() {
			k.acknowledge(tx)
		}
		return mcp.TaskState{Task: k.row.task()}, nil
	case mcp.MethodUpdateTask:
		if lacked := p.lackedFor(k.row, c.Responses, f.claims); lacked != nil {
			return nil, lacked
		}
		p.update(tx, f, k, c.Responses)
	case mcp.MethodCancelTask:
		p.cancel(tx, k)
	}
	return mcp.Done{}, nil
}

// update takes answers to the questions of a task. What nobody has asked is passed over.
func (p *Server) update(tx *durable.Tx, f from, k *call, responses mcp.InputResponses) {
	if k.state.final() {
		return
	}
	before := len(k.asked)
	p.take(tx, &k.row, responses, f.claims)
	if len(k.asked) == before {
		return
	}
	p.resume(tx, k)
}

// cancel stops a task. A task that has ended stays as it is.
func (p *Server) cancel(tx *durable.Tx, k *call) {
	if k.state.final() {
		return
	}
	p.stop(tx, k, "its client has cancelled it")
	k.to(cancelled)
	k.message, k.acknowledged = "", true
	k.store(tx)
	p.taskChanged(tx, k.row)
}
