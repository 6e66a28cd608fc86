package agent

// This file has methods for pages that show an agent's schedules. An agent that wants them
// lists them among its own:
//
//	Methods: map[string]agent.Method{"schedules": agent.ListSchedules, "cancelSchedule": agent.CancelSchedule}

// ListSchedules answers a client with the agent's schedules, the next one first, and those
// that have failed at the end.
func ListSchedules(call *Call) (any, error) { return call.Schedules(), nil }

// InspectSchedule answers a client with one schedule, by its id, payload included.
func InspectSchedule(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return call.InspectSchedule(id) })
}

// CancelSchedule takes a schedule away, by its id.
func CancelSchedule(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.CancelSchedule(id) })
}

// RetrySchedule has one that has failed tried again, by its id.
func RetrySchedule(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.RetrySchedule(id) })
}
