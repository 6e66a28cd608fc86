package mcpcall

import (
	"fmt"
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// The shortest and the longest pause between two questions how a task goes on. A pause is at least a
// twentieth of the time for which the task has worked, so that a task of a week takes few awaits.
const (
	leastPoll, mostPoll = 500 * time.Millisecond, 5 * time.Minute
	pollShare           = 20
)

// follow asks for a task until it is over. If the code stops waiting, the server is told.
func (k *Call) follow(t mcp.Task) (mcp.Result, error) {
	begun := flow.Now(k)
	over := false
	k.Await(flow.Op{
		Name: "task " + t.ID, Around: true, Begin: func(*durable.Tx, flow.Key) {},
		Cancel: func(tx *durable.Tx, _ flow.Key, _ flow.Reason) {
			if !over { // else the code has ended, and nobody waits for this
				k.cancelTask(tx, t.ID)
			}
		},
	})
	state, err := k.poll(t, begun)
	over = err == nil
	if err != nil {
		return nil, err
	}
	switch state.Status {
	case mcp.TaskFailed:
		return nil, k.wrap(state.Error)
	case mcp.TaskCancelled:
		return nil, k.failed("its task was cancelled")
	}
	result, err := mcp.ParseCallResult(state.Result)
	if err != nil {
		return nil, k.wrap(err)
	}
	return result, nil
}

// poll asks for a task until it is over.
func (k *Call) poll(t mcp.Task, begun time.Time) (mcp.Task, error) {
	id, lives, pause := t.ID, t.TTL, time.Duration(t.Poll)*time.Millisecond
	var answered []string
	resumed := begun // when it was last known to go on: a task that waits for a person does not work
	for !t.Status.Final() {
		k.does(t)
		if t.Status == mcp.TaskInput {
			fresh, err := k.answerTask(t, &answered)
			if err != nil {
				return t, err
			}
			if fresh {
				resumed = flow.Now(k)
			}
		}
		now := flow.Now(k)
		if taken := now.Sub(begun); lives != nil && taken > time.Duration(*lives)*time.Millisecond {
			return t, k.failed("its task was not over in the time for which the server keeps it")
		}
		if err := flow.Sleep(k, min(max(pause, now.Sub(resumed)/pollShare, leastPoll), mostPoll)); err != nil {
			return t, err
		}
		result, err := k.request(mcp.TaskCall{What: mcp.MethodTask, Task: id})
		if err != nil {
			return t, err
		}
		state, ok := result.(mcp.TaskState)
		if !ok || state.Task.ID != id {
			return t, k.failed("it answers for another task")
		}
		t = state.Task
		pause = max(pause, time.Duration(t.Poll)*time.Millisecond)
	}
	return t, nil
}

// answerTask puts the questions of a task to people, each once, and tells the server the answers. It says
// whether there were any that are fresh.
func (k *Call) answerTask(t mcp.Task, answered *[]string) (bool, error) {
	fresh := slices.DeleteFunc(slices.Clone(t.Requests), func(r mcp.InputRequest) bool { return slices.Contains(*answered, r.Key) })
	if len(fresh) == 0 {
		return false, nil
	}
	responses, err := k.ask(fresh)
	if err != nil {
		return false, err
	}
	for _, r := range fresh {
		*answered = append(*answered, r.Key)
	}
	_, err = k.request(mcp.TaskCall{What: mcp.MethodUpdateTask, Task: t.ID, Responses: responses})
	if err != nil {
		return false, fmt.Errorf("the answer to its question: %w", err)
	}
	return true, nil
}

// cancelTask tells the server that nobody waits for a task any more. The answer does not matter.
func (k *Call) cancelTask(tx *durable.Tx, id string) {
	s := k.servers.Find(tx, k.server)
	if s == nil {
		return
	}
	e := k.servers.Endpoint(tx, s)
	q := e.Call(mcpclient.RequestID(mcpclient.NewRequest(tx)), k.servers.Caller(e.Version), mcp.TaskCall{What: mcp.MethodCancelTask, Task: id}, nil)
	k.notify(tx, q)
}
