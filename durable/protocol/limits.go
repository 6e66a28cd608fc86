package protocol

import "github.com/tributary-agents/tributary/durable/limit"

// Limits are what a browser's frames are held to, in bytes unless said otherwise; package limit
// says what each is, and what its sender is told. A frame beyond one gets an error; nothing is
// changed by it.
var Limits = struct {
	Frame, Message, State, ID, Call, ClientTools  int
	Messages, Fresh, Parts, Args, Tools, Elements int
}{
	Frame:       limit.Frame,
	Message:     limit.Message,
	State:       limit.State,
	ID:          limit.ID,
	Call:        limit.Call,
	ClientTools: limit.ClientTools,
	Messages:    limit.Messages,
	Fresh:       limit.Fresh,
	Parts:       limit.Parts,
	Args:        limit.Args,
	Tools:       limit.Tools,
	Elements:    limit.Elements,
}
