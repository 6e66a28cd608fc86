package supervisor

import (
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
)

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
