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
)

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
func (r Reply) Append(b []byte) []byte { return encode(b, r.fields) }

// DecodeReply decodes the bytes of [Reply.Encode]. Its error is a [VersionError], or wraps
// [ErrMalformed].
func DecodeReply(data []byte) (Reply, error) {
	var r Reply
	err := decode(data, r.fields)
	return r, err
}

func (r *Reply) fields(c *codec) {
	c.versioned(5, func(guest int) VersionError { return VersionError{Host: Version, Guest: guest} })
	integer(c, &r.Status)
	text(c, &r.Error)
	boolean(c, &r.Busy)
	list(c, &r.Commands, command)
}

func command(c *codec, m *durable.Command) {
	c.fixed(2)
	if c.enc != nil {
		kind, body := commandBody(*m)
		integer(c, &kind)
		body.fields(c)
		return
	}
	var kind int
	integer(c, &kind)
	if c.err == nil {
		*m, c.err = decodeCommand(c, kind)
	}
}
