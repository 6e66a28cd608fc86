// Package office holds the rules about the effects of clerks and of actions: each happens once, and
// none is lost.
package office

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/office"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// Rules are the rules about one root and its helpers.
type Rules struct {
	*check.View
	// keys are the keys of the requests of steps, by run and step.
	keys map[string]string
	// applied counts the effects by key. answered are the keys of requests whose success an object has
	// taken, and refused those of requests that the server has refused for good. lastAt is when an
	// effect happened last.
	applied           map[string]int
	lastAt            map[string]int64
	answered, refused map[string]bool
	// paid counts the payments for each wish, without those that were taken back. paidAt is when the
	// last one was made.
	paid   map[string]int
	paidAt map[string]int64
	// settled are the keys of payments of which an object was told whether they have happened.
	settled map[string]bool
	// calls are the signals whose answers are awaited, by connection and call.
	calls map[string]signal
	// accepted are the ids of the signals that the root has accepted, by run, in order.
	accepted map[string][]string
	// questions are the ids of the questions that runs have asked. answers are the answers that people
	// have given, by the question's id.
	questions        map[string][]string
	questionsWritten int
	answers          map[string][]string
	// ledgers are the actions of objects, by number, and ledgersWritten is how much had been written
	// to each ledger when they were read.
	ledgers        map[string]map[int64]action
	ledgersWritten map[string]int
	// origins are the runs that runs repeat, by run. took is how long runs took that are over, in
	// milliseconds.
	origins map[string]stored.Restart
	took    map[string]int64
	// reports is how many reports of clerks were checked.
	reports int
}

type signal struct{ run, id string }

// New returns the rules.
func New(v *check.View) *Rules {
	return &Rules{
		View: v, keys: map[string]string{}, applied: map[string]int{}, lastAt: map[string]int64{}, answered: map[string]bool{}, refused: map[string]bool{},
		paid: map[string]int{}, paidAt: map[string]int64{}, settled: map[string]bool{},
		calls: map[string]signal{}, accepted: map[string][]string{},
		questions: map[string][]string{}, answers: map[string][]string{}, ledgers: map[string]map[int64]action{}, ledgersWritten: map[string]int{},
	}
}

// runOf returns the run that has the slot of an object. Rows that were read before are good enough:
// they change in an event of the parent alone.
func (r *Rules) runOf(slot string) (found stored.Run) {
	parent, name := path.Split(slot)
	n, err := strconv.ParseInt(strings.TrimPrefix(name, "helper-"), 10, 64)
	if err != nil {
		return found
	}
	for _, run := range r.Runs(r.World.Object(strings.TrimSuffix(parent, "/"))) {
		if run.Slot == n && (found.ID == "" || !stored.Final(run.Status)) {
			found = run
		}
	}
	return found
}

// RunOf returns the run that has the slot of an object, if there is one.
func (r *Rules) RunOf(slot string) stored.Run { return r.runOf(slot) }

// Requested checks a request that an object makes: that of a step has the step's key in every
// attempt, and what an object knows to have happened is not asked for again, an action for as long
// as its ledger remembers it.
func (r *Rules) Requested(q office.Request) {
	r.Checks++
	if !strings.HasPrefix(q.Path, contract.StepPath) && r.World.Now()-r.lastAt[q.Key] > forgotten {
		delete(r.applied, q.Key)
		delete(r.answered, q.Key)
	}
	if q.Key == "" && q.Method != http.MethodGet {
		r.Fail("effect", "%s %s has no key", q.Method, q.Path)
	}
	if r.refused[q.Key] && strings.HasPrefix(q.Path, contract.StepPath) {
		r.Fail("effect", "%s %s is requested again, and the server has refused it", q.Path, q.Key)
	}
	if r.answered[q.Key] && q.Method != http.MethodGet {
		r.Fail("I8", "%s %s is requested again by %q, and was answered", q.Path, q.Key, q.Slot)
	}
	if name, ok := strings.CutPrefix(q.Path, contract.StepPath); ok {
		r.stepRequested(q, name)
	}
	r.actionRequested(q)
	delete(r.settled, q.Key)
}

func (r *Rules) stepRequested(q office.Request, name string) {
	run := r.runOf(q.Slot)
	if run.ID == "" {
		r.Fail("effect", "%q makes the step %s, and has no run", q.Slot, name)
		return
	}
	if from := run.Restart.From; from != "" && slices.Index(contract.Steps, name) < slices.Index(contract.Steps, from) {
		r.Fail("restart", "%s is restarted from %s, and makes the step %s", run.ID, from, name)
	}
	step := run.ID + " " + name
	if before := r.keys[step]; before != "" && before != q.Key {
		r.Fail("effect", "the step %s has the key %s, and had the key %s", step, q.Key, before)
	}
	for other, key := range r.keys {
		if key == q.Key && other != step {
			r.Fail("effect", "the step %s has the key of %s", step, other)
		}
	}
	r.keys[step] = q.Key
}

// forgotten is for how long a ledger remembers an action at least, in milliseconds.
const forgotten = 89 * 24 * 60 * 60_000

// Applied checks an effect: what is wished is paid for once, unless that was taken back.
func (r *Rules) Applied(q office.Request) {
	r.applied[q.Key]++
	r.lastAt[q.Key] = r.World.Now()
	if r.applied[q.Key] > 1 {
		r.Fail("effect", "%s %s %s has happened %d times", q.Method, q.Path, q.Key, r.applied[q.Key])
	}
	wish, ok := strings.CutPrefix(q.Path, contract.PayPath)
	if strings.HasPrefix(q.Path, contract.DepositPath) {
		wish, ok = q.Path+" of "+r.runOf(q.Slot).ID, true
	}
	switch {
	case !ok:
		return
	case q.Method == http.MethodDelete:
		r.paid[wish]--
	case r.World.Now()-r.paidAt[wish] > forgotten:
		r.paid[wish], r.paidAt[wish] = 1, r.World.Now()
	default:
		r.paid[wish]++
		r.paidAt[wish] = r.World.Now()
	}
	if n := r.paid[wish]; n > 1 || n < 0 {
		r.Fail("effect", "%s is paid for %d times, the last time by %q under %s", wish, n, q.Slot, q.Key)
	}
}

// Answered notes that an object has taken the answer to a request.
func (r *Rules) Answered(q office.Request, status int) {
	key, asked := strings.CutPrefix(q.Path, contract.SettlePath)
	switch {
	case asked:
		r.settled[key] = status == http.StatusOK || status == http.StatusNotFound
	case status == http.StatusOK:
		r.answered[q.Key] = true
	case status == http.StatusBadRequest:
		r.refused[q.Key] = true
	}
}

// ActionsAreOver checks in a world at rest that no action is under way, that what is done has
// happened, and that what has failed has not.
func (r *Rules) ActionsAreOver() {
	for _, slot := range r.World.Slots() {
		object := r.World.Object(slot)
		if !r.Mode.Office || !r.Made(object) {
			continue
		}
		for _, row := range r.Rows(object, `SELECT key, tool, state, owner, IIF(sent = '', key, sent), failure, result FROM action`) {
			r.Checks++
			key, tool, state, sent := row.Text(0), row.Text(1), row.Text(2), row.Text(4)
			happened := r.applied[sent] > 0
			switch {
			case state == "begun" || row.Text(3) != "":
				r.Fail("action", "in a world at rest, %s of %q is %s, and %q works on it", key, slot, state, row.Text(3))
			case state == "done" && !happened:
				r.Fail("action", "%s of %q is done, and has not happened: %s", key, slot, row.Text(6))
			case state == "failed" && happened && !r.heldLater(object, sent):
				r.Fail("action", "%s of %q has failed, and has happened: %s", key, slot, row.Text(5))
			case state == "unknown" && tool == contract.Pay && r.settled[sent]:
				r.Fail("action", "%s of %q is unknown, and the server has said whether it has happened: %s", key, slot, row.Text(5))
			}
		}
		for _, row := range r.Rows(object, `SELECT routine, position FROM action_waiter`) {
			r.Fail("action", "in a world at rest, %s of %q waits at %d for an action", row.Text(0), slot, row.Int(1))
		}
		for _, row := range r.Rows(object, `SELECT body FROM action_up`) {
			r.Fail("action", "in a world at rest, %q has not heard the answer to %s", slot, row.Text(0))
		}
	}
}

// heldLater says whether another action with the same key has happened, or may have.
func (r *Rules) heldLater(object, sent string) bool {
	return len(r.Rows(object, `SELECT 1 FROM action WHERE IIF(sent = '', key, sent) = ? AND state IN ('done', 'undone', 'unknown')`, sent)) > 0
}

// Happened says whether the question whether an action has happened is to be answered by yes. Its
// title names the key.
func (r *Rules) Happened(title string) bool {
	for _, key := range slices.Sorted(maps.Keys(r.applied)) {
		if strings.HasSuffix(title, ", "+key+"?") {
			return true
		}
	}
	return false
}

// PausedRunsRest checks that a helper begins no request while its run is paused, once it has
// acknowledged the pause. A person who stops the run in its helper ends the pause there.
func (r *Rules) PausedRunsRest(e check.Event) {
	if e.Slot == "" {
		return
	}
	for _, c := range e.Commands {
		if f, ok := c.(durable.Fetch); ok {
			run := r.runOf(e.Slot)
			if run.Status == "paused" && !run.Pause.Due && len(r.Rows(e.Object, `SELECT 1 FROM task WHERE run = ? AND NOT ended`, run.ID)) > 0 {
				r.Fail("pause", "%s is paused, and its helper requests %s as %s", run.ID, f.URL, f.Fetch)
			}
		}
	}
}

// SignalsAreKept notes which signals the root has accepted. An id is accepted once for a run.
func (r *Rules) SignalsAreKept(e check.Event) {
	if e.Slot != "" || e.Trap != nil || !r.Mode.Office {
		return
	}
	if m, ok := e.Event.(durable.SocketMessage); ok && strings.Contains(m.Text, `"method":"signal"`) {
		var f struct {
			ID   string
			Args []struct{ Run, ID string }
		}
		if json.Unmarshal([]byte(m.Text), &f) == nil && len(f.Args) == 1 {
			r.calls[string(m.Conn)+" "+f.ID] = signal{f.Args[0].Run, f.Args[0].ID}
		}
	}
	for _, c := range e.Commands {
		if send, ok := c.(durable.Send); ok && strings.HasPrefix(send.Text, `{"type":"rpc"`) {
			r.signalAnswered(e, send)
		}
	}
}

func (r *Rules) signalAnswered(e check.Event, send durable.Send) {
	var f struct {
		ID      string
		Success bool
		Result  struct{ State string }
	}
	if json.Unmarshal([]byte(send.Text), &f) != nil || len(send.To) == 0 {
		return
	}
	s, ok := r.calls[string(send.To[0])+" "+f.ID]
	if !ok {
		return
	}
	r.Checks++
	known := slices.Contains(r.accepted[s.run], s.id)
	switch f.Result.State {
	case "kept", "delivered":
		if known {
			r.Fail("signal", "the signal %s to %s is accepted again", s.id, s.run)
		}
		r.accepted[s.run] = append(r.accepted[s.run], s.id)
	case "duplicate":
		if !known {
			r.Fail("signal", "the signal %s to %s is a duplicate, and was not accepted", s.id, s.run)
		}
	case "over":
		if i := slices.IndexFunc(e.Runs, func(run stored.Run) bool { return run.ID == s.run }); i >= 0 && !stored.Final(e.Runs[i].Status) {
			r.Fail("signal", "the signal %s is refused because %s is over, which is %s", s.id, s.run, e.Runs[i].Status)
		}
	case "unknown":
		if slices.ContainsFunc(e.Runs, func(run stored.Run) bool { return run.ID == s.run }) {
			r.Fail("signal", "the run %s is there, and a signal to it is refused as if it were not", s.run)
		}
	default:
		r.Fail("signal", "the signal %s to %s is answered with %.200s", s.id, s.run, send.Text)
	}
}

// ReportsAreTrue checks in a world at rest that each clerk that has completed its work reports what
// has happened.
func (r *Rules) ReportsAreTrue() {
	root := r.World.Object("")
	if !r.Mode.Office || !r.Made(root) {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(r.applied)) {
		if r.applied[key] != 1 {
			r.Fail("effect", "the server has counted %d effects of %s", r.applied[key], key)
		}
	}
	r.origins = map[string]stored.Restart{}
	for _, run := range r.Runs(root) {
		r.origins[run.ID] = run.Restart
	}
	r.took = map[string]int64{}
	for _, row := range r.Rows(root, `SELECT id, ended_at - begun_at FROM run WHERE ended_at > 0`) {
		r.took[row.Text(0)] = row.Int(1)
	}
	r.refusalsAreTrue(root)
	for _, row := range r.Rows(root, `SELECT id, output FROM run WHERE class = ? AND status = 'completed'`, contract.Clerk) {
		var report contract.OfficeReport
		if err := json.Unmarshal([]byte(row.Text(1)), &report); err != nil {
			r.Fail("effect", "the report of %s is stored as %.200s", row.Text(0), row.Text(1))
			return
		}
		r.reports++
		r.reportIsTrue(row.Text(0), report)
	}
}

// refusalsAreTrue checks that a run was to begin from a step that the other run has not made, if it
// has failed for that.
func (r *Rules) refusalsAreTrue(root string) {
	for _, row := range r.Rows(root, `SELECT id, restart ->> 'of', restart ->> 'from', failure FROM run
		WHERE status = 'error' AND restart <> '' AND COALESCE(restart ->> 'from', '') <> '' AND instr(failure, ?)`, contract.NoStep) {
		r.Checks++
		if of, step := row.Text(1), row.Text(2); r.keys[r.maker(of, step)+" "+step] != "" {
			r.Fail("restart", "%s cannot begin from the step %s, which %s has made: %s", row.Text(0), step, of, row.Text(3))
		}
	}
}

func (r *Rules) reportIsTrue(run string, report contract.OfficeReport) {
	r.Checks++
	job := contract.JobOf(report.Query)
	for _, name := range contract.Steps {
		key := r.keys[r.maker(run, name)+" "+name]
		receipt, failed := report.Receipts[name], report.Failed[name]
		switch {
		case receipt == "" && failed == "":
			r.Fail("effect", "%s has completed, and not made the step %s", run, name)
		case receipt != "" && (receipt != contract.Receipt(key) || r.applied[key] != 1):
			r.Fail("effect", "the step %s of %s has %s, its key is %s, and it has happened %d times", name, run, receipt, key, r.applied[key])
		case receipt == "" && r.answered[key]:
			r.Fail("effect", "the step %s of %s has failed, and was answered: %s", name, run, failed)
		}
	}
	r.signalsAreReceived(run, job, report)
	r.answerIsGiven(run, job, report)
	if job.Pays != "" && report.Paid == "" && report.NotPaid == "" {
		r.Fail("action", "%s has completed, and has not paid for %s", run, job.Pays)
	}
}

// maker returns the run that has made a step whose result a run has: the run itself, or the one that
// it repeats.
func (r *Rules) maker(run, step string) string {
	of := r.origins[run]
	if from := slices.Index(contract.Steps, of.From); from > 0 && slices.Index(contract.Steps, step) < from {
		return r.maker(of.Of, step)
	}
	return run
}

// signalsAreReceived checks that a clerk has received the signals that were accepted, in their
// order and each once. A clerk that had no patience may have missed later ones.
func (r *Rules) signalsAreReceived(run string, job contract.Job, report contract.OfficeReport) {
	n := len(report.Signals)
	accepted := r.accepted[r.maker(run, contract.FirstStep)]
	if n > len(accepted) || !slices.Equal(report.Signals, accepted[:n]) {
		r.Fail("signal", "%s has received %v, and these were accepted: %v", run, report.Signals, accepted)
	}
	if report.Missed != (n < job.Signals) || report.Missed && job.Patience == 0 {
		r.Fail("signal", "%s has received %d of %d signals, and missed is %v", run, n, job.Signals, report.Missed)
	}
}

// expiry is for how long a question of a clerk is open, in milliseconds.
const expiry = 7 * 24 * 60 * 60_000

// expired says whether the question of a run may have been open for too long.
func (r *Rules) expired(run string) bool {
	took, known := r.took[r.maker(run, contract.FirstStep)]
	return !known || took >= expiry || r.SetBack > 0
}

// answerIsGiven checks that the answer in a report is one that a person has given to a question of
// the run, or of the run that it repeats.
func (r *Rules) answerIsGiven(run string, job contract.Job, report contract.OfficeReport) {
	answered := r.wasAnswered(r.maker(run, contract.FirstStep), report.Answer)
	switch {
	case job.Asks == "" && report.Answer == "":
	case report.Answer == "late" && (job.Patience > 0 || r.expired(run)):
	case job.Asks == contract.YesOrNo && answered && (report.Answer == "yes" || report.Answer == "no"):
	case job.Asks == contract.OneOf && answered && slices.Contains(contract.Choices, report.Answer):
	default:
		r.Fail("question", "the answer in the report of %s is %q, to the question %q", run, report.Answer, job.Asks)
	}
}

// Wanted returns a run that waits for a signal, and an id for the signal, in a world that comes to
// rest.
func (r *Rules) Wanted() (run, id string, ok bool) {
	root := r.World.Object("")
	if !r.Mode.Office || !r.Made(root) {
		return "", "", false
	}
	for _, row := range r.Rows(root, `SELECT id, input FROM run WHERE class = ? AND ended_at = 0
		AND IIF(restart = '', '', COALESCE(restart ->> 'from', '')) IN ('', 'first')`, contract.Clerk) {
		var in struct{ Query string }
		_ = json.Unmarshal([]byte(row.Text(1)), &in) // the input is that of the simulator's model
		if n := len(r.accepted[row.Text(0)]); n < contract.JobOf(in.Query).Signals {
			return row.Text(0), fmt.Sprintf("settle-%s-%d", row.Text(0), n), true
		}
	}
	return "", "", false
}
