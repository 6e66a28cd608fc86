package durable

// Command tells the host to do something, in the imperative. The host performs commands in order,
// after the transaction of the event that they answer has committed. The set is closed: the types
// of this file.
type Command interface{ command() }

// Send sends one text message to each of the sockets. It skips a socket that is gone.
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

// Begin answers a [RequestReceived] with a status and headers, once, and opens the body as a stream
// that has the name of the request: [Emit] adds to it and [EndStream] ends it. [StreamDrained] and
// [StreamCancelled] report what its reader does. The body breaks off if the object's memory is lost
// before the end. A client that leaves while a request waits for its answer is not reported, so an
// object that must notice it begins at once.
type Begin struct {
	Request string
	Status  int
	Header  map[string]string
}

// SetAlarm sets the object's one alarm to At, in milliseconds since 1970, or removes it if At is 0.
// The alarm is durable: it goes off even if all memory is lost. An object leaves this command to
// [Alarm.Arm], which follows the schedule.
type SetAlarm struct{ At int64 }

// StartTimer asks for a [TimerFired] after a delay of After milliseconds. The timer lives in memory
// only. It replaces a timer of the same name.
type StartTimer struct {
	Timer string
	After int64
}

// StopTimer stops a timer. An unknown name is no error.
type StopTimer struct{ Timer string }

// Fetch begins an HTTP request. The answer comes as [FetchResponded], then [FetchChunk], and at the
// end [FetchEnded] or [FetchFailed].
type Fetch struct {
	Fetch  string
	Method string
	URL    string
	Header []Header
	Body   []byte
}

// bindingScheme begins the URL of a [Fetch] that calls a binding.
const bindingScheme = "binding://"

// BindingURL returns the URL of a [Fetch] that goes to a binding instead of a server: the host has
// the binding of that name run path on the body, which is JSON. The outcome comes as the events of
// any other fetch. If there is no such binding, the fetch fails, unsent.
func BindingURL(binding, path string) string { return bindingScheme + binding + "/" + path }

// Header is one header of a [Fetch]. If Secret names a secret, the host puts its value behind
// Value, so that the core can neither leak nor store it. If Value begins with "Basic ", what follows it is
// a name and a colon: the host encodes the name and the secret as HTTP wants it. A header without a name is
// none: the host puts Value and the secret, escaped as in a form, behind the body.
type Header struct {
	Name   string
	Value  string
	Secret string
}

// CancelFetch ends a fetch. No event of that fetch follows. An unknown name is no error.
type CancelFetch struct{ Fetch string }

// Call calls a facet of this object, which is a helper. The host makes the facet if it does not
// exist. The answer comes as [CallAnswered] or [CallFailed].
type Call struct {
	Call string
	To   Facet
	Data []byte
}

// Facet names a helper by a slot of its parent and the class of the object in it. A slot holds one
// class until [DeleteFacet] frees it.
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

// OpenStream begins to read a stream of a facet. The bytes come as [StreamData], and at the end
// [StreamEnded] or [StreamFailed].
type OpenStream struct {
	Stream string
	From   Facet
	Data   []byte
}

// CancelStream stops reading a stream. No event of that stream follows. An unknown name is no
// error.
type CancelStream struct{ Stream string }

// Emit appends bytes to a stream that another object has requested, or that a [Begin] has opened.
type Emit struct {
	Stream string
	Data   []byte
}

// EndStream ends a stream that another object has requested, or that a [Begin] has opened, after all
// emitted bytes.
type EndStream struct{ Stream string }

// DeleteFacet wipes a facet with all of its storage. Any class can then use its slot again.
type DeleteFacet struct{ Slot string }

// EvictFacet discards the in-memory part of a facet and of all facets below it. Their storage
// stays. Their open calls and streams fail. The next call or stream opens the facet again.
type EvictFacet struct{ Slot string }

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
func (Begin) command()        {}
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
func (EvictFacet) command()   {}
