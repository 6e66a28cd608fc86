package agent

// This file is about turns that code requests, with [Conversation.RunTurn] in a hook or a handler,
// [Context.RunTurn] in a tool, and [Call.RunTurn] in a method. Only a method can wait for the turn.
// The methods below are for pages. An agent that offers them lists them among its own:
//
//	Methods: map[string]agent.Method{"runTurn": agent.RunTurn, "cancelSubmission": agent.CancelSubmission}

// RunTurn has the model answer a message. Its argument is a [TurnRequest], whose mode says when the
// client is answered. The answer is always a [Submission].
func RunTurn(call *Call) (any, error) {
	var r TurnRequest
	if err := call.Arg(0, &r); err != nil {
		return nil, err
	}
	return call.RunTurn(r)
}

// SubmitTurn is [RunTurn] in the mode submit. It ignores the client's mode.
func SubmitTurn(call *Call) (any, error) {
	var r TurnRequest
	if err := call.Arg(0, &r); err != nil {
		return nil, err
	}
	r.Mode = Submit
	return call.RunTurn(r)
}

// ListSubmissions answers a client with the agent's submissions, newest first. Its argument, a
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

// InspectSubmission answers a client with one submission, by its id.
func InspectSubmission(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return call.Submission(id) })
}

// CancelSubmission stops the turn of a submission, by its id.
func CancelSubmission(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.CancelSubmission(id) })
}
