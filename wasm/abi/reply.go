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
	// Busy says whether any object of the instance would be interrupted if the
	// instance were thrown away now.
	Busy     bool
	Commands []durable.Command
}

// Encode returns the bytes of r: a list of version, status, error, busy and the
// list of commands, each a kind and the list of its fields.
func (r Reply) Encode() []byte {
	version := Version
	return encode(func(c *codec) { r.fields(c, &version) })
}

// DecodeReply reads what [Reply.Encode] wrote. Its error wraps [ErrMalformed].
func DecodeReply(data []byte) (Reply, error) {
	var r Reply
	var version int
	err := decode(data, func(c *codec) { r.fields(c, &version) })
	return r, err
}

func (r *Reply) fields(c *codec, version *int) {
	c.fixed(5)
	integer(c, version)
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
