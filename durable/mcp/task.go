package mcp

import "reflect"

// Task is work of a server that goes on without its client. The client asks for it by its ID.
type Task struct {
	ID     string     `mcp:"taskId"`
	Status TaskStatus `mcp:"status"`
	// Message says what the task is doing, for people.
	Message string `mcp:"statusMessage,omit"`
	// Created and Updated are times of RFC 3339.
	Created string `mcp:"createdAt"`
	Updated string `mcp:"lastUpdatedAt"`
	// TTL is how long the server keeps the task from Created on, in milliseconds. It is nil if it is kept
	// for ever.
	TTL *int64
	// Poll is how long the client should wait before it asks again, in milliseconds. 0 says nothing.
	Poll int64
	// Requests are the open questions of a task that waits for input.
	Requests []InputRequest
	// Result is that of a completed task, and Error that of a failed one.
	Result Value
	Error  *Error
}

// TaskStatus is what has become of a task.
type TaskStatus string

// The statuses of tasks. The last three are final.
const (
	TaskWorking   TaskStatus = "working"
	TaskInput     TaskStatus = "input_required"
	TaskCompleted TaskStatus = "completed"
	TaskFailed    TaskStatus = "failed"
	TaskCancelled TaskStatus = "cancelled"
)

// Final says whether the status never changes again.
func (s TaskStatus) Final() bool {
	return s == TaskCompleted || s == TaskFailed || s == TaskCancelled
}

// TaskCreated is the answer to a call that has become a task.
type TaskCreated struct{ Task Task }

func (TaskCreated) resultType() string { return typeTask }

// encode writes no questions and no result: the client asks for them.
func (r TaskCreated) encode(w *writer, _ string) { r.Task.writeHead(w) }

// TaskState is the answer to the [TaskCall] that asks for a task.
type TaskState struct {
	final
	Task Task `mcp:""`
}

func (t Task) writeHead(w *writer) {
	w.structure(reflect.ValueOf(t))
	if t.TTL != nil {
		w.integer("ttlMs", *t.TTL)
	} else {
		w.raw("ttlMs", "null")
	}
	if t.Poll > 0 {
		w.integer("pollIntervalMs", t.Poll)
	}
}

func (t Task) encode(w *writer, _ string) {
	t.writeHead(w)
	switch t.Status {
	case TaskInput:
		writeRequests(w, t.Requests)
	case TaskCompleted:
		w.value("result", t.Result)
	case TaskFailed:
		t.Error.write(w)
	}
}

// maxTask bounds the id of a task, in bytes.
const maxTask = 1024

func parseTask(v Value) (t Task, err error) {
	_ = decode(v, &t)
	if ttl, ok := v.Get("ttlMs").Integer(); ok && ttl >= 0 {
		t.TTL = &ttl
	}
	poll, _ := v.Get("pollIntervalMs").Integer()
	t.Poll = max(poll, 0)
	if t.ID == "" || len(t.ID) > maxTask {
		return t, errTask
	}
	switch t.Status {
	case TaskWorking, TaskCancelled:
	case TaskInput:
		t.Requests, err = parseRequests(v.Get("inputRequests"))
	case TaskCompleted:
		t.Result = v.Get("result").object()
	case TaskFailed:
		if t.Error = parseError(v.Get("error")); t.Error == nil {
			t.Error = &Error{Code: CodeInternal, Message: "the task has failed and does not say why"}
		}
	default:
		err = errTask
	}
	return t, err
}
