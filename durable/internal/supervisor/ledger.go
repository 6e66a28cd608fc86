package supervisor

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about the actions of helpers whose keys the root keeps. Their requests go up with
// those for hosted runs, and their answers come down in the same calls.

// Ledger is the ledger of actions, if a tool of the agents has a key. Its requests and notices have even numbers on their
// way. Those of the servers of the Model Context Protocol have odd ones, see [Services].
type Ledger interface {
	// Pending returns the requests of this helper that the root is not known to have heard, oldest
	// first, behind the one with a number.
	Pending(tx *durable.Tx, after int64, most int) []facet.HostRequest
	// TakeReply takes the root's answer.
	TakeReply(tx *durable.Tx, reply []byte)
	// Serve does what a helper asks of this root, and returns the answer. keep is how long the root
	// remembers keys, and 0 means the default.
	Serve(tx *durable.Tx, req *facet.HostRequest, keep time.Duration) (reply []byte)
	// Notices returns the notices to helpers that are due, those first that were not sent yet. NotifyAgainAt
	// counts an attempt to deliver one, and says when the next attempt is due. NextNotice returns when the next
	// notice is due, or 0. Acknowledge ends a notice: the helper has it, or it is given up.
	Notices(tx *durable.Tx, most int) []LedgerNotice
	NotifyAgainAt(tx *durable.Tx, id, at int64)
	NextNotice(tx *durable.Tx) int64
	Acknowledge(tx *durable.Tx, id int64)
}

// LedgerNotice is a notice to the helper at the end of a path.
type LedgerNotice struct {
	ID    int64
	Path  []run.Hop
	Reply []byte
	// Attempts is how often it was sent.
	Attempts int
}

// ledgerBackoff is how long to wait until a helper is told again, in milliseconds. After the last time
// it is not told any more.
var ledgerBackoff = durable.Backoff{15_000, 30_000, 120_000, 600_000, 3_600_000, 3_600_000, 3_600_000, 3_600_000, 3_600_000, 3_600_000}

// AskLedger sends a request to the root's ledger as soon as something goes up.
func (s *Supervisor) AskLedger(tx *durable.Tx, req facet.HostRequest) {
	s.asks = 0
	acknowledged(tx, owed{kind: owedRequest})
	s.enqueueRequest(&req)
	tx.Schedule(DueAsk, "", tx.Now)
	s.report(tx, Asks{})
}

// enqueueActions has requests to the ledger go up that the root is not known to have heard, and says
// how many. It goes on behind those of the last time, so that none waits for an answer to others.
func (s *Supervisor) enqueueActions(tx *durable.Tx, most int) int {
	if s.config.Ledger == nil {
		return 0
	}
	list := s.config.Ledger.Pending(tx, s.askedTo, most)
	if len(list) == 0 && s.askedTo > 0 {
		list = s.config.Ledger.Pending(tx, 0, most)
	}
	for i := range list {
		s.enqueueRequest(&list[i])
		s.askedTo = list[i].Request
	}
	return len(list)
}

// enqueueNextAction has the next request to the ledger go up, behind those that were repeated, because
// one of them was answered.
func (s *Supervisor) enqueueNextAction(tx *durable.Tx) {
	if s.config.Ledger == nil || s.askedTo == 0 {
		return
	}
	for _, req := range s.config.Ledger.Pending(tx, s.askedTo, 1) {
		s.askedTo = req.Request
		s.enqueueRequest(&req)
		s.report(tx, Asks{})
	}
}

// hasPendingActions says whether there are requests to the ledger that the root is not known to have
// heard.
func (s *Supervisor) hasPendingActions(tx *durable.Tx) bool {
	return s.config.Ledger != nil && len(s.config.Ledger.Pending(tx, 0, 1)) > 0
}

// serveLedger answers a helper's request to the ledger. A lost answer is asked for again.
func (s *Supervisor) serveLedger(tx *durable.Tx, req *facet.HostRequest) {
	if s.config.Ledger == nil || firstHop(tx, req.Path) == nil {
		return
	}
	s.sendReply(tx, req.Run, req.Path, s.config.Ledger.Serve(tx, req, s.config.KeepOnce))
}

// sendReply sends the ledger's answer down a path, and says whether there is somebody to be told.
func (s *Supervisor) sendReply(tx *durable.Tx, name string, path []run.Hop, reply []byte) bool {
	next := firstHop(tx, path)
	if next == nil {
		return false
	}
	sendTo(tx, next, facet.CallHosted+actionPrefix+name+"/"+next.ID, &facet.HostedNews{Generation: path[0].Generation, Path: path[1:], Action: reply})
	return true
}

// NotifyWaiting tells the calls of helpers that have waited for a key that they can ask again.
func (s *Supervisor) NotifyWaiting(tx *durable.Tx) { s.notifyWaiting(tx, maxRequests) }

// notifyWaiting tells that number of calls at most. When one of them returns, the next call is told, so
// that there are never many under way, and nobody waits for a helper that cannot be reached.
func (s *Supervisor) notifyWaiting(tx *durable.Tx, most int) {
	if s.config.Ledger == nil {
		return
	}
	for most > 0 {
		woken := s.config.Ledger.Notices(tx, most)
		if len(woken) == 0 {
			break
		}
		for _, w := range woken {
			switch {
			case w.Attempts > len(ledgerBackoff):
				tx.Log(durable.Error, "a call of a helper that waits for a key is given up: the helper cannot be told", "run", w.Path[0].Run)
				s.config.Ledger.Acknowledge(tx, w.ID)
			case s.sendReply(tx, strconv.FormatInt(w.ID, 10), w.Path, w.Reply):
				s.config.Ledger.NotifyAgainAt(tx, w.ID, tx.Now+ledgerBackoff.Wait(w.Attempts+1))
				most--
			default: // the helper is gone
				s.config.Ledger.Acknowledge(tx, w.ID)
			}
		}
	}
	switch next := s.config.Ledger.NextNotice(tx); {
	case tx.ScheduledBefore(dueLedger, "", tx.Now+1): // others are to be told now
	case next > 0:
		tx.Schedule(dueLedger, "", next)
	default:
		tx.Unschedule(dueLedger, "")
	}
}

// ledgerAcknowledged notes that a helper has heard, or is gone.
func (s *Supervisor) ledgerAcknowledged(tx *durable.Tx, name string, data []byte, failure string) {
	res, err := facet.TellHosted.Result(data)
	if s.config.Ledger == nil {
		return
	}
	if err != nil || failure != "" {
		s.notifyWaiting(tx, 1) // another one
		return
	}
	what, id, _ := strings.Cut(strings.TrimPrefix(name, actionPrefix), "/")
	if r, ok := run.FindBrief(tx, id); ok && r.Slot > 0 {
		s.helperReported(tx, []run.Hop{{Slot: r.Slot, Run: r.ID, Generation: r.Generation}}, res)
	}
	if n, err := strconv.ParseInt(what, 10, 64); err == nil {
		s.config.Ledger.Acknowledge(tx, n)
		s.notifyWaiting(tx, 1)
	}
}

// Services are two ledgers with one way up and down. The requests and the notices of the first have even numbers, and those
// of the second odd ones, whether or not the other ledger is there.
type Services [2]Ledger

var _ Ledger = Services{}

// Pending implements [Ledger].
func (s Services) Pending(tx *durable.Tx, after int64, most int) (list []facet.HostRequest) {
	for _, l := range s {
		if l != nil {
			list = append(list, l.Pending(tx, after, most)...)
		}
	}
	slices.SortFunc(list, func(a, b facet.HostRequest) int { return int(a.Request - b.Request) })
	return list[:min(len(list), most)]
}

// TakeReply implements [Ledger]. Each ledger knows its own replies.
func (s Services) TakeReply(tx *durable.Tx, reply []byte) {
	for _, l := range s {
		if l != nil {
			l.TakeReply(tx, reply)
		}
	}
}

// Serve implements [Ledger].
func (s Services) Serve(tx *durable.Tx, req *facet.HostRequest, keep time.Duration) (reply []byte) {
	if l := s[req.Request&1]; l != nil {
		return l.Serve(tx, req, keep)
	}
	return nil
}

// Notices implements [Ledger].
func (s Services) Notices(tx *durable.Tx, most int) (list []LedgerNotice) {
	for _, l := range s {
		if l != nil {
			list = append(list, l.Notices(tx, most-len(list))...)
		}
	}
	return list
}

// NotifyAgainAt implements [Ledger].
func (s Services) NotifyAgainAt(tx *durable.Tx, id, at int64) {
	if l := s[id&1]; l != nil {
		l.NotifyAgainAt(tx, id, at)
	}
}

// NextNotice implements [Ledger].
func (s Services) NextNotice(tx *durable.Tx) (next int64) {
	for _, l := range s {
		if l == nil {
			continue
		}
		if at := l.NextNotice(tx); at > 0 && (next == 0 || at < next) {
			next = at
		}
	}
	return next
}

// Acknowledge implements [Ledger].
func (s Services) Acknowledge(tx *durable.Tx, id int64) {
	if l := s[id&1]; l != nil {
		l.Acknowledge(tx, id)
	}
}
