package limit

// Sockets: what those of one conversation may cost. A second begins with its first frame, by the time
// of events.
const (
	// SocketFrames is how many frames a socket may send in a second, and SocketUp their size in bytes.
	// SocketDown is how many bytes it is sent in answer. Beyond one of them the socket is closed with
	// 1008.
	SocketFrames, SocketUp, SocketDown = 100, 8 << 20, 16 << 20
	// ConversationFrames, ConversationUp and ConversationDown bound all sockets of a conversation.
	// Beyond one of them those sockets are closed that take more than their share, see package audience.
	ConversationFrames, ConversationUp, ConversationDown = 300, 16 << 20, 32 << 20
	// PersonRequests is how many requests over HTTP a person may send in a second, and ConversationRequests how many all
	// may. Their bytes, and those of their answers, are bounded like those of a socket and of all sockets. Beyond, a
	// request is answered with 429.
	PersonRequests, ConversationRequests = 300, 1_000
	// EventDown is how many bytes one event sends to many sockets. The other sockets are sent the newest
	// state, message or transcript later. They get no further words of an answer before it has ended.
	EventDown = 8 << 20
	// Shows is how many states, or transcripts, a socket is sent in a second. Later ones replace each
	// other, and the newest is sent.
	Shows = 5
	// SocketLines is how many lines the frames of a socket write to the log in an hour, and
	// ConversationLines those of all sockets and requests. Further lines are counted.
	SocketLines, ConversationLines = 10, 100
)
