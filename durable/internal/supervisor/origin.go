package supervisor

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/attempt"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is the helper's side of the detached runs that it begins. The root hosts them, and a
// helper cannot call its parent. So each request is kept with its row until the root is known to
// have heard it, and goes up in frames of streams and in answers to wakes. A helper in between
// passes it on, and keeps nothing of it but in memory.

const (
	// maxRequests is how many requests go up at once.
	maxRequests = 16
	// maxRelayed is how many requests of others are held in memory. More are asked again.
	maxRelayed = 256
)

// hostedByRoot is the error of what a helper cannot do with a run that its root hosts.
func hostedByRoot(id string) error {
	return fmt.Errorf("the root hosts run %s, and controls it: ask for this there", id)
}

// IsHelper says that the object is a helper, and that its root hosts its detached runs.
func (s *Supervisor) IsHelper() bool { return s.config.Helper }

// askToHost writes the row of a run that this helper begins, and asks the root to host it.
func (s *Supervisor) askToHost(tx *durable.Tx, r run.Run, noQueue bool) run.Run {
	limits := s.config.Runs
	if run.CountPendingHosted(tx) >= max(limits.Queued, 0)+limits.Concurrent {
		return s.recordRefused(tx, r, run.Result{Reason: run.TooMany, Failure: run.Refusal(tx, r, limits)})
	}
	r.Hosted = &run.Hosted{Asked: true, NoQueue: noQueue}
	if n := len(limit.MustMarshal(facet.HostedRunOf(&r))); n > wire.MaxBody/2 {
		r.Hosted = nil
		return s.recordRefused(tx, r, run.Result{Reason: run.Refused, Failure: fmt.Sprintf("what the helper is asked has %d bytes, at most %d", n, wire.MaxBody/2)})
	}
	r = run.BeginHosted(tx, r)
	s.report(tx, Begun{r})
	s.ask(tx, &r)
	return r
}

// recall asks the root to cancel a run that it hosts. The run ends when the root has told its end.
func (s *Supervisor) recall(tx *durable.Tx, r *run.Run, words string) {
	if r.Status.Final() || r.Hosted.Cancel != "" {
		return
	}
	r.Hosted.Cancel = words
	if words == "" {
		r.Hosted.Cancel = "the run was stopped"
	}
	run.KeepHosted(tx, r)
	*r, _ = run.Find(tx, r.ID)
	s.ask(tx, r)
}

// ask sends what the root has to hear of a run as soon as something goes up.
func (s *Supervisor) ask(tx *durable.Tx, r *run.Run) {
	s.asks = 0
	acknowledged(tx, owed{kind: owedRequest})
	s.enqueueRequest(requestOf(r))
	tx.Schedule(DueAsk, "", tx.Now)
	s.report(tx, Asks{})
}

// requestOf returns what the root has to hear of a run.
func requestOf(r *run.Run) *facet.HostRequest {
	req := &facet.HostRequest{Run: r.ID, Request: r.Seq, Cancel: r.Hosted.Cancel}
	if r.Hosted.Asked {
		req.Begin = facet.HostedRunOf(r)
	}
	return req
}

// enqueueRequest has a request go up, in place of an earlier one for the same run.
func (s *Supervisor) enqueueRequest(req *facet.HostRequest) {
	for i, have := range s.requests {
		if have.Run == req.Run && len(have.Path) == len(req.Path) {
			s.requests[i] = req
			return
		}
	}
	if len(s.requests) < maxRelayed {
		s.requests = append(s.requests, req)
	}
}

// askAgain repeats the requests that the root is not known to have heard.
func (s *Supervisor) askAgain(tx *durable.Tx) {
	pending, actions := run.PendingHosted(tx, maxRequests), s.enqueueActions(tx, maxRequests)
	if len(pending)+actions == 0 {
		return
	}
	for i := range pending {
		s.enqueueRequest(requestOf(&pending[i]))
	}
	s.asks = countRepetition(tx, owed{kind: owedRequest}, durable.UntilAcknowledged)
	tx.Schedule(DueAsk, "", tx.Now+durable.UntilAcknowledged.Wait(s.asks))
	s.report(tx, Asks{})
}

// askSoon begins the pauses anew behind which requests are repeated, because the root can be reached.
func (s *Supervisor) askSoon(tx *durable.Tx) {
	if soon := tx.Now + durable.UntilAcknowledged.Wait(1); s.asks > 1 && tx.Scheduled(DueAsk, "") && !tx.ScheduledBefore(DueAsk, "", soon) {
		s.asks = 1
		acknowledged(tx, owed{kind: owedRequest})
		tx.Schedule(DueAsk, "", soon)
	}
}

// stopAsking repeats no request if the root has heard all of them.
func (s *Supervisor) stopAsking(tx *durable.Tx) {
	if tx.Scheduled(DueAsk, "") && run.CountPendingHosted(tx) == 0 && !s.hasPendingActions(tx) {
		tx.Unschedule(DueAsk, "")
		acknowledged(tx, owed{kind: owedRequest})
	}
}

// TakeRequests returns requests that are to go up now.
func (s *Supervisor) TakeRequests(tx *durable.Tx) []*facet.HostRequest {
	if len(s.requests) == 0 {
		return nil
	}
	n := min(len(s.requests), maxRequests)
	taken := s.requests[:n:n]
	s.requests = s.requests[n:]
	if len(s.requests) == 0 {
		s.requests = nil
		if tx.ScheduledBefore(DueAsk, "", tx.Now+1) {
			tx.Schedule(DueAsk, "", tx.Now+durable.UntilAcknowledged.Wait(max(s.asks, 1)))
		}
	}
	return taken
}

// forwarded is a call that was passed on to a helper below.
type forwarded struct {
	call string
	news *facet.HostedNews
}

// AnsweredNews is a call of [facet.TellHosted] that is to be answered.
type AnsweredNews struct {
	Call   string
	Error  string
	Result facet.HostedResult
}

// TakeAnswers returns the calls of [facet.TellHosted] that are to be answered at the end of the
// event.
func (s *Supervisor) TakeAnswers() []AnsweredNews {
	list := s.answers
	s.answers = nil
	return list
}

// AwaitsHandler says whether a call of [facet.TellHosted] waits for a handler of this helper.
func (s *Supervisor) AwaitsHandler() bool { return len(s.newsCalls) > 0 }

func (s *Supervisor) answerNews(call string, res facet.HostedResult) {
	s.answers = append(s.answers, AnsweredNews{Call: call, Result: res})
}

// HasNews says whether a call of [facet.TellHosted] has still to be answered.
func (s *Supervisor) HasNews() bool { return len(s.forwarded)+len(s.newsCalls)+len(s.answers) > 0 }

// News takes what the root tells of a hosted run, or passes it on to the helper that has begun the
// run. The call is answered later, see [Supervisor.TakeAnswers].
func (s *Supervisor) News(tx *durable.Tx, call string, n *facet.HostedNews) {
	if len(n.Path) == 0 {
		s.takeNews(tx, call, n, true)
		return
	}
	next := firstHop(tx, n.Path)
	switch {
	case next == nil:
		s.takeNews(tx, call, n, false)
	case n.Watched && !s.config.Watched(tx, *next):
		s.answerNews(call, facet.HostedResult{Taken: true})
	default:
		s.forwards++
		id := fmt.Sprint(s.forwards)
		if s.forwarded == nil {
			s.forwarded = map[string]forwarded{}
		}
		s.forwarded[id] = forwarded{call, n}
		on := *n
		on.Generation, on.Path = n.Path[0].Generation, n.Path[1:]
		sendTo(tx, next, facet.CallForward+id, &on)
	}
}

// forwardReturned passes on the answer of a helper below. If there is nobody below who has the
// handler, this helper may have it.
func (s *Supervisor) forwardReturned(tx *durable.Tx, id string, data []byte, failure string) {
	f, ok := s.forwarded[id]
	if !ok {
		return
	}
	delete(s.forwarded, id)
	res, err := facet.TellHosted.Result(data)
	if failure == "" && err != nil {
		failure = err.Error()
	}
	if failure != "" {
		s.answers = append(s.answers, AnsweredNews{Call: f.call, Error: failure})
		return
	}
	s.helperReported(tx, f.news.Path, res)
	res.Waken, res.Idle, res.GoesOn = 0, false, false
	if res.Gone {
		s.takeNews(tx, f.call, f.news, false)
		return
	}
	s.answerNews(f.call, res)
}

// takeNews takes what the root tells of a run. own says that this helper has begun the run. If not,
// the helper that has done so is gone, or has no handler, and the run's end may be for this one.
func (s *Supervisor) takeNews(tx *durable.Tx, call string, n *facet.HostedNews, own bool) {
	s.askSoon(tx)
	if n.Action != nil {
		if own && s.config.Ledger != nil {
			s.config.Ledger.TakeReply(tx, n.Action)
			s.report(tx, Awaited{})
			s.enqueueNextAction(tx)
		}
		s.stopAsking(tx)
		s.answerNews(call, facet.HostedResult{Taken: own, Gone: !own})
		return
	}
	r, ok := run.Find(tx, n.Run)
	has := n.Whole != nil && s.config.HasHandler(n.Whole.Handler)
	switch {
	case n.Request == 0 && n.Whole != nil:
		s.answerNews(call, facet.HostedResult{Taken: own, Gone: !own})
		if own && !ok && has {
			s.restartedByRoot(tx, n)
		}
		return
	case own && !ok: // its row was deleted after its end
		s.answerNews(call, facet.HostedResult{Taken: true})
		return
	case ok && r.Hosted == nil && !(own && r.Status.Final()):
		s.answerNews(call, facet.HostedResult{Gone: true}) // another run has the id
		return
	case !own && !has:
		s.answerNews(call, facet.HostedResult{Gone: true})
		return
	case !ok:
		begun := n.Whole.Run(n.Run)
		*begun = run.Delivery{Claims: n.Claims}.For(*begun)
		begun.Hosted = &run.Hosted{}
		r = run.BeginHosted(tx, *begun)
		s.report(tx, Begun{r})
	}
	s.follow(tx, &r, n, has)
	s.stopAsking(tx)
	switch {
	case !n.Owed:
		s.answerNews(call, facet.HostedResult{Taken: true})
	case !has:
		s.answerNews(call, facet.HostedResult{Gone: true})
	default:
		s.answerWhenTaken(tx, call, r.ID, n)
	}
}

// restartedByRoot writes the row of a run that the root has begun as a restart of one of this helper's.
func (s *Supervisor) restartedByRoot(tx *durable.Tx, n *facet.HostedNews) {
	r := n.Whole.Run(n.Run)
	r.Hosted = &run.Hosted{}
	begun := run.BeginHosted(tx, *r)
	run.NoteRestart(tx, n.Whole.RestartOf, begun)
	s.report(tx, Begun{begun})
}

// follow brings the row of a hosted run up to date with what the root tells.
func (s *Supervisor) follow(tx *durable.Tx, r *run.Run, n *facet.HostedNews, has bool) {
	if r.Status.Final() || n.Refused && n.Request != r.Seq { // an earlier run of this id was refused
		return
	}
	if r.Hosted.Asked {
		r.Hosted.Asked, r.Hosted.NoQueue = false, false
		run.KeepHosted(tx, r)
	}
	if n.Refused {
		s.refusedByRoot(tx, r, n)
		return
	}
	status, paused := run.Status(n.Status), r.Status == run.Paused
	if paused && status != run.Paused && !status.Final() {
		run.EndPause(tx, r)
	}
	switch status {
	case run.Waiting:
		run.Wait(tx, r, nil, nil)
	case run.Running:
		run.Move(tx, r, run.Running, r.Result)
	case run.Paused:
		run.SetPaused(tx, r, n.Why, false)
	}
	if !status.Final() && paused != (status == run.Paused) {
		s.report(tx, Paused{*r})
	}
	s.completeAll(tx, run.TakeHostWaiters(tx, r), r.Outcome())
	for _, m := range n.Milestones {
		s.milestoneReached(tx, r, m)
	}
	s.progressReported(tx, r, n.Report)
	if status.Final() {
		run.KeepUsage(tx, r, n.Usage)
		s.endHosted(tx, r, status, hostedResult(n), n.Owed && has, n.Claims)
	}
}

func hostedResult(n *facet.HostedNews) run.Result {
	return run.Result{Summary: n.Result.Summary, Output: n.Result.Output, Failure: n.Result.Failure, Reason: n.Result.Reason}
}

// refusedByRoot ends a run that the root has refused. The code that awaits its beginning is told. If
// none does, the handler is.
func (s *Supervisor) refusedByRoot(tx *durable.Tx, r *run.Run, n *facet.HostedNews) {
	waiters := run.TakeHostWaiters(tx, r)
	s.completeAll(tx, waiters, n.Result)
	told := len(waiters) > 0
	if told {
		r.Hosted = nil // the id is free again
		run.KeepHosted(tx, r)
	}
	s.endHosted(tx, r, run.Failed, hostedResult(n), !told, "")
}

// endHosted makes the row of a hosted run final. If the handler is owed the end, it is called in an
// event of its own, for the claims of by, or for those of the run.
func (s *Supervisor) endHosted(tx *durable.Tx, r *run.Run, status run.Status, result run.Result, owed bool, by string) {
	status, result = boundResult(status, result)
	if !run.Move(tx, r, status, result) {
		return
	}
	s.completeWaiters(tx, *r)
	s.failMilestoneWaiters(tx, *r)
	if owed {
		run.EnqueueDelivery(tx, *r, by)
		tx.Schedule(DueDelivery, r.ID, tx.Now)
		if r.Hosted != nil && r.Hosted.Cleared {
			run.ForgetAfter(tx, r.ID)
		}
	}
	s.report(tx, Ended{*r})
	if s.mayForget(tx) {
		s.forgetOld(tx)
	}
}

// completeAll tells the code that awaits the beginning of a run how it has begun.
func (s *Supervisor) completeAll(tx *durable.Tx, waiters []run.Waiter, o run.Outcome) {
	for _, w := range waiters {
		if flow.Complete(tx, flow.Key(w), limit.MustMarshal(o), "") {
			s.report(tx, Awaited{})
		}
	}
}

// answerWhenTaken answers a call of the root: at once if the handler of a run's end is called
// later, or never, and otherwise when it was called.
func (s *Supervisor) answerWhenTaken(tx *durable.Tx, call, id string, n *facet.HostedNews) {
	d, found := run.FindDelivery(tx, id)
	if found && d.State == run.Dead && n.Retry {
		s.RetryDelivery(tx, id, n.Claims)
		d, found = run.FindDelivery(tx, id)
	}
	if found && d.State == attempt.Claimed {
		if s.newsCalls == nil {
			s.newsCalls = map[string][]string{}
		}
		s.newsCalls[id] = append(s.newsCalls[id], call)
		return
	}
	s.answerNews(call, deliveryState(d, found))
}

func deliveryState(d run.Delivery, found bool) facet.HostedResult {
	return facet.HostedResult{Taken: !found, Dead: found && d.State == run.Dead, Attempts: d.Attempts, Failure: d.Failure}
}

// attempted answers the calls that wait for the handler of a hosted run's end.
func (s *Supervisor) attempted(tx *durable.Tx, id string) {
	calls := s.newsCalls[id]
	if len(calls) == 0 {
		return
	}
	delete(s.newsCalls, id)
	d, found := run.FindDelivery(tx, id)
	for _, call := range calls {
		s.answerNews(call, deliveryState(d, found))
	}
}
