package supervisor

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/attempt"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// This file is the root's side of the detached runs that helpers begin. The root hosts each as a
// run of its own, and tells the helper that has begun it, its origin, whatever becomes of it.

// maxNotices is how many calls in a row may fail until an origin counts as gone.
const maxNotices = 7

// notice is what is known of an origin that is being told of a run.
type notice struct {
	// calling says that a call has not returned, and again that there is more to tell since.
	calling, again bool
	// watched says that what is to be told is for people who watch the origin alone.
	watched bool
	// through is the run whose helper is called.
	through string
	// retry says that a dead letter is to be delivered again.
	retry bool
	// waits counts the calls since the last one that had an effect.
	waits int
	// tries counts the calls since the last one that was answered, and counted says that the call under way is one
	// of them.
	tries   int
	counted bool
	// milestones is how many milestones of the run the origin was told. told is how many it is being
	// told.
	milestones, told int64
}

// host does what a helper has asked for.
func (s *Supervisor) host(tx *durable.Tx, req *facet.HostRequest) {
	if req.Action != nil {
		s.serveLedger(tx, req)
		return
	}
	origin := &run.Origin{Path: req.Path, Request: req.Request}
	r, ok := run.Find(tx, req.Run)
	if ok && r.Origin.Same(origin) && (req.Begin == nil || r.Origin.Request == req.Request) {
		s.hostAgain(tx, &r, req)
		return
	}
	if req.Begin == nil {
		s.notifyRefused(tx, req, run.Result{Reason: run.Refused, Failure: fmt.Sprintf("there is no run %.80q", req.Run)})
		return
	}
	asked := req.Begin.Run(req.Run)
	asked.Origin = origin
	Detach(asked)
	if err := CheckID(asked.ID); err != nil {
		s.notifyRefused(tx, req, run.Result{Reason: run.Refused, Failure: err.Error()})
		return
	}
	have, joined, err := run.Join(tx, *asked)
	switch {
	case err != nil:
		s.notifyRefused(tx, req, run.Result{Reason: run.OtherInput, Failure: err.Error()})
		return
	case joined:
		r = have
	default:
		r = s.Accept(tx, *asked, req.Begin.NoQueue)
	}
	s.hostAgain(tx, &r, req)
}

// hostAgain answers a request for a run that is hosted.
func (s *Supervisor) hostAgain(tx *durable.Tx, r *run.Run, req *facet.HostRequest) {
	if req.Cancel != "" {
		s.Stop(tx, *r, run.Cancelled, req.Cancel)
		*r, _ = run.Find(tx, r.ID)
	}
	s.notifyOrigin(tx, r, false)
}

// notifyOrigin tells a run's origin what has become of the run. It is told until it has acknowledged that.
func (s *Supervisor) notifyOrigin(tx *durable.Tx, r *run.Run, watched bool) {
	if r.Origin == nil || watched && !s.originWatched(tx, r) {
		return
	}
	t := s.notice(r.ID)
	t.watched = t.watched && watched
	tx.Schedule(dueNotice, r.ID, tx.Now+max(checkDelay, durable.UntilAcknowledged.Wait(t.tries)))
	if t.calling {
		t.again = true
		return
	}
	s.sendNews(tx, r.ID, t)
}

func (s *Supervisor) notice(id string) *notice {
	if s.notices == nil {
		s.notices = map[string]*notice{}
	}
	if s.notices[id] == nil {
		s.notices[id] = &notice{watched: true}
	}
	return s.notices[id]
}

// notifyOriginAgain tells a run's origin of its end once more, and has it deliver a dead letter again.
func (s *Supervisor) notifyOriginAgain(tx *durable.Tx, r *run.Run) {
	s.notice(r.ID).retry = true
	s.notifyOrigin(tx, r, false)
}

// originWatched says whether a browser may be connected to a run's origin.
func (s *Supervisor) originWatched(tx *durable.Tx, r *run.Run) bool {
	next := firstHop(tx, r.Origin.Path)
	return next != nil && s.config.Watched(tx, *next)
}

// isNotified says whether the helper of a run is being told of a hosted run, or is to pass that on.
func (s *Supervisor) isNotified(r run.Run) bool {
	for _, t := range s.notices {
		if t.calling && t.through == r.ID {
			return true
		}
	}
	for _, f := range s.forwarded {
		if f.news.Path[0].Run == r.ID {
			return true
		}
	}
	return false
}

// firstHop finds the run of the first helper of a path. It returns nil if that helper is gone.
func firstHop(tx *durable.Tx, path []run.Hop) *run.Run {
	if len(path) == 0 {
		return nil
	}
	r, ok := run.FindBrief(tx, path[0].Run)
	if !ok || r.Slot == 0 || r.Slot != path[0].Slot || r.Generation != path[0].Generation {
		return nil
	}
	return &r
}

// sendNews calls the first helper on the way to a run's origin.
func (s *Supervisor) sendNews(tx *durable.Tx, id string, t *notice) {
	r, ok := run.Find(tx, id)
	if !ok {
		s.endNotice(tx, id)
		return
	}
	next := firstHop(tx, r.Origin.Path)
	if next == nil {
		s.originGone(tx, &r)
		return
	}
	t.calling, t.again, t.through = true, false, next.ID
	sendTo(tx, next, facet.CallHosted+r.ID, s.newsOf(tx, &r, t))
	t.watched, t.retry = true, false
}

// newsOf returns what a run's origin is told.
func (s *Supervisor) newsOf(tx *durable.Tx, r *run.Run, t *notice) *facet.HostedNews {
	n := &facet.HostedNews{
		Generation: r.Origin.Path[0].Generation, Path: r.Origin.Path[1:], Run: r.ID, Request: r.Origin.Request, Status: string(r.Status), Refused: r.Refused(),
		Result: r.Outcome(), Usage: r.Usage, Watched: t.watched, Retry: t.retry,
	}
	if r.Origin.Request == 0 { // the helper learns that there is such a run before anything else of it
		n.Status, n.Result, n.Whole = string(run.Starting), run.Outcome{}, facet.HostedRunOf(r)
		return n
	}
	if r.Status == run.Paused {
		n.Why = r.Pause.Why
	}
	if t.told = r.Milestones; t.milestones < r.Milestones {
		n.Milestones = stream.Milestones(tx, r.Log(), t.milestones)
	}
	if r.Progress != nil {
		n.Report = facet.Report{N: r.Reports, Progress: *r.Progress}
	}
	if d, found := run.FindDelivery(tx, r.ID); found && r.Status.Final() && d.State == attempt.Waiting {
		n.Owed, n.Whole, n.Claims = true, facet.HostedRunOf(r), d.Claims
	}
	return n
}

// notifyRefused tells a helper that its run cannot be hosted. The root keeps no row of such a run. If
// the call is lost, the helper asks again.
func (s *Supervisor) notifyRefused(tx *durable.Tx, req *facet.HostRequest, why run.Result) {
	if next := firstHop(tx, req.Path); next != nil {
		sendTo(tx, next, facet.CallHosted+"refused/"+req.Run, &facet.HostedNews{
			Generation: req.Path[0].Generation, Path: req.Path[1:], Run: req.Run, Request: req.Request, Status: string(run.Failed), Refused: true,
			Result: run.Outcome{Run: req.Run, Status: run.Failed, Failure: why.Failure, Reason: why.Reason},
		})
	}
}

// sendTo calls the helper of a run.
func sendTo(tx *durable.Tx, next *run.Run, call string, n *facet.HostedNews) {
	tx.Do(durable.Call{Call: call, To: facet.Of(*next), Data: facet.TellHosted.Request(*n)})
}

// newsReturned handles an origin's answer.
func (s *Supervisor) newsReturned(tx *durable.Tx, id string, data []byte, failure string) {
	if strings.HasPrefix(id, actionPrefix) {
		s.ledgerAcknowledged(tx, id, data, failure)
		return
	}
	t, ok := s.notices[id]
	r, known := run.Find(tx, id)
	if !ok || !known {
		return
	}
	t.calling = false
	res, err := facet.TellHosted.Result(data)
	if failure == "" && err != nil {
		failure = err.Error()
	}
	if failure != "" {
		s.newsLost(tx, &r, t, failure)
		return
	}
	acknowledged(tx, owed{owedNews, id})
	t.tries, t.counted = 0, false
	t.milestones = max(t.milestones, t.told)
	s.helperReported(tx, r.Origin.Path, res)
	if r.Origin.Request == 0 {
		run.OriginKnows(tx, &r)
		t.again = true
	}
	d, owed := run.FindDelivery(tx, id)
	owed = owed && r.Status.Final() && d.State == attempt.Waiting
	switch {
	case t.again:
		t.waits = 0
		s.sendNews(tx, id, t)
	case res.Gone && owed:
		s.originGone(tx, &r)
	case res.Dead && owed:
		s.endNotice(tx, id)
		d.State, d.Attempts, d.Failure = run.Dead, res.Attempts, res.Failure
		s.deliveryDied(tx, &r, &d)
	case res.Taken && owed:
		s.endNotice(tx, id)
		s.delivered(tx, &r, &d)
	case owed: // the handler is called again later
		t.waits++
		tx.Schedule(dueNotice, id, tx.Now+durable.UntilAcknowledged.Wait(t.waits))
	case r.Status.Final():
		s.endNotice(tx, id)
	default:
		t.waits = 0
		tx.Unschedule(dueNotice, id)
	}
}

// helperReported notes what the first helper of a path has said of itself.
func (s *Supervisor) helperReported(tx *durable.Tx, path []run.Hop, res facet.HostedResult) {
	if next := firstHop(tx, path); next != nil {
		s.ScheduleWake(tx, next.ID, res.Waken)
		s.NoteIdle(tx, *next, res.Idle)
		if res.GoesOn {
			s.resumeDormant(tx, *next)
		}
	}
}

// newsLost has an origin told again that could not be reached, or gives it up.
func (s *Supervisor) newsLost(tx *durable.Tx, r *run.Run, t *notice, why string) {
	if !t.counted {
		t.tries = countRepetition(tx, owed{owedNews, r.ID}, durable.UntilAcknowledged)
	}
	t.counted = false
	tx.Log(durable.Warn, "the helper that has begun a run could not be told of it", "run", r.ID, "error", why)
	if t.tries >= maxNotices && r.Status.Final() {
		s.originGone(tx, r)
		return
	}
	t.watched = false
	tx.Schedule(dueNotice, r.ID, tx.Now+durable.UntilAcknowledged.Wait(t.tries))
}

// noticeDue tells a run's origin again.
func (s *Supervisor) noticeDue(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	if !ok {
		return
	}
	if t := s.notices[id]; t == nil || t.calling { // the call was lost with the memory, or has hung
		t = s.notice(id)
		t.calling = false
		s.countNews(tx, id, t)
	}
	s.notifyOrigin(tx, &r, false)
}

// countNews counts that an origin is told again because no answer to the last call has come.
func (s *Supervisor) countNews(tx *durable.Tx, id string, t *notice) {
	t.tries, t.counted = countRepetition(tx, owed{owedNews, id}, durable.UntilAcknowledged), true
}

// endNotice notes that a run's origin is told nothing more.
func (s *Supervisor) endNotice(tx *durable.Tx, id string) {
	delete(s.notices, id)
	tx.Unschedule(dueNotice, id)
	acknowledged(tx, owed{owedNews, id})
}

// originGone hands the end of a run to this object's own handler of the name, because its origin is
// gone. Without one, the end is a dead letter.
func (s *Supervisor) originGone(tx *durable.Tx, r *run.Run) {
	s.endNotice(tx, r.ID)
	d, found := run.FindDelivery(tx, r.ID)
	if !found || !r.Status.Final() || d.State != attempt.Waiting {
		return
	}
	if s.config.HasHandler(d.Handler) {
		d.Claim()
		run.KeepAttempts(tx, d)
		tx.Schedule(DueDelivery, r.ID, tx.Now)
		return
	}
	d.State, d.Failure = run.Dead, fmt.Sprintf("the helper that has begun the run is gone, and %s has no handler named %.80q", s.config.Class, d.Handler)
	s.deliveryDied(tx, r, &d)
}

// deliveryDied keeps the end of a run as a dead letter. Nobody wants one of a conversation that was
// cleared.
func (s *Supervisor) deliveryDied(tx *durable.Tx, r *run.Run, d *run.Delivery) {
	if d.Last {
		s.delivered(tx, r, d)
		return
	}
	run.KeepAttempts(tx, *d)
	logUndelivered(tx, d)
}

// delivered notes that the handler of a run has taken its end.
func (s *Supervisor) delivered(tx *durable.Tx, r *run.Run, d *run.Delivery) {
	run.Delivered(tx, *d)
	if d.Last {
		s.Wipe(tx, *r)
	}
}

// reopenHosted notes after a loss of memory which runs are hosted for helpers. What they have still to
// be told is due by the schedule.
func (s *Supervisor) reopenHosted(tx *durable.Tx, active []run.Run) {
	before := repeated(tx)
	for _, r := range active {
		if r.Origin == nil || before[owed{owedNews, r.ID}].next > tx.Now {
			continue
		}
		if t := s.notice(r.ID); tx.Scheduled(dueNotice, r.ID) {
			t.watched = false
			s.countNews(tx, r.ID, t)
			s.notifyOrigin(tx, &r, false)
		}
	}
}

// NotifyWatched tells the origins below a run's helper of their runs, because a browser now watches
// one of them.
func (s *Supervisor) NotifyWatched(tx *durable.Tx, watched run.Run) {
	if len(s.notices) == 0 { // no origin was told of a run that goes on
		return
	}
	for _, r := range run.UnfinishedFor(tx) {
		if next := firstHop(tx, r.Origin.Path); next != nil && next.ID == watched.ID {
			s.notifyOrigin(tx, &r, true)
		}
	}
}

// hostRequested takes what a helper, or one below it, asks the root to do.
func (s *Supervisor) hostRequested(tx *durable.Tx, from *run.Run, req *facet.HostRequest) {
	if req == nil || len(req.Path) >= maxDepth || !limit.IsID(req.Run, limit.ID) {
		tx.Log(durable.Warn, "a helper has asked for what cannot be", "run", from.ID)
		return
	}
	req.Path = append([]run.Hop{{Slot: from.Slot, Run: from.ID, Generation: from.Generation}}, req.Path...)
	if !s.config.Helper {
		s.host(tx, req)
		return
	}
	s.enqueueRequest(req)
	s.report(tx, Asks{})
}
