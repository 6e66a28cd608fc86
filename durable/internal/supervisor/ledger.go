package supervisor

import (
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about the actions of helpers whose keys the root keeps. Their requests go up with
// those for hosted runs, and their answers come down in the same calls.

// Ledger is the ledger of actions, if a tool of the agents has a key.
type Ledger interface {
	// Pending returns the requests of this helper that the root is not known to have heard.
	Pending(tx *durable.Tx, most int) []facet.HostRequest
	// Told takes the root's answer.
	Told(tx *durable.Tx, reply []byte)
	// Serve does what a helper asks of this root, and returns the answer. keep is how long the root
	// remembers keys, and 0 means the default.
	Serve(tx *durable.Tx, req *facet.HostRequest, keep time.Duration) (reply []byte)
	// Woken returns what calls of helpers have still to be told, and Heard notes that one was told.
	Woken(tx *durable.Tx, most int) []LedgerNews
	Heard(tx *durable.Tx, id int64)
}

// LedgerNews is what the helper at the end of a path is to be told.
type LedgerNews struct {
	ID    int64
	Path  []run.Hop
	Reply []byte
}

// actionPrefix begins the names of calls with the ledger's answers. What the call tells follows, and
// the run whose helper is called.
const actionPrefix = "action/"

// tellAgainIn is how long to wait until a helper is told again, in milliseconds.
const tellAgainIn = 15_000

// AskLedger sends a request to the root's ledger as soon as something goes up.
func (s *Supervisor) AskLedger(tx *durable.Tx, req facet.HostRequest) {
	s.asks = 0
	s.enqueueRequest(&req)
	tx.Schedule(DueAsk, "", tx.Now)
	s.report(tx, Asks{})
}

// pendingActions returns the ledger's requests that the root is not known to have heard.
func (s *Supervisor) pendingActions(tx *durable.Tx) []facet.HostRequest {
	if s.config.Ledger == nil {
		return nil
	}
	return s.config.Ledger.Pending(tx, maxRequests)
}

// serveLedger answers a helper's request to the ledger. A lost answer is asked for again.
func (s *Supervisor) serveLedger(tx *durable.Tx, req *facet.HostRequest) {
	if s.config.Ledger == nil || below(tx, req.Path) == nil {
		return
	}
	s.tellLedger(tx, req.Run, req.Path, s.config.Ledger.Serve(tx, req, s.config.KeepOnce))
}

// tellLedger sends the ledger's answer down a path, and says whether there is somebody to be told.
func (s *Supervisor) tellLedger(tx *durable.Tx, name string, path []run.Hop, reply []byte) bool {
	next := below(tx, path)
	if next == nil {
		return false
	}
	sendTo(tx, next, facet.CallHosted+actionPrefix+name+"/"+next.ID, &facet.HostedNews{Generation: path[0].Generation, Path: path[1:], Action: reply})
	return true
}

// TellWoken tells the calls of helpers that have waited for a key that they can ask again.
func (s *Supervisor) TellWoken(tx *durable.Tx) {
	if s.config.Ledger == nil {
		return
	}
	woken := s.config.Ledger.Woken(tx, maxRequests)
	for _, w := range woken {
		if !s.tellLedger(tx, strconv.FormatInt(w.ID, 10), w.Path, w.Reply) {
			s.config.Ledger.Heard(tx, w.ID)
		}
	}
	if len(woken) > 0 {
		tx.Schedule(dueLedger, "", tx.Now+tellAgainIn)
	}
}

// ledgerHeard notes that a helper has heard, or is gone.
func (s *Supervisor) ledgerHeard(tx *durable.Tx, name string, data []byte, failure string) {
	res, err := facet.TellHosted.Result(data)
	if err != nil || failure != "" || s.config.Ledger == nil {
		return
	}
	what, id, _ := strings.Cut(strings.TrimPrefix(name, actionPrefix), "/")
	if r, ok := run.FindBrief(tx, id); ok && r.Slot > 0 {
		s.heardBelow(tx, []run.Hop{{Slot: r.Slot, Run: r.ID, Generation: r.Generation}}, res)
	}
	if n, err := strconv.ParseInt(what, 10, 64); err == nil {
		s.config.Ledger.Heard(tx, n)
	}
}
