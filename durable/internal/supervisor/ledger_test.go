package supervisor

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// waiting is a ledger with calls that are to be told something, or with requests that are to go up.
type waiting struct {
	calls    []*waitingCall
	requests []int64
}

type waitingCall struct {
	LedgerNotice
	again int64
}

func (l *waiting) Pending(_ *durable.Tx, after int64, most int) (list []facet.HostRequest) {
	for _, n := range l.requests {
		if n > after && len(list) < most {
			list = append(list, facet.HostRequest{Run: strconv.FormatInt(n, 10), Request: n, Action: []byte(`{}`)})
		}
	}
	return list
}

func (l *waiting) TakeReply(_ *durable.Tx, reply []byte) {
	n, _ := strconv.ParseInt(string(reply), 10, 64)
	l.requests = slices.DeleteFunc(l.requests, func(have int64) bool { return have == n })
}

func (l *waiting) Serve(*durable.Tx, *facet.HostRequest, time.Duration) []byte { return nil }

func (l *waiting) Notices(tx *durable.Tx, most int) (list []LedgerNotice) {
	slices.SortStableFunc(l.calls, func(a, b *waitingCall) int { return cmp.Compare(a.again, b.again) })
	for _, c := range l.calls {
		if c.again <= tx.Now && len(list) < most {
			list = append(list, c.LedgerNotice)
		}
	}
	return list
}

func (l *waiting) NotifyAgainAt(_ *durable.Tx, id, at int64) {
	for _, c := range l.calls {
		if c.ID == id {
			c.Attempts++
			c.again = at
		}
	}
}

func (l *waiting) NextNotice(tx *durable.Tx) (next int64) {
	for _, c := range l.calls {
		if c.again > tx.Now && (next == 0 || c.again < next) {
			next = c.again
		}
	}
	return next
}

func (l *waiting) Acknowledge(_ *durable.Tx, id int64) {
	l.calls = slices.DeleteFunc(l.calls, func(c *waitingCall) bool { return c.ID == id })
}

// told returns the names of the calls that tell something, since it was called last.
func (s *scene) told() (names []string) {
	s.tx.Rewrite(func(c durable.Command) []durable.Command {
		if call, ok := c.(durable.Call); ok {
			if name, ok := strings.CutPrefix(call.Call, facet.CallHosted); ok {
				names = append(names, name)
			}
		}
		return nil
	})
	return names
}

// TestUnreachableHelperBlocksNoOther has twenty calls of a helper wait that cannot be reached, and
// twenty calls of another one. These are told at once, and those are given up at last.
func TestUnreachableHelperBlocksNoOther(t *testing.T) {
	s := newScene(t)
	ledger := &waiting{}
	s.config.Ledger = ledger
	for _, id := range []string{"lost", "there"} {
		r := s.Accept(s.tx, run.Run{ID: id, Class: "Researcher"}, false)
		run.Move(s.tx, &r, run.Running, run.Result{})
		for range 20 {
			hop := run.Hop{Slot: r.Slot, Run: r.ID, Generation: r.Generation}
			ledger.calls = append(ledger.calls, &waitingCall{LedgerNotice: LedgerNotice{ID: int64(len(ledger.calls) + 1), Path: []run.Hop{hop}, Reply: []byte(`{}`)}})
		}
	}
	s.told()
	begun, tries, most := s.tx.Now, map[string]int{}, 0
	s.NotifyWaiting(s.tx)
	for underWay := s.told(); ; {
		most = max(most, len(underWay))
		if len(underWay) > 0 {
			name := underWay[0]
			tries[name]++
			if strings.HasSuffix(name, "/lost") {
				s.newsReturned(s.tx, name, nil, "it is gone")
			} else {
				s.newsReturned(s.tx, name, response(facet.TellHosted, facet.HostedResult{Taken: true}), "")
			}
			underWay = append(underWay[1:], s.told()...)
			continue
		}
		if s.tx.Now == begun && len(ledger.calls) != 20 {
			t.Errorf("%d calls wait after the first round, want 20", len(ledger.calls))
		}
		if !s.tx.Scheduled(dueLedger, "") {
			break
		}
		s.handleDue()
		underWay = s.told()
	}
	if most != maxRequests {
		t.Errorf("%d calls were under way at once, want %d", most, maxRequests)
	}
	for name, n := range tries {
		if want := map[bool]int{true: len(ledgerBackoff) + 1, false: 1}[strings.HasSuffix(name, "/lost")]; n != want {
			t.Errorf("%s was told %d times, want %d", name, n, want)
		}
	}
	if len(tries) != 40 || len(ledger.calls) != 0 {
		t.Errorf("%d calls were told, and %d wait", len(tries), len(ledger.calls))
	}
}

// TestRequestsGoUpInTurn shows that requests whose answers are lost do not keep others from going up,
// and that an answer lets the next one go up.
func TestRequestsGoUpInTurn(t *testing.T) {
	s := newScene(t)
	s.config.Helper = true
	ledger := &waiting{}
	s.config.Ledger = ledger
	for n := range int64(40) {
		ledger.requests = append(ledger.requests, n+1)
	}
	up := func() (numbers []int64) {
		for taken := s.TakeRequests(s.tx); len(taken) > 0; taken = s.TakeRequests(s.tx) {
			for _, req := range taken {
				numbers = append(numbers, req.Request)
			}
		}
		return numbers
	}
	want := func(what string, first, last int64) {
		t.Helper()
		got := up()
		if int64(len(got)) != last-first+1 || got[0] != first || got[len(got)-1] != last {
			t.Errorf("%s: %d go up, want %d to %d", what, got, first, last)
		}
	}
	s.askAgain(s.tx)
	want("at first", 1, 16)
	s.askAgain(s.tx)
	want("without an answer", 17, 32)
	for n := range int64(8) {
		s.takeNews(s.tx, "call", &facet.HostedNews{Action: []byte(strconv.FormatInt(n+1, 10))}, true)
		want("after an answer", 33+n, 33+n)
	}
	s.takeNews(s.tx, "call", &facet.HostedNews{Action: []byte(`9`)}, true)
	if got := up(); got != nil {
		t.Errorf("%d go up once more at once", got)
	}
	s.askAgain(s.tx)
	want("from the beginning", 10, 25)
}
