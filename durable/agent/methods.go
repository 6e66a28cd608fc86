package agent

import "github.com/tributary-agents/tributary/durable/run"

// This file has methods for pages that show and manage an agent's runs, turns and schedules. An
// agent offers none of them by itself. It lists the ones that it wants under names of its choice:
//
//	Methods: map[string]agent.Method{"runs": agent.ListRuns, "cancelRun": agent.CancelRun}
//
// An argument that is an id is text.
//
// Each of them works for the claims of its caller, and asks for no scope of its own: [Require] does. What
// begins something says below for whom that works. Nothing that a caller begins again has more scopes than
// the caller, or more than what is begun again has had.

// timed is a run in the form that clients are sent. Elapsed is [Conversation.Elapsed]. A client
// cannot compute it from the run's beginning, because its clock may be wrong.
type timed struct {
	RunInfo
	Elapsed int64 `json:"elapsed"`
}

// ListRuns is a [Method] that returns the agent's runs, newest first, and how long each has taken
// so far, in milliseconds. Its argument, a [run.Filter], is optional. With "brief": true in it, the
// results of the runs are left out, because they can be large. With "page": true, or a cursor, the
// answer is {"runs": […], "cursor": "…"}, as a [RunPage]; otherwise it is the list alone.
func ListRuns(call *Call) (any, error) {
	var f struct {
		run.Filter
		Brief bool `json:"brief"`
		Page  bool `json:"page"`
	}
	if call.Len() > 0 {
		if err := call.Arg(0, &f); err != nil {
			return nil, err
		}
	}
	page, err := call.Conversation.ListRuns(f.Filter)
	if err != nil {
		return nil, err
	}
	asPage := f.Page || f.Cursor != ""
	if !asPage {
		page.Runs = call.Runs(f.Filter)
	}
	runs := []timed{} // never null
	for _, r := range page.Runs {
		if f.Brief {
			r.Summary, r.Output = "", nil
		}
		runs = append(runs, timed{r, call.Elapsed(r)})
	}
	if !asPage {
		return runs, nil
	}
	return struct {
		Runs   []timed `json:"runs"`
		Cursor string  `json:"cursor,omitempty"`
	}{runs, page.Cursor}, nil
}

// InspectRun is a [Method] that returns one run, by its id, and how long it has taken so far, in
// milliseconds.
func InspectRun(call *Call) (any, error) {
	return about(call, func(id string) (any, error) {
		r, err := call.Run(id)
		return timed{r, call.Elapsed(r)}, err
	})
}

// CancelRun is a [Method] that stops a run, by its id, whoever has begun it. It begins nothing for the
// caller. The hook [Agent.AfterRun] and the run's handler are called, for the claims of the run.
func CancelRun(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.CancelRun(id, "the run was cancelled") })
}

// DeleteRun is a [Method] that deletes a finished run, by its id, and wipes its helper, whoever has begun
// it. It begins nothing.
func DeleteRun(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.DeleteRun(id) })
}

// ListDeadLetters is a [Method] that returns the dead letters: the ends of detached runs whose
// handlers have failed.
func ListDeadLetters(call *Call) (any, error) { return call.DeadLetters(), nil }

// RetryDeadLetter is a [Method] that calls the handler of a dead letter again, by the run's id. What the
// handler begins works for the caller, with the scopes that the run has as well.
func RetryDeadLetter(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.RetryDeadLetter(id) })
}

// RunTurn is a [Method] that has the model answer a message. Its argument is a [TurnRequest], whose
// mode says when the client is answered. The answer is always a [Submission]. The turn works for the
// claims of the caller.
func RunTurn(call *Call) (any, error) {
	var r TurnRequest
	if err := call.Arg(0, &r); err != nil {
		return nil, err
	}
	return call.RunTurn(r)
}

// SubmitTurn is [RunTurn] in the mode submit, for the claims of the caller. It ignores the client's mode.
func SubmitTurn(call *Call) (any, error) {
	var r TurnRequest
	if err := call.Arg(0, &r); err != nil {
		return nil, err
	}
	r.Mode = Submit
	return call.RunTurn(r)
}

// ListSubmissions is a [Method] that returns the agent's submissions, newest first. Its argument, a
// [SubmissionFilter], is optional.
func ListSubmissions(call *Call) (any, error) {
	var f SubmissionFilter
	if call.Len() > 0 {
		if err := call.Arg(0, &f); err != nil {
			return nil, err
		}
	}
	return call.Submissions(f)
}

// InspectSubmission is a [Method] that returns one submission, by its id.
func InspectSubmission(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return call.Submission(id) })
}

// CancelSubmission is a [Method] that stops the turn of a submission, by its id, whoever has submitted it.
// It begins nothing.
func CancelSubmission(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.CancelSubmission(id) })
}

// ListSchedules is a [Method] that returns the agent's schedules in the order in which they are
// due, and failed ones at the end.
func ListSchedules(call *Call) (any, error) { return call.Schedules(), nil }

// InspectSchedule is a [Method] that returns one schedule, by its id, including the payload.
func InspectSchedule(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return call.InspectSchedule(id) })
}

// CancelSchedule is a [Method] that removes a schedule, by its id, whoever has made it. It begins nothing.
func CancelSchedule(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.CancelSchedule(id) })
}

// RetrySchedule is a [Method] that has a failed schedule tried again at once, by its id. What its callback
// begins from then on works for the caller, with the scopes that the schedule had as well, also if the
// schedule is repeated.
func RetrySchedule(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.RetrySchedule(id) })
}

// about calls a function with the id that is the only argument.
func about(call *Call, do func(id string) (any, error)) (any, error) {
	var id string
	if err := call.Arg(0, &id); err != nil {
		return nil, err
	}
	return do(id)
}
