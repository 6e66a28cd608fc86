package agent

import "github.com/tributary-agents/tributary/durable/run"

// This file has methods for pages that show an agent's runs. An agent that wants them
// lists them among its own:
//
//	Methods: map[string]agent.Method{"runs": agent.ListRuns, "cancelRun": agent.CancelRun}

// timed is a run in the form that clients are sent. Elapsed is [Conversation.Elapsed]. A client
// cannot compute it from the run's beginning, because its clock may be wrong.
type timed struct {
	RunInfo
	Elapsed int64 `json:"elapsed"`
}

// ListRuns answers a client with the agent's runs, newest first, and how long each has taken so
// far. Its argument, a [run.Filter], is optional. With "brief": true, the results of the runs are left
// out, because they can be large.
func ListRuns(call *Call) (any, error) {
	var f struct {
		run.Filter
		Brief bool `json:"brief"`
	}
	if call.Len() > 0 {
		if err := call.Arg(0, &f); err != nil {
			return nil, err
		}
	}
	runs := []timed{} // never null
	for _, r := range call.Runs(f.Filter) {
		if f.Brief {
			r.Summary, r.Output = "", nil
		}
		runs = append(runs, timed{r, call.Elapsed(r)})
	}
	return runs, nil
}

// InspectRun answers a client with one run, by its id, and with how long the run has taken so far.
func InspectRun(call *Call) (any, error) {
	return about(call, func(id string) (any, error) {
		r, err := call.Run(id)
		return timed{r, call.Elapsed(r)}, err
	})
}

// CancelRun stops a run, by its id.
func CancelRun(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.CancelRun(id, "the run was cancelled") })
}

// DeleteRun deletes a finished run, by its id, and wipes its helper.
func DeleteRun(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.DeleteRun(id) })
}

// ListDeadLetters answers a client with the ends of detached runs whose handlers have failed.
func ListDeadLetters(call *Call) (any, error) { return call.DeadLetters(), nil }

// RetryDeadLetter calls the handler of a dead letter again, by the run's id.
func RetryDeadLetter(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.RetryDeadLetter(id) })
}

func about(call *Call, do func(id string) (any, error)) (any, error) {
	var id string
	if err := call.Arg(0, &id); err != nil {
		return nil, err
	}
	return do(id)
}
