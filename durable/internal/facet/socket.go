package facet

import "github.com/tributary-agents/tributary/durable/wire"

// SocketRequest connects a browser's socket to a helper. It has the name of the helper's run, or a
// path to one of that helper's own helpers. Again says that the socket was connected before.
// Generation counts the uses of the helper's slot.
type SocketRequest struct {
	Conn, Name, Path string
	Again            bool
	Generation       int64
}

// MessagesRequest asks a helper for its transcript.
type MessagesRequest struct{ Generation int64 }

// CodeStale is the code of [ErrStale].
const CodeStale wire.Code = "stale"

// ErrStale is a helper's answer if it belongs to an earlier use of its slot and should have been
// wiped.
var ErrStale = &wire.Error{Code: CodeStale, Message: "the helper is to be wiped"}

// FrameRequest is a frame from such a socket, with the claims of the socket.
type FrameRequest struct{ Conn, Text, Claims string }

// TranscriptResult is the answer of get-messages. Idle says that the helper has nothing to do before
// it is woken or sent something.
type TranscriptResult struct {
	Body []byte
	Idle bool
}

// CloseFrame tells the parent to close a socket.
type CloseFrame struct {
	Code   int    `json:"code"`
	Reason string `json:"reason"`
}

// These calls and streams connect a browser's socket at a parent and its helper.
var (
	// OpenSocket streams what the helper sends to a socket.
	OpenSocket = wire.NewStream[SocketRequest]("socket.open")
	// SendFrame passes on a frame of a socket.
	SendFrame = wire.NewMethod[FrameRequest, WakeResult]("socket.frame")
	// ListMessages reads the helper's transcript.
	ListMessages = wire.NewMethod[MessagesRequest, TranscriptResult]("messages.list")
)
