package flow

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// When an instance is asked how it goes on: first after firstLook, and then after half the time that
// has passed since it was begun, so that each interval is 1.5 times the one before. No interval is
// longer than longestLook. They need no counter, which a loss of memory would reset.
const (
	firstLook   = 2 * time.Second
	longestLook = time.Minute
)

// longestSilence is how long the platform may fail, time after time, to say how an instance goes on.
// Then the wait ends with an error: a platform that is down for a day is not known to come back, and
// each question wakes the object.
const longestSilence = 24 * time.Hour

// workflowWatch is an instance that the code waits for.
type workflowWatch struct {
	binding, id string
	started     time.Time
	// failure says how the last question has failed, or is "".
	failure string
}

// next returns when the instance is asked next.
func (w workflowWatch) next(now int64) int64 {
	passed := max(now-w.started.UnixMilli(), 0)
	return now + min(firstLook.Milliseconds()+passed/2, longestLook.Milliseconds())
}

// watch has the instance of an await asked from now on.
func (r *Routine) watch(e *entry, w workflowWatch) {
	if e.ended > 0 {
		return
	}
	if r.workflows == nil {
		r.workflows = map[int]workflowWatch{}
	}
	r.workflows[e.key.Position] = w
	if id := sleepID(e.key); !r.tx.Scheduled(DueWorkflow, id) {
		r.tx.Schedule(DueWorkflow, id, w.next(r.tx.Now))
	}
}

// Ask asks how the instance goes on whose entry of the schedule is due. It does nothing if another
// routine waits for it. The next entry is made at once, because an answer can be lost. If the
// platform has failed for too long, the wait ends.
func (r *Routine) Ask(tx *durable.Tx, id string) {
	id, isSilent := strings.CutPrefix(id, silentOf)
	key, ok := keyOf(id)
	w, watched := r.workflows[key.Position]
	if !ok || key.Routine != r.journal.routine || !watched {
		return
	}
	if isSilent {
		r.unwatch(tx, key)
		Complete(tx, key, nil, w.silence())
		return
	}
	tx.Schedule(DueWorkflow, id, w.next(tx.Now))
	if r.fetches[key.Position] != nil {
		tx.Do(durable.CancelFetch{Fetch: fetchName(key)})
		r.askFailed(tx, key, "it gave no answer")
	}
	r.fetch(tx, key, &fetching{
		request:  workflowRequest(w.binding, "status", workflowInstance{w.id}),
		response: Response{Header: map[string]string{}},
		told: func(tx *durable.Tx, answer Response, failed *FetchError, words string) {
			delete(r.fetches, key.Position)
			result, failure, over := w.outcome(answer, failed, words)
			switch {
			case over:
				r.unwatch(tx, key)
				Complete(tx, key, result, failure)
			case failed != nil:
				r.askFailed(tx, key, words)
			case answer.Status != 200:
				r.askFailed(tx, key, fmt.Sprintf("%d %s", answer.Status, workflowWords(answer.Body)))
			default:
				tx.Unschedule(DueWorkflow, silentOf+id)
			}
		},
	})
}

// askFailed notes that the platform did not say how an instance goes on.
func (r *Routine) askFailed(tx *durable.Tx, key Key, words string) {
	w := r.workflows[key.Position]
	w.failure = words
	r.workflows[key.Position] = w
	if id := silentOf + sleepID(key); !tx.Scheduled(DueWorkflow, id) {
		tx.Schedule(DueWorkflow, id, tx.Now+longestSilence.Milliseconds())
	}
}

// silence says that the platform has failed for too long.
func (w workflowWatch) silence() string {
	return fmt.Sprintf("the platform has not said for %d hours how the instance %s of the Workflow %s goes on, which may still be running: %s",
		int(longestSilence.Hours()), w.id, w.binding, cmp.Or(w.failure, "it failed each time"))
}

// outcome returns what an answer says of the instance's end, if it has ended or cannot be asked.
func (w workflowWatch) outcome(answer Response, failed *FetchError, words string) (result []byte, failure string, over bool) {
	switch {
	case failed != nil && failed.Unsent:
		return nil, words + "; " + missingWords(w.binding), true
	case failed != nil && failed.tooLarge:
		return nil, fmt.Sprintf("the output of the Workflow %s has more than %d bytes", w.binding, MaxBody), true
	case failed != nil:
		return nil, "", false
	case answer.Status == 404:
		return nil, fmt.Sprintf("the Workflow %s has no instance %s any more", w.binding, w.id), true
	case answer.Status != 200:
		return nil, "", false
	}
	var state struct {
		Status string
		Output json.RawMessage
		Error  struct{ Name, Message string }
	}
	if err := json.Unmarshal(answer.Body, &state); err != nil {
		return nil, fmt.Sprintf("the state of the Workflow %s: %s", w.binding, err), true
	}
	switch state.Status {
	case "complete":
		if state.Output == nil {
			state.Output = json.RawMessage("null")
		}
		return state.Output, "", true
	case "errored":
		return nil, fmt.Sprintf("the Workflow %s failed: %s: %s", w.binding, state.Error.Name, state.Error.Message), true
	case "terminated":
		return nil, fmt.Sprintf("the Workflow %s was terminated", w.binding), true
	}
	return nil, "", false
}

// unwatch ends the asking about an instance.
func (r *Routine) unwatch(tx *durable.Tx, key Key) {
	delete(r.workflows, key.Position)
	unscheduleWatch(tx, key)
	if r.fetches[key.Position] != nil {
		delete(r.fetches, key.Position)
		tx.Do(durable.CancelFetch{Fetch: fetchName(key)})
	}
}

func unscheduleWatch(tx *durable.Tx, key Key) {
	tx.Unschedule(DueWorkflow, sleepID(key))
	tx.Unschedule(DueWorkflow, silentOf+sleepID(key))
}

// terminate ends the asking about an instance, and the instance.
func (r *Routine) terminate(tx *durable.Tx, key Key, binding, id string) {
	r.unwatch(tx, key)
	terminate(tx, termination{binding: binding, id: id})
}

// forgetWorkflow terminates the instance of an await that was open when its routine was forgotten,
// with no life of the routine in memory.
func forgetWorkflow(tx *durable.Tx, key Key, name string) {
	unscheduleWatch(tx, key)
	binding, id, _ := strings.Cut(strings.TrimPrefix(name, workflowOf), " ")
	terminate(tx, termination{binding: binding, id: id})
}

// untilTerminated is the pause after each time that an instance is told to terminate. It is told as often as there are
// pauses.
var untilTerminated = durable.Backoff{30_000, 60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_840_000, 7_680_000}

// termination is an instance that is to be terminated, for the nth time counted from 0.
type termination struct {
	n           int
	binding, id string
}

// key is the entry's id in the schedule, and a part of the fetch's name.
func (t termination) key() string { return fmt.Sprintf("%d %s %s", t.n, t.binding, t.id) }

func terminationOf(key string) (t termination, ok bool) {
	parts := strings.Split(key, " ")
	if len(parts) != 3 {
		return t, false
	}
	n, err := strconv.Atoi(parts[0])
	return termination{n: n, binding: parts[1], id: parts[2]}, err == nil
}

// terminate tells an instance to terminate, and makes an entry for the case that no answer comes.
func terminate(tx *durable.Tx, t termination) {
	tx.Schedule(DueTerminate, t.key(), tx.Now+untilTerminated.Wait(t.n+1))
	request := workflowRequest(t.binding, "terminate", workflowInstance{t.id})
	tx.Do(durable.Fetch{Fetch: TerminateOf + t.key(), Method: request.Method, URL: request.URL, Body: request.Body})
}

// TerminateAgain tells an instance again to terminate, whose entry of the schedule is due.
func TerminateAgain(tx *durable.Tx, id string) {
	t, ok := terminationOf(id)
	if t.n++; !ok {
		return
	}
	if t.n == len(untilTerminated) {
		tx.Log(durable.Error, "a Workflow could not be terminated", "binding", t.binding, "instance", t.id)
		return
	}
	terminate(tx, t)
}

// Terminated handles an event of a fetch, and says whether the fetch terminates an instance. If the
// platform knows no such instance, its creation may still be under way, so it is told once more.
func Terminated(tx *durable.Tx, name string, event durable.Event) bool {
	key, ours := strings.CutPrefix(name, TerminateOf)
	if !ours {
		return false
	}
	t, _ := terminationOf(key)
	done := false
	switch e := event.(type) {
	case durable.FetchResponded:
		done = e.Status == 200 || e.Status == 409 || e.Status == 404 && t.n > 0
	case durable.FetchFailed:
		done = e.Unsent
	}
	if done {
		tx.Unschedule(DueTerminate, key)
	}
	return true
}
