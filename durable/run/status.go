package run

// Status is the status of a run.
type Status string

// The statuses. Completed, Failed and Aborted are final. No status changes to Interrupted, and an
// interrupted run may still become final.
const (
	// Starting runs wait for a slot, or for their helper to take them.
	Starting Status = "starting"
	// Running runs are at work.
	Running Status = "running"
	// Waiting runs wait for a person's approval.
	Waiting Status = "waiting"
	// Paused runs were paused, whatever they did before: they begin nothing until they are resumed.
	Paused Status = "paused"
	// Completed runs have a result.
	Completed Status = "completed"
	// Failed runs have an error.
	Failed Status = "error"
	// Aborted runs were cancelled.
	Aborted Status = "aborted"
	// Interrupted is what a damaged stored status reads as.
	Interrupted Status = "interrupted"
)

// Final says whether a run of this status has ended for good.
func (s Status) Final() bool {
	switch s {
	case Completed, Failed, Aborted:
		return true
	}
	return false
}

// follows lists the statuses that each status can change to.
var follows = map[Status][]Status{
	Starting:    {Running, Paused, Completed, Failed, Aborted},
	Running:     {Waiting, Paused, Completed, Failed, Aborted},
	Waiting:     {Running, Paused, Completed, Failed, Aborted},
	Paused:      {Starting, Running, Completed, Failed, Aborted},
	Interrupted: {Running, Waiting, Paused, Completed, Failed, Aborted},
}

// statusOf reads a stored status. An unknown one is damaged; the run may still end.
func statusOf(stored string) Status {
	if s := Status(stored); s.Final() || follows[s] != nil {
		return s
	}
	return Interrupted
}
