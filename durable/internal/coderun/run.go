package coderun

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/codemode"
	"github.com/tributary-agents/tributary/durable/internal/validator"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/script"
)

// Limits of code that cannot be changed.
const (
	// maxCode is the size of the code, and maxStack that of its stack.
	maxCode, maxStack = 64 << 10, 256 << 10
	// maxAnswered is how many bytes the answers to all calls of one run may have together. A call that
	// would be made beyond that rejects.
	maxAnswered = flow.MaxJournal - 2*limit.Output
)

// begun is what is fixed when a run of code begins.
type begun struct {
	// Engine is the hash of the engine.
	Engine string   `json:"engine"`
	Seed   [16]byte `json:"seed"`
	Now    int64    `json:"now"`
	// Tools are the tools' names in JavaScript, each with the tool's own.
	Tools [][2]string `json:"tools"`
}

// program is a run of code in this life.
type program struct {
	*author.Context
	k      *Code
	script string
	begun  begun
	guard  *flow.Guard
	// told is what the code is told of the tools that it can call, or nil if that was not needed yet, or has to be made
	// anew. looks is how often it has asked for that, and checks what is left for checks of its inputs.
	told   *codemode.Catalog
	looks  int
	checks validator.Budget
	box    int64
	// now is the time in the script.
	now int64
	// used is how much work the box has done, and lines are what the code has written.
	used  int64
	lines []string
	// answered are the calls that were answered, in this order, and bytes is the size of the answers.
	answered []answeredCall
	bytes    int
	// calls is how many calls the code has made, queue are those that wait to begin, and open those that
	// have begun and were not answered.
	calls int
	queue []script.Call
	open  []openCall
}

// answeredCall is a call and what it was answered.
type answeredCall struct {
	number int64
	outcome
}

// openCall is a call that is under way.
type openCall struct {
	number int64
	branch *flow.Branch[outcome]
}

// outcome is the answer to a call, as it is journaled. JSON is the call's output or, if OK is false,
// its error as a text. At is when it came, in milliseconds since 1970.
type outcome struct {
	OK   bool            `json:"ok"`
	JSON json.RawMessage `json:"json"`
	At   int64           `json:"at"`
}

// refused is the answer to a call that is not made.
func refused(words string) outcome { return outcome{JSON: limit.MustMarshal(words)} }

// Run runs the code in a tool call's input.
func (k *Code) Run(c *author.Context, input json.RawMessage) (json.RawMessage, error) {
	if c.Acting || c.Code.Call.ID == "" || c.Code.Outside != 0 {
		return nil, fmt.Errorf("code is run for a call of the model alone")
	}
	prepared, err := prepare(input)
	if err != nil {
		return k.failed(err.Error(), nil, 0), nil
	}
	r := &program{Context: c, k: k, script: prepared, checks: validator.Budget{Left: maxChecks}}
	if r.begun, err = flow.Step(c, "code", r.begin); err != nil {
		return nil, err
	}
	r.guard = flow.NewGuard(c, k.Limits.Time)
	r.box = script.NextBox()
	defer func() { script.Close{Box: r.box}.Run() }()
	return r.run(), nil
}

// prepare returns the script for the code in an input.
func prepare(input json.RawMessage) (string, error) {
	var in struct{ Code *string }
	switch err := json.Unmarshal(input, &in); {
	case err != nil || in.Code == nil:
		return "", fmt.Errorf("the code is no text: give it as the text \"code\"")
	case len(*in.Code) > maxCode:
		return "", fmt.Errorf("the code has %d bytes, at most %d", len(*in.Code), maxCode)
	}
	return codemode.Prepare(*in.Code)
}

// begin fixes what the run keeps in every life.
func (r *program) begin(tx *durable.Tx) (b begun, err error) {
	b = begun{Engine: script.Engine, Now: tx.Now, Tools: [][2]string{}}
	tx.Random(b.Seed[:])
	catalog := r.catalog(tx)
	for _, name := range catalog.Names() {
		real, _ := catalog.Tool(name)
		b.Tools = append(b.Tools, [2]string{name, real})
	}
	return b, nil
}

// catalog returns the catalog of the tools that the deployment has now.
func (r *program) catalog(tx *durable.Tx) *codemode.Catalog {
	if r.told == nil {
		r.told = catalogOf(r.k.Tools(r.Object, tx))
	}
	return r.told
}

// run runs the script to its end, and returns the output of the tool.
func (r *program) run() json.RawMessage {
	if !r.guard.NextSlice() {
		r.giveUp()
	}
	result := r.openBox()
	for {
		if output := r.follow(result); output != nil {
			return output
		}
		waits := []flow.Waitable{r.guard}
		for _, call := range r.open {
			waits = append(waits, call.branch)
		}
		i := flow.Next(waits...)
		if i == 0 {
			return r.fail(fmt.Sprintf("the code has taken longer than %s", r.k.Limits.Time))
		}
		call := r.open[i-1]
		r.open = slices.Delete(r.open, i-1, i)
		answer, err := call.branch.Wait()
		if err != nil {
			answer = refused(err.Error())
			answer.At = r.now
		}
		r.guard.Note(strconv.FormatInt(r.used, 10))
		if !r.guard.NextSlice() {
			r.giveUp()
		}
		result = r.answer(answeredCall{call.number, answer})
	}
}

// follow does what the script asks for, until it waits for calls that are under way. It returns the
// tool's output if the script has ended.
func (r *program) follow(result script.Result) json.RawMessage {
	for refusals := r.take(result.Calls); ; {
		if output := r.ended(result); output != nil {
			return output
		}
		if len(refusals) == 0 {
			break
		}
		result = r.answer(refusals[0])
		refusals = append(refusals[1:], r.take(result.Calls)...)
	}
	for len(r.queue) > 0 && len(r.open) < r.k.Limits.Parallel {
		r.start(r.queue[0])
		r.queue = r.queue[1:]
	}
	if len(r.open) == 0 {
		return r.fail("the code waits for something that nobody brings")
	}
	return nil
}

// openBox opens the box.
func (r *program) openBox() script.Result {
	r.now = r.begun.Now
	names := []string{}
	for _, t := range r.begun.Tools {
		names = append(names, t[0])
	}
	return r.count(script.Open{
		Box: r.box, Prelude: codemode.Prelude(names), Code: r.script,
		Seed: r.begun.Seed, Now: r.now, Memory: int64(r.k.Limits.Memory), Stack: maxStack, Work: r.allowed(),
	}.Run())
}

// allowed is how much work the script may do in the next request.
func (r *program) allowed() int64 { return max(min(r.k.Limits.Stretch, r.k.Limits.Work-r.used), 1) }

// count adds what a request has taken, and written.
func (r *program) count(result script.Result) script.Result {
	r.used += result.Work
	r.lines = append(r.lines, result.Lines...)
	return result
}

// answer answers a call of the script. A box that is gone is opened again.
func (r *program) answer(a answeredCall) script.Result {
	a.At = max(a.At, r.now)
	r.answered = append(r.answered, a)
	r.bytes += len(a.JSON)
	result := r.send(a)
	if result.State == script.Gone {
		result = r.reopen()
	}
	return result
}

func (r *program) send(a answeredCall) script.Result {
	r.now = a.At
	return r.count(script.Answer{Box: r.box, Call: a.number, OK: a.OK, JSON: string(a.JSON), Now: a.At, Work: r.allowed()}.Run())
}

// maxReopens is how often a box is opened again that its host drops while that is done.
const maxReopens = 8

// reopen opens the box again, and answers all that was answered. The script does the same again, so
// only what it does after the last answer is new.
func (r *program) reopen() script.Result {
	for range maxReopens {
		r.box, r.used, r.lines = script.NextBox(), 0, nil
		result := r.openBox()
		for _, a := range r.answered {
			if result.State != script.Waits {
				break
			}
			result = r.send(a)
		}
		if result.State != script.Gone {
			return result
		}
	}
	return script.Result{State: script.Spent, Words: "engine"}
}

// take takes calls of the script, and returns the answers to those that are not made.
func (r *program) take(calls []script.Call) (refusals []answeredCall) {
	for _, call := range calls {
		r.calls++
		if why := r.refusal(call); why != "" {
			answer := refused(why)
			answer.At = r.now
			refusals = append(refusals, answeredCall{call.Number, answer})
			continue
		}
		r.queue = append(r.queue, call)
	}
	return refusals
}

// refusal says why a call is not made, or returns "".
func (r *program) refusal(call script.Call) string {
	most := r.k.Limits.Calls
	switch {
	case r.calls > most:
		return fmt.Sprintf("the code has made %d calls, and may make no more", most)
	case len(call.JSON) > limit.ToolInput:
		return fmt.Sprintf("the input of %.80s has %d bytes, at most %d", call.Name, len(call.JSON), limit.ToolInput)
	case r.bytes > maxAnswered:
		return fmt.Sprintf("the answers to all calls have %d bytes, and there is no room for more", r.bytes)
	case protocol.Check([]byte(call.JSON)) != nil:
		return fmt.Sprintf("the input of %.80s is no JSON: %s", call.Name, protocol.Check([]byte(call.JSON)))
	}
	return ""
}
