package agent

// This file has methods for pages that show an agent's schedules. An agent that wants them
// lists them among its own:
//
//	Methods: map[string]agent.Method{"schedules": agent.ListSchedules, "cancelSchedule": agent.CancelSchedule}

// ListSchedules answers a client with the agent's schedules in the order in which they are due, and
// failed ones at the end.
func ListSchedules(call *Call) (any, error) { return call.Schedules(), nil }

// InspectSchedule answers a client with one schedule, by its id, including the payload.
func InspectSchedule(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return call.InspectSchedule(id) })
}

// CancelSchedule removes a schedule, by its id.
func CancelSchedule(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.CancelSchedule(id) })
}

// RetrySchedule has a failed schedule tried again at once, by its id.
func RetrySchedule(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.RetrySchedule(id) })
}
