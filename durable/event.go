package durable

// Event is something that has happened, in the past tense. An object receives it once. The set is
// closed: the types of this file.
type Event interface{ event() }

// ConnID names one WebSocket for as long as it lives. The host makes it. Two sockets never share
// one. The client's own _pk is different: it comes back after a reconnect, while the old socket may
// still exist.
type ConnID string

// Opened is the first event of an in-memory object: after the object was made for the first time,
// after eviction, or after its instance trapped. Everything that an earlier value of this object
// had begun is gone: its timers, its fetches, and the requests that it had not answered.
type Opened struct {
	// Class is the name that the object's class was registered under.
	Class string
	// Name is the name that the object is addressed by, or "" if the platform does not give it (an
	// alarm of a Durable Object).
	Name string
	// Conns are the sockets that are connected now, in no meaningful order, without the one whose
	// SocketOpened comes next.
	Conns []ConnID
	// Vars are the deployment's plain variables.
	Vars map[string]string
	// Lost says how the object's previous memory was lost.
	Lost Loss
	// Secrets are the names of the secrets that a [Header] can refer to. Their
	// values never enter the core.
	Secrets []string
}

// Loss says why an object is opened.
type Loss string

// The losses.
const (
	// LostQuietly is a loss that no event caused: the object is new, or it was evicted, replaced by
	// a deployment or killed.
	LostQuietly Loss = ""
	// LostByTrap means that an event of this object trapped.
	LostByTrap Loss = "trap"
	// LostByMemory means that an event of this object ran out of memory.
	LostByMemory Loss = "memory"
	// LostBetween is a loss that another object caused, between the announcement of an event and the
	// event.
	LostBetween Loss = "between"
	// LostInEvent means that the process ended while an event of this object ran. No host says so: the
	// object knows it by an announcement without an end, see [Load].
	LostInEvent Loss = "event"
)

// The timers by which the host of a watched object speaks, see [Load].
const (
	// Announced comes before each event of the object. The host delivers the event when the transaction
	// of the announcement is on the disk.
	Announced = "announced"
	// Resumed comes after Opened, and has the work go on that was under way. It is announced as well.
	Resumed = "resumed"
)

// SocketOpened reports a new socket, already accepted. URL is what the client asked for: path and
// query as they came, not decoded.
type SocketOpened struct {
	Conn ConnID
	URL  string
	// Header has the headers of the request that a host passes on, as in [RequestReceived].
	Header map[string]string
	// Claims says who has opened the socket, as in [RequestReceived].
	Claims string
}

// SocketMessage is one whole message from a socket. Binary messages have
// their bytes in Data and Binary set; Text is then empty.
type SocketMessage struct {
	Conn   ConnID
	Text   string
	Binary bool
	Data   []byte
	// Claims are those of the socket's SocketOpened. The host keeps them with the socket, so they come
	// with each message, after any loss of the object's memory too.
	Claims string
}

// SocketClosed reports that a socket is gone. The event may never come if the object was not in
// memory; Opened.Conns is authoritative then.
type SocketClosed struct {
	Conn   ConnID
	Code   int
	Reason string
}

// RequestReceived is an HTTP request, answered by exactly one [Respond], or by one [Begin] and the
// stream that it opens.
type RequestReceived struct {
	Request string
	Method  string
	// URL is path and query as they came, not decoded.
	URL  string
	Body []byte
	// Header has the headers that a host passes on, names in lower case: a short list of the ABI, in
	// which neither authorization nor cookie is.
	Header map[string]string
	// Claims is what the front door has verified about the sender: a JSON object with sub, scopes and
	// exp. It is "" in development, where everything is granted.
	Claims string
}

// AlarmFired reports that the object's one alarm went off. The platform delivers it at least once.
type AlarmFired struct{}

// TimerFired reports that the delay of a [StartTimer] is over.
type TimerFired struct{ Timer string }

// FetchResponded carries the head of the answer to a [Fetch]. Header names are
// lower case.
type FetchResponded struct {
	Fetch  string
	Status int
	Header map[string]string
}

// FetchChunk carries the next bytes of an answer's body, as they came. Chunk boundaries mean
// nothing.
type FetchChunk struct {
	Fetch string
	Data  []byte
}

// FetchEnded reports that an answer's body is complete.
type FetchEnded struct{ Fetch string }

// FetchFailed reports that a fetch brought no answer, or that its body broke off. No event of that
// fetch follows. A fetch that the object cancelled has no event at all.
type FetchFailed struct {
	Fetch string
	Error string
	// Unsent says that the request was never sent, because it could not be made.
	Unsent bool
}

// CallReceived is a call from another object of the tree, answered by exactly one [Answer]. Package
// wire defines what the bytes mean.
type CallReceived struct {
	Call string
	Data []byte
}

// CallAnswered carries the answer to a [Call].
type CallAnswered struct {
	Call string
	Data []byte
}

// CallFailed reports that a [Call] brought no answer: the other object refused it, broke, or could
// not be reached. It is unknown whether the other object has done anything.
type CallFailed struct {
	Call  string
	Error string
}

// StreamRequested reports that another object of the tree wants to read a stream of this one.
// [Emit] adds to the stream and [EndStream] ends it.
type StreamRequested struct {
	Stream string
	Data   []byte
}

// StreamDrained reports that the reader has taken all bytes emitted so far. A writer that has more
// to send than the buffer holds waits for it. The stream that a [Begin] has opened is named by its
// request.
type StreamDrained struct{ Stream string }

// StreamCancelled reports that the reader of a stream is gone. The event may never come. Emitting
// to a stream without a reader is no error. The stream that a [Begin] has opened is named by its
// request.
type StreamCancelled struct{ Stream string }

// StreamData carries the next bytes of a stream opened by [OpenStream]. Their boundaries mean
// nothing.
type StreamData struct {
	Stream string
	Data   []byte
}

// StreamEnded reports that a stream is complete.
type StreamEnded struct{ Stream string }

// StreamFailed reports that a stream could not be opened, or broke off.
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
