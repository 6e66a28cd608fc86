package abi

import "github.com/tributary-agents/tributary/durable"

// Status says what became of a call of open or step.
type Status int

// The statuses of a [Reply].
const (
	// Done: the event has happened; the commands are to be performed once the
	// transaction has committed.
	Done Status = iota
	// Unopened: this instance holds no such object (any more). The host opens it
	// and steps again.
	Unopened
	// Refused: the bytes were not understood; nothing has happened. Reply.Error
	// says why.
	Refused
)

// Reply is what open and step return.
type Reply struct {
	Status Status
	Error  string
	// Busy says whether something would be interrupted if the object's in-memory
	// part were thrown away now.
	Busy     bool
	Commands []durable.Command
}

// Encode returns the bytes of r: a list of version, status, error, busy and the
// list of commands, each a list of its kind and the list of its fields.
func (r Reply) Encode() []byte { return r.Append(nil) }

// Append writes the bytes of r behind what b holds.
func (r Reply) Append(b []byte) []byte { return encode(b, r.fields) }

// DecodeReply reads what [Reply.Encode] wrote. Its error is a [VersionError], or
// wraps [ErrMalformed].
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
