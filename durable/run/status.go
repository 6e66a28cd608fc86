package run

// Status is where a run stands.
type Status string

// The statuses. Completed, Failed and Aborted are final. Nothing leads to Interrupted, and
// a run that has it may still become final.
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
	// Interrupted is how a stored status reads that was damaged.
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
	Starting:    {Running, Completed, Failed, Aborted},
	Running:     {Waiting, Completed, Failed, Aborted},
	Waiting:     {Running, Completed, Failed, Aborted},
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
