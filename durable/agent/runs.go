package agent

// This file has methods for pages that show an agent's runs. An agent that wants them
// lists them among its own:
//
//	Methods: map[string]agent.Method{"runs": agent.ListRuns, "cancelRun": agent.CancelRun}

// timed is a run as clients are told of it. Elapsed is [Conversation.Elapsed]: a client
// cannot reckon it from when the run began, as its clock may be wrong.
type timed struct {
	RunInfo
	Elapsed int64 `json:"elapsed"`
}

// ListRuns answers a client with the agent's runs, newest first, and how long each has
// taken so far. Its argument, a [Filter], may be missing. With "brief": true, what the
// runs have brought is left out, which can be large.
func ListRuns(call *Call) (any, error) {
	var f struct {
		Filter
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

// InspectRun answers a client with one run, by its id, and how long it has taken so far.
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

// DeleteRun forgets a run that is over, by its id, and wipes its helper.
func DeleteRun(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.DeleteRun(id) })
}

// ListDeadLetters answers a client with the ends of detached runs whose handlers have
// failed.
func ListDeadLetters(call *Call) (any, error) { return call.DeadLetters(), nil }

// RetryLetter has the handler of one called again, by the run's id.
func RetryLetter(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.RetryLetter(id) })
}

// inspect answers a client with what the agent's storage holds, in development only.
func inspect(call *Call) (any, error) { return call.Inspect() }

func about(call *Call, do func(id string) (any, error)) (any, error) {
	var id string
	if err := call.Arg(0, &id); err != nil {
		return nil, err
	}
	return do(id)
}
