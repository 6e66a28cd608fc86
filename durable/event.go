package durable

// Event is something that has happened to an object, told to it once, in the
// past tense. The set is closed: the types of this file.
type Event interface{ event() }

// ConnID names one WebSocket for as long as it lives. It is made by the host;
// two sockets never share one, unlike the client's own _pk, which comes back
// after a reconnect while the old socket may still be around.
type ConnID string

// Opened is the first event of an in-memory object: after it was made for the
// first time, after eviction, after the instance that held it trapped. What an
// earlier value of this object had begun is gone: its timers, its fetches, and
// the requests that it had not answered.
type Opened struct {
	// Class is the name that the object's class was registered under.
	Class string
	// Name is the name that the object is addressed by, or "" where the
	// platform does not tell it (an alarm of a Durable Object).
	Name string
	// Conns are the sockets that are connected now, in no meaningful order, but
	// for the one whose SocketOpened is next.
	Conns []ConnID
	// Vars are the deployment's plain variables.
	Vars map[string]string
	// Lost says what became of the object's memory before.
	Lost Loss
	// Secrets are the names of the secrets that a [Header] can refer to. Their
	// values never enter the core.
	Secrets []string
}

// Loss says why an object is opened.
type Loss string

// The losses.
const (
	// LostQuietly is everything that is nobody's fault: the object is new, or was
	// evicted, deployed over, killed.
	LostQuietly Loss = ""
	// LostByTrap is an event of the object's own that trapped.
	LostByTrap Loss = "trap"
	// LostByMemory is one that found no memory.
	LostByMemory Loss = "memory"
)

// SocketOpened tells of a new socket, already accepted. URL is what the
// client asked for: path and query as they came, not decoded.
type SocketOpened struct {
	Conn ConnID
	URL  string
}

// SocketMessage is one whole message from a socket. Binary messages have
// their bytes in Data and Binary set; Text is then empty.
type SocketMessage struct {
	Conn   ConnID
	Text   string
	Binary bool
	Data   []byte
}

// SocketClosed tells that a socket is gone. It may be missing altogether when
// the object was away; Opened.Conns is the truth then.
type SocketClosed struct {
	Conn   ConnID
	Code   int
	Reason string
}

// RequestReceived is an HTTP request, answered by exactly one [Respond].
type RequestReceived struct {
	Request string
	Method  string
	// URL is path and query as they came, not decoded.
	URL  string
	Body []byte
}

// AlarmFired tells that the object's one alarm went off. The platform delivers
// it at least once.
type AlarmFired struct{}

// TimerFired tells that the time of a [StartTimer] is over.
type TimerFired struct{ Timer string }

// FetchResponded carries the head of the answer to a [Fetch]. Header names are
// lower case.
type FetchResponded struct {
	Fetch  string
	Status int
	Header map[string]string
}

// FetchChunk carries the next bytes of an answer's body, as they came; their
// edges mean nothing.
type FetchChunk struct {
	Fetch string
	Data  []byte
}

// FetchEnded tells that an answer's body came to its end.
type FetchEnded struct{ Fetch string }

// FetchFailed tells that a fetch brought no answer, or that its body broke
// off. Nothing more comes of it. A fetch that the object cancelled tells
// nothing at all.
type FetchFailed struct {
	Fetch string
	Error string
	// Unsent says that the request has not left: it could not be made.
	Unsent bool
}

// CallReceived is a call from another object of the tree, answered by exactly one
// [Answer]. What the bytes mean is the wire's affair.
type CallReceived struct {
	Call string
	Data []byte
}

// CallAnswered carries the answer to a [Call].
type CallAnswered struct {
	Call string
	Data []byte
}

// CallFailed tells that a [Call] brought no answer: the other object refused it,
// broke, or could not be reached. Whether it has done anything is not known.
type CallFailed struct {
	Call  string
	Error string
}

// StreamRequested tells that another object of the tree wants to read a stream of
// this one. It is fed by [Emit] and ended by [EndStream].
type StreamRequested struct {
	Stream string
	Data   []byte
}

// StreamDrained tells that everything emitted so far has been taken. A writer that
// has more to say than fits waits for it.
type StreamDrained struct{ Stream string }

// StreamCancelled tells that the reader of a stream is gone. It may be missing;
// emitting into a stream that nobody reads is no error.
type StreamCancelled struct{ Stream string }

// StreamData carries the next bytes of a stream opened by [OpenStream]; their
// edges mean nothing.
type StreamData struct {
	Stream string
	Data   []byte
}

// StreamEnded tells that a stream came to its end.
type StreamEnded struct{ Stream string }

// StreamFailed tells that a stream could not be opened, or broke off.
type StreamFailed struct {
	Stream string
	Error  string
}

func (Opened) event()          {}
func (SocketOpened) event()    {}
func (SocketMessage) event()   {}
func (SocketClosed) event()    {}
func (RequestReceived) event() {}
func (AlarmFired) event()      {}
func (TimerFired) event()      {}
func (FetchResponded) event()  {}
func (FetchChunk) event()      {}
func (FetchEnded) event()      {}
func (FetchFailed) event()     {}
func (CallReceived) event()    {}
func (CallAnswered) event()    {}
func (CallFailed) event()      {}
func (StreamRequested) event() {}
func (StreamDrained) event()   {}
func (StreamCancelled) event() {}
func (StreamData) event()      {}
func (StreamEnded) event()     {}
func (StreamFailed) event()    {}
