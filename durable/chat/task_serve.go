package chat

import (
	"cmp"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/callback"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/schedule"
	"github.com/tributary-agents/tributary/durable/turn"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is the helper's side of a run. A run is a turn of its conversation whose log is kept,
// because the parent may ask for any part of it again.

// helperMethods are the methods that a helper serves to its parent.
var helperMethods = func() *wire.Mux[helperCall] {
	mux := &wire.Mux[helperCall]{}
	wire.HandleStream(mux, facet.Start, helperCall.start)
	wire.Handle(mux, facet.Cancel, helperCall.cancel)
	wire.Handle(mux, facet.SetPaused, helperCall.setPaused)
	wire.Handle(mux, facet.ReadJournal, helperCall.readJournal)
	wire.Handle(mux, facet.CopyJournal, helperCall.copyJournal)
	wire.Handle(mux, facet.Answer, helperCall.answer)
	wire.Handle(mux, facet.Signal, helperCall.signal)
	wire.Handle(mux, facet.ReadPage, helperCall.page)
	wire.Handle(mux, facet.Wake, helperCall.wake)
	wire.HandleStream(mux, facet.Tail, helperCall.tail)
	wire.Handle(mux, facet.SendFrame, helperCall.frame)
	wire.Handle(mux, facet.ListMessages, helperCall.messages)
	wire.HandleStream(mux, facet.OpenSocket, helperCall.openSocket)
	wire.Handle(mux, facet.TellHosted, helperCall.hosted)
	return mux
}()

// helperCall is one call of the parent.
type helperCall struct {
	object *Object
	tx     *durable.Tx
	// call names a call, and stream a stream.
	call, stream string
}

// start opens the stream of a run, and accepts the run before that, unless it has come already. A
// run may come twice, or after its cancellation.
func (c helperCall) start(r facet.StartRequest) error {
	if !c.object.agent.Helper {
		return &wire.Error{Code: wire.CodeRefused, Message: c.object.agent.Name + " is no helper"}
	}
	if task.IsStale(c.tx, r.Generation) {
		return facet.ErrStale
	}
	if _, ok := task.Find(c.tx, r.Run); !ok {
		if no := supervisor.Oversized(r.Run, r.Prompt, r.Input, r.Output); no != "" {
			return &wire.Error{Code: wire.CodeRefused, Message: no}
		}
		if r.Base != "" && flow.Rows(c.tx, copyOf(r.Run)) != r.Rows {
			return &wire.Error{Code: wire.CodeRefused, Message: "the journal that run " + r.Run + " begins with is not whole"}
		}
		c.accept(r)
	}
	return c.tail(facet.TailRequest{Run: r.Run})
}

// accept begins a run as a turn.
func (c helperCall) accept(r facet.StartRequest) {
	id := "task-" + r.Run
	r.Version = cmp.Or(r.Version, c.object.agent.Version)
	admission.MakeTables(c.tx, "task")
	place := message.TakePlaces(c.tx, 2)
	by := c.object.granted(r.Claims, agent.TurnInfo{Request: "run-" + r.Run, Run: r.Run})
	message.Put(c.tx, place-1, protocol.UserMessage(id, r.Prompt), by)
	t := admission.Enqueue(c.tx, turn.Turn{
		Request: "run-" + r.Run, Origin: []string{id}, Reply: c.tx.NewID(), Place: place,
		Claims: by,
	})
	task.Accept(c.tx, r, t.Seq)
	if r.Base != "" {
		flow.Rename(c.tx, copyOf(r.Run), loop.ProgramRoutine(t.Seq))
	}
	c.object.audience.SendTranscript(c.tx, c.object.audience.All()...)
	c.object.startNext(c.tx)
}

// cancel stops a run. A run that is not here yet is marked, and is cancelled when it comes. Turns
// that waited behind the run go on.
func (c helperCall) cancel(r facet.CancelRequest) (facet.CancelResult, error) {
	r.Reason = protocol.CutOff(r.Reason, 2*limit.Summary) // a parent has cut it to this size before
	if err := supervisor.CheckID(r.Run); err != nil {
		return facet.CancelResult{}, &wire.Error{Code: wire.CodeRefused, Message: err.Error()}
	}
	if task.IsStale(c.tx, r.Generation) {
		return facet.CancelResult{Gone: true}, nil
	}
	k, ok := task.Find(c.tx, r.Run)
	if !ok {
		task.CancelEarly(c.tx, r.Run, r.Reason)
		return facet.CancelResult{Waken: c.object.tails.AnnounceWake(c.tx), Idle: c.object.idle(c.tx)}, nil
	}
	if !k.Ended {
		c.object.abortTask(c.tx, k, r.Reason)
		c.object.forgetSchedules(c.tx)
		k, _ = task.Find(c.tx, r.Run)
		c.object.drainAgenda(c.tx) // perhaps nothing waits any more
	}
	return facet.CancelResult{Usage: k.Outcome.Usage, Received: received(c.tx, k.Run), Telling: len(run.UnacknowledgedCancels(c.tx)) > 0, Waken: c.object.tails.AnnounceWake(c.tx), Idle: c.object.idle(c.tx)}, nil
}

// signal keeps signals for the code of a run, and lets the code go on that waits for one.
func (c helperCall) signal(r facet.SignalRequest) (facet.SignalResult, error) {
	if task.IsStale(c.tx, r.Generation) {
		return facet.SignalResult{}, facet.ErrStale
	}
	k, ok := task.Find(c.tx, r.Run)
	switch {
	case !ok:
		return facet.SignalResult{}, &wire.Error{Code: wire.CodeRefused, Message: "there is no run " + r.Run}
	case k.Ended:
		return facet.SignalResult{Over: true}, nil
	}
	var signals []flow.Incoming
	for _, s := range r.Signals {
		if err := supervisor.CheckSignal(r.Run, s); err != nil {
			return facet.SignalResult{}, &wire.Error{Code: wire.CodeRefused, Message: err.Error()}
		}
		signals = append(signals, flow.Incoming(s))
	}
	flow.Deliver(c.tx, r.Run, signals)
	if !c.object.quarantined {
		c.object.agenda.resume = true
		c.object.drainAgenda(c.tx) // the answer says what the code has received
	}
	result := facet.SignalResult{Last: flow.InboxOf(c.tx, r.Run).Last, Received: received(c.tx, r.Run)}
	if !c.object.tails.HasReader() { // code that has crashed goes on in an event of its own
		_, result.GoesOn = c.object.unread(c.tx)
	}
	if len(signals) > 0 {
		result.Unreceived = flow.Unreceived(c.tx, r.Run, signals[0].N)
	}
	return result, nil
}

// received returns how many signals the code of a run has received.
func received(tx *durable.Tx, id string) run.Received {
	b := flow.InboxOf(tx, id)
	return run.Received{Signals: b.Received, Bytes: b.ReceivedBytes}
}

func (c helperCall) page(r facet.TailRequest) (facet.Page, error) {
	p, err := c.object.tails.Page(c.tx, r)
	if err == nil {
		p.Host = c.object.runs.TakeRequests(c.tx)
	}
	return p, err
}

func (c helperCall) tail(r facet.TailRequest) error {
	return c.object.tails.OpenTail(c.tx, c.stream, r)
}

// finishTask stores the result of a turn's run, and says whether the turn works on a run. A run
// whose calls wait for answers goes on when they are answered.
func (o *Object) finishTask(tx *durable.Tx, e loop.Ended) bool {
	k, ok := task.OfTurn(tx, e.Turn.Seq)
	if !ok {
		return false
	}
	k.Outcome.Status, k.Outcome.Output = string(e.Turn.Status), e.Output
	k.Outcome.Summary = protocol.CutOffQuoted(cmp.Or(e.Summary, message.TextOf(e.Draft.Fold.Message())), limit.Answer)
	k.Outcome.Failure, k.Outcome.Reason = e.Turn.Reason, e.FailReason
	k.Outcome.Usage = k.Outcome.Usage.Add(e.Usage)
	if over := len(waitsFor(tx, k)) == 0; over {
		task.Keep(tx, k, true)
		o.endPause(tx, k.Run)
		if tx.Made("inbox") {
			flow.DropInbox(tx, k.Run)
		}
	} else {
		task.Keep(tx, k, false)
	}
	tx.Unschedule(task.DueReport, k.Run) // the end carries the last report
	o.tails.FlushAll(tx)
	return true
}

// The rest of this file is about the schedules of helpers, which have no alarm. Every answer of a helper tells
// its parent when the helper has to be woken next. The parent puts that time into its own schedule,
// and so on up to the root and its alarm. In between, nothing is kept in memory.

// nextWakeNeeded is when the parent has to wake this helper: for its schedules and for the ends of runs
// that its handlers have refused, for those of its own helpers, and for work that may still create
// schedules.
func (o *Object) nextWakeNeeded(tx *durable.Tx) int64 {
	at := durable.NextDueOf(tx, isScheduleKind)
	if look := o.nextCheck(tx); look > 0 && (at == 0 || look < at) {
		return look
	}
	return at
}

// isScheduleKind says whether an entry belongs to schedules, to requests that are to go up or to
// ends of runs that are handed over, or ends a question, and not to active work.
func isScheduleKind(kind string) bool {
	switch kind {
	case callback.Due, supervisor.DueWake, supervisor.DueAsk, supervisor.DueDelivery, approval.DueExpiry, question.DueQuestion:
		return true
	}
	return false
}

func isWorkKind(kind string) bool { return !isScheduleKind(kind) }

// nextCheck is when the parent has to check on this helper because of work that the parent does not
// follow: a person's own turn, active or queued, or a frame on its way to a helper below. After a
// loss of memory, only the check resumes that work and announces the schedules that it makes.
// nextCheck is 0 if there is no such work, or if the work waits only for a person or for the end
// of a pause.
func (o *Object) nextCheck(tx *durable.Tx) int64 {
	soon := tx.Now + loop.WatchdogDelay
	if o.runs.AwaitsHelpers(tx) {
		return soon
	}
	if !o.busy(tx) || o.loop.Paused() {
		return 0
	}
	if !o.loop.IsActive() {
		return soon
	}
	if calls, wake, held := o.waitsOn(tx); held || len(calls) > 0 {
		return wake
	}
	if _, followed := task.OfTurn(tx, o.loop.Turn().Seq); followed {
		return 0
	}
	return max(soon, o.loop.SleepsUntil(tx))
}

// wake handles a wake in the helper.
func (c helperCall) wake(facet.Empty) (facet.WakeResult, error) {
	below, _ := c.object.runs.WaitsFor(c.tx)
	asks := c.object.loop.AwaitsTools() && (len(question.Own(c.tx)) > 0 || len(below) > 0)
	due := durable.NextDueOf(c.tx, func(kind string) bool { return isWorkKind(kind) || kind == question.DueQuestion })
	c.object.handleDue(c.tx)
	c.object.drainAgenda(c.tx) // the answer includes what callbacks have requested
	up := c.object.runs.TakeRequests(c.tx)
	continues := asks && (due > 0 && due <= c.tx.Now || c.object.runs.Waking())
	return facet.WakeResult{At: c.object.tails.AnnounceWake(c.tx), Idle: c.object.idle(c.tx), GoesOn: continues, Host: up}, nil
}

// idle says whether this helper has nothing to do before its parent wakes it or sends it something.
// A helper that is woken soon is not idle: a helper of its own may have to answer a wake, and
// opening it again costs more than its memory.
func (o *Object) idle(tx *durable.Tx) bool {
	next := durable.NextDueOf(tx, isScheduleKind)
	return !o.busy(tx) && (next == 0 || next > tx.Now+minRest) && durable.NextDueOf(tx, isWorkKind) == 0 && !o.runs.AwaitsHelpers(tx) && !o.runs.HasNews()
}

// minRest is how long an idle helper has nothing to do at least, in milliseconds. A wake that was not
// answered is repeated within that time.
const minRest = 30_000

// forgetSchedules cancels the schedules that a cancelled run may have left, because nobody needs
// their work any more.
func (o *Object) forgetSchedules(tx *durable.Tx) {
	schedule.CancelAll(tx)
	callback.Follow(tx)
}

// The rest of this file is about the detached runs that this helper has begun, and that the root hosts.

// hosted takes what the root tells of such a run. The call is answered at the end of an event.
func (c helperCall) hosted(n facet.HostedNews) (facet.HostedResult, error) {
	if !c.object.agent.Helper || task.IsStale(c.tx, n.Generation) {
		return facet.HostedResult{}, facet.ErrStale
	}
	c.object.runs.News(c.tx, c.call, &n)
	return facet.HostedResult{}, wire.ErrLater
}

// answerNews answers the calls of [facet.TellHosted] that can be answered.
func (o *Object) answerNews(tx *durable.Tx) {
	for _, a := range o.runs.TakeAnswers() {
		if a.Error != "" {
			tx.Do(durable.Answer{Call: a.Call, Error: a.Error})
			continue
		}
		a.Result.Waken = facet.WakeUnstated
		if !o.tails.HasReader() { // the end of the followed run reports it, or has done so
			sleeps, continues := o.unread(tx)
			a.Result.Idle, a.Result.GoesOn = o.idle(tx), continues
			if !sleeps { // the parent wakes it as it was told
				a.Result.Waken = o.tails.AnnounceWake(tx)
			}
		}
		tx.Do(durable.Answer{Call: a.Call, Data: facet.TellHosted.Answer(a.Result)})
	}
}

// unread says what the run of this helper does, which its parent does not read: whether it sleeps until
// a time that the parent knows, and whether the parent has to read it again. The parent may not have
// read the end of a run that has ended, or a question.
func (o *Object) unread(tx *durable.Tx) (sleeps, continues bool) {
	open := task.Open(tx)
	continues = len(open) == 0 || o.tails.HasNewQuestions()
	for _, run := range open {
		k, _ := task.Find(tx, run)
		p, rests := o.pauseOf(tx, k)
		known := rests && p.IdleUntil > 0 && o.tails.WokenBy(p.IdleUntil)
		sleeps, continues = sleeps || known, continues || !rests || p.IdleUntil > 0 && !known
	}
	return sleeps, continues
}
