package abi

import "github.com/tributary-agents/tributary/durable"

// Status is the result of a call of open or step.
type Status int

// The statuses of a [Reply].
const (
	// Done: the event has happened. The host performs the commands once the transaction has
	// committed.
	Done Status = iota
	// Unopened: this instance does not hold the object, or no longer does. The host opens it and
	// steps again.
	Unopened
	// Refused: the bytes are invalid, and nothing has happened. Reply.Error says why.
	Refused
	// Newer: the object was not opened, because a newer version of the module has written its storage.
	// Nothing has happened. Reply.Error says more.
	Newer
	// Watched is like Done. Before the next event of the object, and before its bytes are handed over, the
	// host delivers [durable.Announced] and waits until that is on the disk.
	Watched
)

// Happened says that the event has happened: the host commits, and performs the commands.
func (s Status) Happened() bool { return s == Done || s == Watched }

// Reply is what open and step return.
type Reply struct {
	Status Status
	Error  string
	// Busy says that discarding the object's in-memory part now would interrupt work.
	Busy     bool
	Commands []durable.Command
}

// Encode returns the bytes of r: a list of version, status, error, busy and the
// list of commands, each a list of its kind and the list of its fields.
func (r Reply) Encode() []byte { return r.Append(nil) }

// Append appends the bytes of r to b.
func (r Reply) Append(b []byte) []byte {
	c := codec{writing: true, w: writer{out: b}}
	c.versioned(5)
	r.fields(&c)
	return c.w.out
}

// DecodeReply decodes the bytes of [Reply.Encode]. Its error is a [VersionError], or wraps
// [ErrMalformed].
func DecodeReply(data []byte) (r Reply, err error) {
	c := codec{r: reader{data: data}}
	if guest := c.versioned(5); guest != Version {
		c.r.fail(VersionError{Host: Version, Guest: guest})
	}
	r.fields(&c)
	return r, c.end()
}

// fields walks what comes behind the version.
func (r *Reply) fields(c *codec) {
	integer(c, &r.Status)
	text(c, &r.Error)
	boolean(c, &r.Busy)
	list(c, &r.Commands)
	for i := range r.Commands {
		command(c, &r.Commands[i])
	}
}
