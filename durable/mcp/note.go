package mcp

import "reflect"

// Note is a notification: [Progress], [Log], [Cancelled], [Changed], [Updated], [Acknowledged],
// [TaskChanged], [Visited] or [Ready].
type Note interface {
	// Method is the method of the notification.
	Method() string
	note()
}

// noted is a part of every notification.
type noted struct{}

func (noted) note() {}

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
	noted
	Token ID      `mcp:"progressToken,need"`
	Done  float64 `mcp:"progress,need"`
	// Total is nil if it is not known.
	Total   *float64 `mcp:"total"`
	Message string   `mcp:"message,omit"`
}

// Method is the method of the notification.
func (Progress) Method() string { return MethodProgress }

// Log is a log line of a server.
type Log struct {
	noted
	Level  string `mcp:"level,need"`
	Logger string `mcp:"logger,omit"`
	Data   Value  `mcp:"data,need"`
}

// Method is the method of the notification.
func (Log) Method() string { return MethodLog }

// Cancelled says that the answer to a request is not wanted any more. A modern server says so of a
// [Listen] that it ends.
type Cancelled struct {
	noted
	Request ID     `mcp:"requestId,need"`
	Reason  string `mcp:"reason,omit"`
}

// Method is the method of the notification.
func (Cancelled) Method() string { return MethodCancelled }

// Changed says that a list has changed.
type Changed struct {
	noted
	// What is [MethodToolsChanged], [MethodPromptsChanged], [MethodResourcesChanged] or
	// [MethodRootsChanged].
	What string
}

// Method is the method of the notification.
func (n Changed) Method() string { return n.What }

// Updated says that a resource has changed.
type Updated struct {
	noted
	URI string `mcp:"uri,need"`
}

// Method is the method of the notification.
func (Updated) Method() string { return MethodUpdated }

// Acknowledged is the first notification of a [Listen]: what of it the server will tell.
type Acknowledged struct {
	noted
	Filter Filter `mcp:"notifications,need"`
}

// Method is the method of the notification.
func (Acknowledged) Method() string { return MethodAcknowledged }

// TaskChanged tells what has become of a task.
type TaskChanged struct {
	noted
	Task Task `mcp:""`
}

// Method is the method of the notification.
func (TaskChanged) Method() string { return MethodTaskChanged }

// Visited says that a person has done what a URL asked for, in [LegacyVersion].
type Visited struct {
	noted
	ID string `mcp:"elicitationId,need"`
}

// Method is the method of the notification.
func (Visited) Method() string { return MethodVisited }

// Ready ends the handshake of the legacy era.
type Ready struct{ noted }

// Method is the method of the notification.
func (Ready) Method() string { return MethodReady }

// ParseNote reads a notification. It is false for one that is not known or not complete: such a one is
// ignored.
func ParseNote(m Message) (Note, bool) {
	to := blankNote(m.Method)
	if to == nil {
		return nil, false
	}
	ok := decode(m.Params, to) == nil
	note := reflect.ValueOf(to).Elem().Interface().(Note)
	switch n := note.(type) {
	case Log:
		ok = ok && levelIndex(n.Level) >= 0
	case TaskChanged:
		task, err := parseTask(m.Params)
		return TaskChanged{Task: task}, err == nil
	}
	return note, ok
}

// blankNote returns a pointer to the notification of a method, or nil.
func blankNote(method string) any {
	switch method {
	case MethodProgress:
		return &Progress{}
	case MethodLog:
		return &Log{}
	case MethodCancelled:
		return &Cancelled{}
	case MethodToolsChanged, MethodPromptsChanged, MethodResourcesChanged, MethodRootsChanged:
		return &Changed{What: method}
	case MethodUpdated:
		return &Updated{}
	case MethodAcknowledged:
		return &Acknowledged{}
	case MethodTaskChanged:
		return &TaskChanged{}
	case MethodVisited:
		return &Visited{}
	case MethodReady:
		return &Ready{}
	}
	return nil
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
	w.fields(note)
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
	Tools     bool `mcp:"toolsListChanged"`
	Prompts   bool `mcp:"promptsListChanged"`
	Resources bool `mcp:"resourcesListChanged"`
	// URIs are the resources whose changes are told, and Tasks the ids of tasks.
	URIs  []string `mcp:"resourceSubscriptions,omit"`
	Tasks []string `mcp:"taskIds,omit"`
}
