package protocol

// Limits are the sizes that a browser's frames are held to, in bytes unless
// said otherwise. A frame beyond one gets an error; nothing is changed by it.
var Limits = struct {
	// Frame is a whole frame. A client posts its whole list with every request, so this
	// bounds what it can be shown, too.
	Frame int
	// Message is one message, so that it fits into a row of storage.
	Message int
	// State is an agent's state.
	State int
	// ID is any id that a client makes: of a request, a message, a probe, a call.
	ID int
	// Messages is the number of messages in a frame, Parts that of a message.
	Messages, Parts int
	// Args is the number of arguments of a call, Tools that of a browser's tools.
	Args, Tools int
}{
	Frame:    4 << 20,
	Message:  1_800_000,
	State:    1_000_000,
	ID:       128,
	Messages: 10_000,
	Parts:    2_000,
	Args:     64,
	Tools:    128,
}
