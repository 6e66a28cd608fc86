package mcp

// Note is a notification: [Progress], [Log], [Cancelled], [Changed], [Updated], [Acknowledged],
// [TaskChanged], [Visited] or [Ready].
type Note interface {
	// Method is the method of the notification.
	Method() string
	write(w *writer)
}

// The methods of notifications.
const (
	MethodProgress         = "notifications/progress"
	MethodLog              = "notifications/message"
	MethodCancelled        = "notifications/cancelled"
	MethodToolsChanged     = "notifications/tools/list_changed"
	MethodPromptsChanged   = "notifications/prompts/list_changed"
	MethodResourcesChanged = "notifications/resources/list_changed"
	MethodRootsChanged     = "notifications/roots/list_changed"
	MethodUpdated          = "notifications/resources/updated"
	MethodAcknowledged     = "notifications/subscriptions/acknowledged"
	MethodTaskChanged      = "notifications/tasks"
	MethodVisited          = "notifications/elicitation/complete"
	MethodReady            = "notifications/initialized"
)

// Progress says how far a request is.
type Progress struct {
	Token ID
	Done  float64
	// Total is nil if it is not known.
	Total   *float64
	Message string
}

// Method is the method of the notification.
func (Progress) Method() string { return MethodProgress }

func (n Progress) write(w *writer) {
	w.id("progressToken", n.Token)
	w.number("progress", n.Done)
	if n.Total != nil {
		w.number("total", *n.Total)
	}
	w.some("message", n.Message)
}

// Log is a log line of a server.
type Log struct {
	Level, Logger string
	Data          Value
}

// Method is the method of the notification.
func (Log) Method() string { return MethodLog }

func (n Log) write(w *writer) {
	w.text("level", n.Level)
	w.some("logger", n.Logger)
	w.value("data", n.Data)
}

// Cancelled says that the answer to a request is not wanted any more. A modern server says so of a
// [Listen] that it ends.
type Cancelled struct {
	Request ID
	Reason  string
}

// Method is the method of the notification.
func (Cancelled) Method() string { return MethodCancelled }

func (n Cancelled) write(w *writer) {
	w.id("requestId", n.Request)
	w.some("reason", n.Reason)
}

// Changed says that a list has changed.
type Changed struct {
	// What is [MethodToolsChanged], [MethodPromptsChanged], [MethodResourcesChanged] or
	// [MethodRootsChanged].
	What string
}

// Method is the method of the notification.
func (n Changed) Method() string { return n.What }
func (Changed) write(*writer)    {}

// Updated says that a resource has changed.
type Updated struct{ URI string }

// Method is the method of the notification.
func (Updated) Method() string    { return MethodUpdated }
func (n Updated) write(w *writer) { w.text("uri", n.URI) }

// Acknowledged is the first notification of a [Listen]: what of it the server will tell.
type Acknowledged struct{ Filter Filter }

// Method is the method of the notification.
func (Acknowledged) Method() string    { return MethodAcknowledged }
func (n Acknowledged) write(w *writer) { n.Filter.write(w) }

// TaskChanged tells what has become of a task.
type TaskChanged struct{ Task Task }

// Method is the method of the notification.
func (TaskChanged) Method() string    { return MethodTaskChanged }
func (n TaskChanged) write(w *writer) { n.Task.write(w) }

// Visited says that a person has done what a URL asked for, in [LegacyVersion].
type Visited struct{ ID string }

// Method is the method of the notification.
func (Visited) Method() string    { return MethodVisited }
func (n Visited) write(w *writer) { w.text("elicitationId", n.ID) }

// Ready ends the handshake of the legacy era.
type Ready struct{}

// Method is the method of the notification.
func (Ready) Method() string { return MethodReady }
func (Ready) write(*writer)  {}

// ParseNote reads a notification. It is false for one that is not known or not complete: such a one is
// ignored.
func ParseNote(m Message) (Note, bool) {
	p := m.Params
	switch m.Method {
	case MethodProgress:
		return parseProgress(p)
	case MethodLog:
		n := Log{Level: p.text("level"), Logger: p.text("logger"), Data: p.Get("data")}
		return n, levelIndex(n.Level) >= 0 && n.Data.Exists()
	case MethodCancelled:
		id, ok := ParseID(p.Get("requestId"))
		return Cancelled{Request: id, Reason: p.text("reason")}, ok
	case MethodToolsChanged, MethodPromptsChanged, MethodResourcesChanged, MethodRootsChanged:
		return Changed{What: m.Method}, true
	case MethodUpdated:
		return Updated{URI: p.text("uri")}, p.hasText("uri")
	case MethodAcknowledged:
		return Acknowledged{Filter: parseFilter(p.Get("notifications"))}, p.hasObject("notifications")
	case MethodTaskChanged:
		task, err := parseTask(p)
		return TaskChanged{Task: task}, err == nil
	case MethodVisited:
		return Visited{ID: p.text("elicitationId")}, p.hasText("elicitationId")
	case MethodReady:
		return Ready{}, true
	}
	return nil, false
}

func parseProgress(p Value) (Note, bool) {
	id, ok := ParseID(p.Get("progressToken"))
	done, isNumber := p.Get("progress").Number()
	n := Progress{Token: id, Done: done, Message: p.text("message")}
	if total, ok := p.Get("total").Number(); ok {
		n.Total = &total
	}
	return n, ok && isNumber
}

// Subscription returns the ID of the [Listen] that a notification belongs to, if it belongs to one.
func (m Message) Subscription() ID {
	id, _ := ParseID(m.Params.Get("_meta").Get(metaSubscription))
	return id
}

// EncodeNote returns a notification as a message. The ID is that of the [Listen] that it belongs to, or
// none.
func EncodeNote(note Note, subscription ID) []byte {
	w := begin(ID{})
	w.text("method", note.Method())
	w.open("params", '{')
	note.write(w)
	if subscription.Exists() {
		w.open("_meta", '{')
		w.id(metaSubscription, subscription)
		w.close('}')
	}
	w.close('}')
	w.close('}')
	return w.out
}

// Filter says what a [Listen] is about.
type Filter struct {
	Tools, Prompts, Resources bool
	// URIs are the resources whose changes are told, and Tasks the ids of tasks.
	URIs, Tasks []string
}

// maxListened bounds the URIs and the tasks of a [Filter]. Further ones are left out.
const maxListened = 256

func parseFilter(v Value) Filter {
	uris, tasks := v.Get("resourceSubscriptions").texts(), v.Get("taskIds").texts()
	return Filter{
		Tools: v.isTrue("toolsListChanged"), Prompts: v.isTrue("promptsListChanged"),
		Resources: v.isTrue("resourcesListChanged"),
		URIs:      uris[:min(len(uris), maxListened)], Tasks: tasks[:min(len(tasks), maxListened)],
	}
}

func (f Filter) write(w *writer) {
	w.open("notifications", '{')
	w.yes("toolsListChanged", f.Tools)
	w.yes("promptsListChanged", f.Prompts)
	w.yes("resourcesListChanged", f.Resources)
	if f.URIs != nil {
		w.texts("resourceSubscriptions", f.URIs)
	}
	if f.Tasks != nil {
		w.texts("taskIds", f.Tasks)
	}
	w.close('}')
}
