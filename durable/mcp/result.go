package mcp

// Result is what answers a request: one of [Done], [Discovered], [Initialized], [Tools], [Prompts],
// [Resources], [Templates], [CallResult], [PromptResult], [ReadResult], [Completion], [InputRequired],
// [TaskCreated], [TaskState] and [Listened].
type Result interface {
	// resultType is how a modern answer says what it is.
	resultType() string
	write(w *writer)
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

func (Done) write(*writer) {}

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

func parseCache(v Value) Cache {
	ttl, _ := v.Get("ttlMs").Integer()
	return Cache{TTL: min(max(ttl, 0), maxTTL), Public: v.text("cacheScope") == "public"}
}

func (c Cache) write(w *writer) {
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
	Cache        Cache
	Versions     []string
	Capabilities ServerCapabilities
	Instructions string
	// Server is read only. [EncodeResult] writes the server's info into every answer.
	Server Info
}

func (r Discovered) write(w *writer) {
	w.texts("supportedVersions", r.Versions)
	r.Capabilities.write(w)
	w.some("instructions", r.Instructions)
	r.Cache.write(w)
}

// ParseDiscovered reads the answer to [Discover].
func ParseDiscovered(v Value) (Discovered, error) {
	r := Discovered{
		Cache: parseCache(v), Versions: v.Get("supportedVersions").texts(), Instructions: v.text("instructions"),
		Capabilities: parseServerCapabilities(v.Get("capabilities")), Server: parseInfo(v.Get("_meta").Get(metaServer)),
	}
	if r.Versions == nil || !v.hasObject("capabilities") {
		return r, errDiscovered
	}
	return r, nil
}

// Initialized is what a legacy server is.
type Initialized struct {
	final
	Version      string
	Capabilities ServerCapabilities
	Instructions string
	Server       Info
}

func (r Initialized) write(w *writer) {
	w.text("protocolVersion", r.Version)
	r.Capabilities.write(w)
	r.Server.write(w, "serverInfo")
	w.some("instructions", r.Instructions)
}

// ParseInitialized reads the answer to [Initialize]. A version that is not spoken here is an error.
func ParseInitialized(v Value) (Initialized, error) {
	r := Initialized{
		Version: v.text("protocolVersion"), Instructions: v.text("instructions"),
		Capabilities: parseServerCapabilities(v.Get("capabilities")), Server: parseInfo(v.Get("serverInfo")),
	}
	if Modern(r.Version) || Choose([]string{r.Version}) == "" {
		return r, errInitialized
	}
	return r, nil
}

// Completion is what an argument could be.
type Completion struct {
	final
	// Values are at most 100.
	Values []string
	// Total is how many there are in all, if it is known.
	Total *int64
	// More says that there are more than those in Values.
	More bool
}

// maxCompletions is the number of values in a [Completion].
const maxCompletions = 100

func (r Completion) write(w *writer) {
	w.open("completion", '{')
	w.texts("values", r.Values[:min(len(r.Values), maxCompletions)])
	if r.Total != nil {
		w.integer("total", *r.Total)
	}
	w.yes("hasMore", r.More || len(r.Values) > maxCompletions)
	w.close('}')
}

// ParseCompletion reads the answer to [Complete].
func ParseCompletion(v Value) (Completion, error) {
	c := v.Get("completion")
	if !c.Get("values").IsList() {
		return Completion{}, errCompletion
	}
	r := Completion{Values: c.Get("values").texts(), More: c.isTrue("hasMore")}
	r.Values = r.Values[:min(len(r.Values), maxCompletions)]
	if total, ok := c.Get("total").Integer(); ok {
		r.Total = &total
	}
	return r, nil
}

// Listened ends a stream of notifications.
type Listened struct {
	final
	// Subscription is the ID of the [Listen].
	Subscription ID
}

func (Listened) write(*writer) {}

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
	result.write(w)
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
