package supervisor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// hosting is a scene with a helper at work on the run p, and that helper's hop.
func hosting(t *testing.T) (*scene, run.Run, run.Hop) {
	t.Helper()
	s := newScene(t)
	p := s.Accept(s.tx, run.Run{ID: "p", Class: "Planner"}, false)
	run.Move(s.tx, &p, run.Running, run.Result{})
	commands[durable.OpenStream](s)
	return s, p, run.Hop{Slot: p.Slot, Run: p.ID, Generation: p.Generation}
}

func beginRequest(id string, request int64) *facet.HostRequest {
	return &facet.HostRequest{Run: id, Request: request, Begin: &facet.HostedRun{Class: "Reporter", Handler: "own", Input: []byte(`"x"`)}}
}

// TestRequestIsHostedOnce repeats a request, with the same number and with another one. The second is
// that of a helper which has forgotten its row.
func TestRequestIsHostedOnce(t *testing.T) {
	s, p, hop := hosting(t)
	for _, number := range []int64{1, 1, 2, 2} {
		s.hostRequested(s.tx, &p, beginRequest("d", number))
	}
	if n := commands[durable.OpenStream](s); n != 1 {
		t.Errorf("%d helpers were asked, want 1", n)
	}
	r, ok := run.Find(s.tx, "d")
	if !ok || r.Turn != 0 || r.Slot == 0 || r.Timeout == 0 || !r.Origin.Same(&run.Origin{Path: []run.Hop{hop}}) {
		t.Errorf("got %+v, %t", r, ok)
	}
}

// TestRequestOfAnotherIsRefused shows that a helper can neither cancel nor join a run that it has not
// begun, and that such a request leaves the run as it was.
func TestRequestOfAnotherIsRefused(t *testing.T) {
	for name, req := range map[string]*facet.HostRequest{
		"a cancellation of the root's run":     {Run: "r", Request: 1, Cancel: "no"},
		"a cancellation of no run":             {Run: "nobody", Request: 1, Cancel: "no"},
		"a beginning of the root's run":        {Run: "r", Request: 1, Begin: &facet.HostedRun{Class: "Researcher", Handler: "own"}},
		"a beginning with a name of no helper": {Run: "p", Request: 1, Begin: &facet.HostedRun{Class: "Planner", Handler: "own"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, p, _ := hosting(t)
			s.begin(run.Running)
			commands[durable.OpenStream](s)
			s.hostRequested(s.tx, &p, req)
			if r := s.find(); r.Status != run.Running || r.Origin != nil {
				t.Errorf("the run is %s, of %v", r.Status, r.Origin)
			}
			var told []facet.HostedNews
			s.tx.Rewrite(func(c durable.Command) []durable.Command {
				if call, ok := c.(durable.Call); ok && strings.HasPrefix(call.Call, facet.CallHosted+"refused/") {
					told = append(told, facet.HostedNews{})
				}
				return nil
			})
			if len(told) != 1 {
				t.Errorf("the helper was told %d times that it is refused, want once", len(told))
			}
			if list := run.Every(s.tx); len(list) != 2 {
				t.Errorf("there are %d runs, want 2", len(list))
			}
		})
	}
}

// TestRequestThatCannotBeIsDropped shows that a request from too deep, or for a run without a name,
// changes nothing.
func TestRequestThatCannotBeIsDropped(t *testing.T) {
	hop := run.Hop{Slot: 1, Run: "x", Generation: 1}
	deep := beginRequest("d", 1)
	deep.Path = []run.Hop{hop, hop, hop}
	for name, req := range map[string]*facet.HostRequest{
		"too deep":   deep,
		"no name":    beginRequest("", 1),
		"a long one": beginRequest(strings.Repeat("x", limit.ID+1), 1),
	} {
		t.Run(name, func(t *testing.T) {
			s, p, _ := hosting(t)
			s.hostRequested(s.tx, &p, req)
			if n := len(run.Every(s.tx)); n != 1 {
				t.Errorf("there are %d runs, want 1", n)
			}
		})
	}
}

// TestOriginThatCannotBeReached shows that the end of a run is tried ten times at its origin, which
// takes minutes, and then goes to the root's handler or is a dead letter.
func TestOriginThatCannotBeReached(t *testing.T) {
	for handler, dead := range map[string]bool{"tell": false, "own": true} {
		s, p, _ := hosting(t)
		req := beginRequest("d", 1)
		req.Begin.Handler = handler
		s.hostRequested(s.tx, &p, req)
		s.newsReturned(s.tx, "d", response(facet.TellHosted, facet.HostedResult{Taken: true}), "")
		r, _ := run.Find(s.tx, "d")
		s.endRun(s.tx, r, facet.Outcome{Status: string(run.Completed), Summary: "done"}, false)
		tries := 0
		for s.notices["d"] != nil && s.notices["d"].calling {
			tries++
			s.newsReturned(s.tx, "d", nil, "it is gone")
			for s.tx.Scheduled(dueNotice, "d") && !s.notices["d"].calling {
				s.handleDue()
			}
		}
		if tries != maxNotices {
			t.Errorf("%s: the origin was told %d times, want %d", handler, tries, maxNotices)
		}
		for s.handled == 0 && !dead && s.tx.Scheduled(DueDelivery, "d") {
			s.handleDue()
		}
		d, found := run.FindDelivery(s.tx, "d")
		if dead != (found && d.State == run.Dead) || dead == (s.handled == 1) {
			t.Errorf("%s: the handler was called %d times, and the letter is %v, %t", handler, s.handled, d, found)
		}
	}
}

// TestHelperPassesOnWhatIsAsked shows that a helper puts its own hop in front of a request, replaces an
// earlier copy, and holds a bounded number of them.
func TestHelperPassesOnWhatIsAsked(t *testing.T) {
	s, p, hop := hosting(t)
	s.config.Helper = true
	for range 2 {
		s.hostRequested(s.tx, &p, beginRequest("d", 1))
	}
	up := s.TakeRequests(s.tx)
	if len(up) != 1 || up[0].Run != "d" || len(up[0].Path) != 1 || up[0].Path[0] != hop {
		t.Errorf("got %+v", up)
	}
	for i := range 2 * maxRelayed {
		s.hostRequested(s.tx, &p, beginRequest(fmt.Sprint("d", i), 1))
	}
	held := 0
	for taken := s.TakeRequests(s.tx); len(taken) > 0; taken = s.TakeRequests(s.tx) {
		if held += len(taken); len(taken) > maxRequests {
			t.Errorf("%d go up at once, at most %d", len(taken), maxRequests)
		}
	}
	if held != maxRelayed || len(run.Every(s.tx)) != 1 {
		t.Errorf("%d requests are held, want %d, and %d runs", held, maxRelayed, len(run.Every(s.tx)))
	}
}
