package run

// Status is where a run stands.
type Status string

// The statuses. Completed, Failed and Aborted are final. Interrupted is soft: the
// parent has stopped waiting, and the run may still become final.
const (
	// Starting runs wait for a slot, or for their helper to take them.
	Starting Status = "starting"
	// Running runs are at work.
	Running Status = "running"
	// Waiting runs wait for a person's approval.
	Waiting Status = "waiting"
	// Completed runs have a result.
	Completed Status = "completed"
	// Failed runs have an error.
	Failed Status = "error"
	// Aborted runs were cancelled.
	Aborted Status = "aborted"
	// Interrupted runs have no parent that waits for them.
	Interrupted Status = "interrupted"
)

// Final says whether nothing more happens to a run of this status.
func (s Status) Final() bool {
	switch s {
	case Completed, Failed, Aborted:
		return true
	}
	return false
}

// follows lists what a status can become.
var follows = map[Status][]Status{
	Starting:    {Running, Completed, Failed, Aborted, Interrupted},
	Running:     {Waiting, Completed, Failed, Aborted, Interrupted},
	Waiting:     {Running, Completed, Failed, Aborted, Interrupted},
	Interrupted: {Running, Waiting, Completed, Failed, Aborted},
}

// statusOf reads a stored status. One that is none was damaged, and whatever has
// become of the run, it may still end.
func statusOf(stored string) Status {
	if s := Status(stored); s.Final() || follows[s] != nil {
		return s
	}
	return Interrupted
}
