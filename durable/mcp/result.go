package mcp

import "reflect"

// Result is what answers a request: one of [Done], [Discovered], [Initialized], [Tools], [Prompts],
// [Resources], [Templates], [CallResult], [PromptResult], [ReadResult], [Completion], [InputRequired],
// [TaskCreated], [TaskState] and [Listened].
type Result interface {
	// resultType is how a modern answer says what it is.
	resultType() string
}

// The types of results.
const (
	typeComplete = "complete"
	typeInput    = "input_required"
	typeTask     = "task"
)

// final is a part of results that end a request.
type final struct{}

func (final) resultType() string { return typeComplete }

// Done is the answer to a request that only wants to know that it has arrived.
type Done struct{ final }

// Cache says how long a modern answer stays good. The zero Cache says nothing: the answer is stale at
// once.
type Cache struct {
	// TTL is in milliseconds.
	TTL int64
	// Public says that the answer is the same for everybody.
	Public bool
}

// maxTTL is the largest TTL that is believed: a day, in milliseconds.
const maxTTL = 24 * 60 * 60 * 1000

func (c *Cache) decode(v Value) bool {
	ttl, _ := v.Get("ttlMs").Integer()
	*c = Cache{TTL: min(max(ttl, 0), maxTTL), Public: v.text("cacheScope") == "public"}
	return true
}

func (c Cache) encode(w *writer, _ string) {
	scope := "private"
	if c.Public {
		scope = "public"
	}
	w.integer("ttlMs", c.TTL)
	w.text("cacheScope", scope)
}

// Discovered is what a modern server is.
type Discovered struct {
	final
	Versions     []string           `mcp:"supportedVersions,need"`
	Capabilities ServerCapabilities `mcp:"capabilities,need"`
	Instructions string             `mcp:"instructions,omit"`
	Cache        Cache              `mcp:""`
	// Server is read only. [EncodeResult] writes the server's info into every answer.
	Server Info
}

// ParseDiscovered reads the answer to [Discover].
func ParseDiscovered(v Value) (r Discovered, err error) {
	_ = decode(v, &r)
	r.Server = parseInfo(v.Get("_meta").Get(metaServer))
	if r.Versions == nil || !v.hasObject("capabilities") {
		return r, errDiscovered
	}
	return r, nil
}

// Initialized is what a legacy server is.
type Initialized struct {
	final
	Version      string             `mcp:"protocolVersion"`
	Capabilities ServerCapabilities `mcp:"capabilities"`
	Server       Info               `mcp:"serverInfo"`
	Instructions string             `mcp:"instructions,omit"`
}

// ParseInitialized reads the answer to [Initialize]. A version that is not spoken here is an error.
func ParseInitialized(v Value) (r Initialized, err error) {
	_ = decode(v, &r)
	if Modern(r.Version) || Choose([]string{r.Version}) == "" {
		return r, errInitialized
	}
	return r, nil
}

// Completion is what an argument could be.
type Completion struct {
	final
	// Values are at most 100.
	Values []string `mcp:"values,need"`
	// Total is how many there are in all, if it is known.
	Total *int64 `mcp:"total"`
	// More says that there are more than those in Values.
	More bool `mcp:"hasMore"`
}

// maxCompletions is the number of values in a [Completion].
const maxCompletions = 100

func (r Completion) encode(w *writer, _ string) {
	if len(r.Values) > maxCompletions {
		r.Values, r.More = r.Values[:maxCompletions], true
	}
	w.open("completion", '{')
	w.structure(reflect.ValueOf(r))
	w.close('}')
}

// ParseCompletion reads the answer to [Complete].
func ParseCompletion(v Value) (r Completion, err error) {
	_ = decode(v.Get("completion"), &r)
	if r.Values == nil {
		return r, errCompletion
	}
	r.Values = r.Values[:min(len(r.Values), maxCompletions)]
	return r, nil
}

// Listened ends a stream of notifications.
type Listened struct {
	final
	// Subscription is the ID of the [Listen].
	Subscription ID
}

// EncodeResult returns the answer to a request in a version. A modern answer says what server it is of.
func EncodeResult(id ID, version string, server Info, result Result) []byte {
	w := begin(id)
	w.open("result", '{')
	if Modern(version) {
		w.text("resultType", result.resultType())
		listened, _ := result.(Listened)
		if server.Name != "" || listened.Subscription.Exists() {
			w.open("_meta", '{')
			server.write(w, metaServer)
			w.id(metaSubscription, listened.Subscription)
			w.close('}')
		}
	}
	w.fields(result)
	w.close('}')
	w.close('}')
	return w.out
}

// EncodeError returns the answer to a request that has failed. The ID is none if it is not known.
func EncodeError(id ID, e *Error) []byte {
	w := begin(id)
	e.write(w)
	w.close('}')
	return w.out
}

// The errors of results that are not what they must be.
const (
	errDiscovered  failure = "mcp: the answer to server/discover has no versions or capabilities"
	errInitialized failure = "mcp: the server speaks no version of the protocol that is spoken here"
	errCompletion  failure = "mcp: the completion has no values"
	errPage        failure = "mcp: the page has no list"
	errContent     failure = "mcp: the result has no content"
	errResultType  failure = "mcp: the result is of a type that was not agreed on"
	errInput       failure = "mcp: the server asks for input, and neither asks a question nor gives a state"
	errTask        failure = "mcp: the task has no id or an unknown status"
)
