package durable

// Command is something that the host shall do, in the imperative. Commands are
// performed in order, after the transaction of the event that they answer has
// committed. The set is closed: the types of this file.
type Command interface{ command() }

// Send sends one text message to each of the sockets. A socket that is gone is
// passed over.
type Send struct {
	To   []ConnID
	Text string
}

// Close closes a socket with a code and a reason of at most 123 bytes.
type Close struct {
	Conn   ConnID
	Code   int
	Reason string
}

// Respond answers a [RequestReceived], once.
type Respond struct {
	Request string
	Status  int
	Header  map[string]string
	Body    []byte
}

// SetAlarm sets the object's one alarm to At, in milliseconds since 1970, or
// takes it away when At is 0. It is durable: it goes off though everything in
// memory be lost. [Schedule] owns it.
type SetAlarm struct{ At int64 }

// StartTimer asks for a [TimerFired] after so many milliseconds. It lives in
// memory only; a timer of the same name is replaced.
type StartTimer struct {
	Timer string
	After int64
}

// StopTimer forgets a timer; unknown names are no error.
type StopTimer struct{ Timer string }

// Fetch begins an HTTP request. The answer comes as [FetchResponded],
// [FetchChunk] and at last [FetchEnded] or [FetchFailed].
type Fetch struct {
	Fetch  string
	Method string
	URL    string
	Header []Header
	Body   []byte
}

// bindingScheme begins the URL of a [Fetch] that asks a binding.
const bindingScheme = "binding://"

// BindingURL is the URL of a [Fetch] that goes to no server: the host has the binding of
// that name run path on the body, which is JSON. What comes of it is told like any
// other answer. A binding that is not there fails the fetch, unsent.
func BindingURL(binding, path string) string { return bindingScheme + binding + "/" + path }

// Header is one header of a [Fetch]. Where Secret names a secret, the host puts
// its value behind Value, so that the core can neither leak nor store it.
type Header struct {
	Name   string
	Value  string
	Secret string
}

// CancelFetch ends a fetch. No event of it follows; unknown names are no error.
type CancelFetch struct{ Fetch string }

// Call calls a facet of this object: a helper, which is made when it is not there
// yet. The answer comes as [CallAnswered] or [CallFailed].
type Call struct {
	Call string
	To   Facet
	Data []byte
}

// Facet names a helper: a slot of its parent, and the class that lives in it. A
// slot holds one class until [DeleteFacet] frees it.
type Facet struct {
	Slot  string
	Class string
}

// Answer answers a [CallReceived], once: with Data, or with an Error in words.
type Answer struct {
	Call  string
	Data  []byte
	Error string
}

// OpenStream begins to read a stream of a facet. It comes as [StreamData] and at
// last [StreamEnded] or [StreamFailed].
type OpenStream struct {
	Stream string
	From   Facet
	Data   []byte
}

// CancelStream ends the reading of a stream. No event of it follows; unknown names
// are no error.
type CancelStream struct{ Stream string }

// Emit adds bytes to a stream that was requested of this object.
type Emit struct {
	Stream string
	Data   []byte
}

// EndStream ends a stream that was requested of this object, behind everything
// that was emitted.
type EndStream struct{ Stream string }

// DeleteFacet wipes a facet with all of its storage. Its slot can then be used
// again, by any class.
type DeleteFacet struct{ Slot string }

// Log is one line for the deployment's log.
type Log struct {
	Level   Level
	Message string
	// Fields are pairs of key and value.
	Fields []string
}

// Level says how much a log line matters.
type Level string

// The levels of a [Log], as consoles name them.
const (
	Debug Level = "debug"
	Info  Level = "info"
	Warn  Level = "warn"
	Error Level = "error"
)

func (Send) command()         {}
func (Close) command()        {}
func (Respond) command()      {}
func (SetAlarm) command()     {}
func (StartTimer) command()   {}
func (StopTimer) command()    {}
func (Fetch) command()        {}
func (CancelFetch) command()  {}
func (Log) command()          {}
func (Call) command()         {}
func (Answer) command()       {}
func (OpenStream) command()   {}
func (CancelStream) command() {}
func (Emit) command()         {}
func (EndStream) command()    {}
func (DeleteFacet) command()  {}
