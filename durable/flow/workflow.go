package flow

import (
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Workflow is what an instance of the platform's Workflows is made of.
type Workflow struct {
	// Binding is the Workflow's binding in wrangler.jsonc.
	Binding string
	// Params is the instance's input, as JSON of at most [MaxParams] bytes.
	Params json.RawMessage
	// SuccessRetention and ErrorRetention say how long the platform keeps an instance that has
	// succeeded or failed. 0 leaves that to the platform.
	SuccessRetention, ErrorRetention time.Duration
}

// MaxParams is the maximum size of a Workflow's input, in bytes.
const MaxParams = MaxBody - 1<<10

// createTries is how often an instance is made, if the platform fails, and betweenCreates the pause after each failure but
// the last.
const createTries = 5

var betweenCreates = durable.Backoff{2_000, 4_000, 8_000, 16_000}

// RunWorkflow makes an instance of a Workflow and waits until it has ended. It returns the output as
// JSON. While it waits, it holds an entry of the schedule: the instance is asked after 2 seconds how
// it goes on, and then at growing intervals of a minute at most. A failure of the platform is asked
// about again. If the platform fails for 24 hours, each time that it is asked, the wait ends with an
// error, and the instance may still be running.
//
// The instance's id is journaled before the instance is made. If the object's memory is lost in
// between, the same id is made again, and the platform says that it is there.
//
// If the await is cancelled, the instance is terminated. A terminate that was lost is repeated. If
// there is no such binding, nothing has happened, and the error names the line of wrangler.jsonc.
func RunWorkflow(c Awaiter, w Workflow) (json.RawMessage, error) {
	if !isBindingName(w.Binding) {
		return nil, fmt.Errorf("%.80q is no name of a binding", w.Binding)
	}
	if len(w.Params) > MaxParams {
		return nil, fmt.Errorf("the params of the Workflow %s have %d bytes, at most %d", w.Binding, len(w.Params), MaxParams)
	}
	if len(w.Params) > 0 && !json.Valid(w.Params) {
		return nil, fmt.Errorf("the params of the Workflow %s are not JSON", w.Binding)
	}
	r := c.context().routine
	started := Now(c)
	id := workflowID(Random(c, 17))
	running := c.context().Await(Op{
		Name:   workflowOf + w.Binding + " " + id,
		Begin:  func(*durable.Tx, Key) {},
		Cancel: func(tx *durable.Tx, key Key, _ Reason) { r.terminate(tx, key, w.Binding, id) },
	})
	e := r.journal.entries[running.position]
	if err := w.create(c, id); err != nil {
		if unsent(err) {
			r.journal.complete(r.tx, e, nil, Left, err.Error())
		}
		r.cancel(e, Left)
		return nil, err
	}
	r.watch(e, workflowWatch{binding: w.Binding, id: id, started: started})
	return running.Wait()
}

// workflowID returns the id of an instance, of which chance is the origin. The position of the await
// would not do: a slot that is used again has helpers whose positions repeat.
func workflowID(chance []byte) string {
	const digits = 26
	return "t-" + strings.ToLower(base32.StdEncoding.EncodeToString(chance))[:digits]
}

// isBindingName says whether a text can be the name of a variable in JavaScript, as the name of a
// binding is.
func isBindingName(name string) bool {
	word := func(c rune) bool {
		return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	return name != "" && len(name) <= 128 && !strings.ContainsFunc(name, func(c rune) bool { return !word(c) })
}

// create makes the instance, or finds it made.
func (w Workflow) create(c Awaiter, id string) error {
	retention := map[string]int64{}
	if w.SuccessRetention > 0 {
		retention["successRetention"] = w.SuccessRetention.Milliseconds()
	}
	if w.ErrorRetention > 0 {
		retention["errorRetention"] = w.ErrorRetention.Milliseconds()
	}
	request := workflowRequest(w.Binding, "create", struct {
		ID        string           `json:"id"`
		Params    json.RawMessage  `json:"params,omitempty"`
		Retention map[string]int64 `json:"retention,omitempty"`
	}{id, w.Params, retention})
	for try := 1; ; try++ {
		response, err := Fetch(c, request)
		switch {
		case unsent(err):
			return missing(w.Binding, err)
		case errors.Is(err, ErrTimeout), errors.Is(err, ErrCancelled):
			return err
		case err == nil && (response.Status == 200 || response.Status == 409):
			return nil
		case err == nil:
			err = fmt.Errorf("the Workflow %s was not begun: %d %s", w.Binding, response.Status, workflowWords(response.Body))
		}
		if try == createTries {
			return err
		}
		if err := Sleep(c, time.Duration(betweenCreates.Wait(try))*time.Millisecond); err != nil {
			return err
		}
	}
}

// workflowRequest is a request to the binding of a Workflow. Each of them may be repeated.
func workflowRequest(binding, verb string, body any) Request {
	return Request{
		Method: "POST", URL: durable.BindingURL(binding, "workflow/"+verb), Body: limit.MustMarshal(body),
		Limit: MaxBody, Repeatable: true, binding: true,
	}
}

type workflowInstance struct {
	ID string `json:"id"`
}

// workflowWords returns the words of a refusal.
func workflowWords(body []byte) string {
	var refusal struct{ Error string }
	if json.Unmarshal(body, &refusal) != nil || refusal.Error == "" {
		return "without a reason"
	}
	return refusal.Error
}

func unsent(err error) bool {
	var failed *FetchError
	return errors.As(err, &failed) && failed.Unsent
}

// missing is the error for a binding that does not exist.
func missing(binding string, err error) error {
	return fmt.Errorf("%s; %w", missingWords(binding), err)
}

func missingWords(binding string) string {
	return `the Worker may have no Workflow ` + binding + `: see whether wrangler.jsonc has "workflows": [{ "binding": "` +
		binding + `", "name": "…", "class_name": "…" }]`
}
