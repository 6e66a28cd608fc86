package supervisor

import (
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
)

// Services are two ledgers with one way up and down. The requests of the first have even numbers, and those
// of the second odd ones.
type Services [2]Ledger

var _ Ledger = Services{}

// Pending implements [Ledger].
func (s Services) Pending(tx *durable.Tx, after int64, most int) (list []facet.HostRequest) {
	for i, l := range s {
		if l == nil {
			continue
		}
		for _, req := range l.Pending(tx, (after-int64(i))>>1, most) {
			list = append(list, s.number(i, req))
		}
	}
	slices.SortFunc(list, func(a, b facet.HostRequest) int { return int(a.Request - b.Request) })
	return list[:min(len(list), most)]
}

// AskSecond sends a request to the second ledger of the root.
func (s *Supervisor) AskSecond(tx *durable.Tx, req facet.HostRequest) {
	s.askLedger(tx, Services{}.number(1, req))
}

// number returns a request of a ledger with the number that it has on its way.
func (Services) number(i int, req facet.HostRequest) facet.HostRequest {
	req.Request = req.Request<<1 + int64(i)
	return req
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
	i, own := req.Request&1, *req
	if own.Request >>= 1; s[i] == nil {
		return nil
	}
	return s[i].Serve(tx, &own, keep)
}

// Notices implements [Ledger].
func (s Services) Notices(tx *durable.Tx, most int) (list []LedgerNotice) {
	for i, l := range s {
		if l == nil {
			continue
		}
		for _, w := range l.Notices(tx, most-len(list)) {
			w.ID = w.ID<<1 + int64(i)
			list = append(list, w)
		}
	}
	return list
}

// NotifyAgainAt implements [Ledger].
func (s Services) NotifyAgainAt(tx *durable.Tx, id, at int64) {
	if l := s[id&1]; l != nil {
		l.NotifyAgainAt(tx, id>>1, at)
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
		l.Acknowledge(tx, id>>1)
	}
}
