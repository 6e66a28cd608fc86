package protocol

import "github.com/tributary-agents/tributary/durable/limit"

// Limits are the limits on a browser's frames, in bytes unless said otherwise. Package limit
// describes each one and how its sender is told. A frame beyond a limit gets an error and changes
// nothing.
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
