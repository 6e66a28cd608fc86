package supervisor

import (
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// repeatedTo are the places at which something is repeated to a helper, or to the root, until that acknowledges it: what
// has it be repeated, the prefix of the call or stream, and the response that acknowledges it.
var repeatedTo = []struct {
	name   string
	begin  func(s *scene)
	prefix string
	// response is that of the helper to a call. data is what it sends in a stream.
	response []byte
	data     []byte
}{
	{
		name:   "a run that a helper is handed",
		begin:  func(s *scene) { s.begin(run.Starting) },
		prefix: facet.TailPrefix, data: heartbeat,
	},
	{
		name:   "the stream of a run",
		begin:  func(s *scene) { s.openTail(s.tx, s.begin(run.Running)) },
		prefix: facet.TailPrefix, data: heartbeat,
	},
	{
		name:   "a cancellation",
		begin:  func(s *scene) { s.Stop(s.tx, s.begin(run.Running), run.Cancelled, "enough") },
		prefix: facet.CallCancel, response: response(facet.Cancel, facet.CancelResult{}),
	},
	{
		name: "an answer",
		begin: func(s *scene) {
			r := s.begin(run.Waiting)
			delete(s.tailReaders, r.ID)
			s.Answer(s.tx, run.Answer{Run: r.ID, Call: "call", Approved: true})
		},
		prefix: facet.CallAnswer, response: response(facet.Answer, facet.AcceptResult{}),
	},
	{
		name: "a signal",
		begin: func(s *scene) {
			r := s.begin(run.Waiting)
			delete(s.tailReaders, r.ID)
			if _, state, _, err := s.Signal(s.tx, r.ID, run.Signal{Name: "go", Payload: []byte("1")}, ""); err != nil || state != run.SignalKept {
				panic("it was not kept")
			}
		},
		prefix: facet.CallSignal, response: response(facet.Signal, facet.SignalResult{Last: 1}),
	},
	{
		name: "a pause",
		begin: func(s *scene) {
			r := s.begin(run.Waiting)
			delete(s.tailReaders, r.ID)
			if err := s.Pause(s.tx, r.ID, "lunch"); err != nil {
				panic(err)
			}
		},
		prefix: facet.CallPause, response: response(facet.SetPaused, facet.PauseResult{Change: 1}),
	},
	{
		name: "a wake",
		begin: func(s *scene) {
			r := s.begin(run.Waiting)
			delete(s.tailReaders, r.ID)
			s.RequireWake(s.tx, r, s.tx.Now)
		},
		prefix: facet.CallWake, response: response(facet.Wake, facet.WakeResult{}),
	},
	{
		name: "news of a run that the root hosts",
		begin: func(s *scene) {
			p := s.Accept(s.tx, run.Run{ID: "p", Class: "Planner"}, false)
			run.Wait(s.tx, &p, []string{"call"}, nil)
			delete(s.tailReaders, p.ID)
			s.hostRequested(s.tx, &p, beginRequest("d", 1))
			d, _ := run.Find(s.tx, "d")
			run.Wait(s.tx, &d, []string{"call"}, nil)
			delete(s.tailReaders, d.ID)
			s.ArmReconcile(s.tx)
		},
		prefix: facet.CallHosted, response: response(facet.TellHosted, facet.HostedResult{Taken: true}),
	},
}

// heartbeat is what a helper sends that has nothing to say.
var heartbeat = wire.AppendFrame(wire.AppendStart(nil), wire.Frame{Kind: wire.KindHeartbeat})

// sent returns the names of the calls and streams of an event.
func (s *scene) sent() (names []string) {
	s.tx.Rewrite(func(c durable.Command) []durable.Command {
		switch c := c.(type) {
		case durable.Call:
			names = append(names, c.Call)
		case durable.OpenStream:
			names = append(names, c.Stream)
		}
		return nil
	})
	return names
}

// lose loses the memory of the object.
func (s *scene) lose() {
	s.Supervisor = New(s.config)
	s.Resume(s.tx)
}

const day = 24 * 60 * 60_000

// TestNothingIsRepeatedForEver has a helper never acknowledge anything: its calls fail, or hang, or fail while the memory
// is lost in every pause. Each thing that is repeated ends, or has pauses that grow to a day.
func TestNothingIsRepeatedForEver(t *testing.T) {
	for _, place := range repeatedTo {
		for _, way := range []string{"fails", "hangs", "fails, and the memory is lost"} {
			t.Run(place.name+" "+way, func(t *testing.T) {
				s := newScene(t)
				place.begin(s)
				n, longest, ended := s.ignored(t, place.prefix, way)
				if n < 2 || n > 150 {
					t.Errorf("it was said %d times", n)
				}
				if !ended && longest < day {
					t.Errorf("it has no end, and the longest pause was %d s", longest/1000)
				}
			})
		}
	}
}

// ignored lets 60 days pass in which no helper acknowledges anything. It returns how often what has a prefix was said,
// the longest pause behind it, and whether it has ended.
func (s *scene) ignored(t *testing.T, prefix, way string) (n int, longest int64, ended bool) {
	t.Helper()
	begun, last := s.tx.Now, s.tx.Now
	for range 1_000 {
		for names := s.sent(); len(names) > 0; names = s.sent() {
			for _, name := range names {
				if strings.HasPrefix(name, prefix) {
					n, longest, last = n+1, max(longest, s.tx.Now-last), s.tx.Now
				}
				if way != "hangs" {
					s.broke(name)
				}
			}
		}
		wait, ok := s.handleDue()
		if !ok || s.tx.Now > begun+60*day {
			return n, longest, s.tx.Now-last > 2*day || !ok
		}
		if strings.HasSuffix(way, "lost") && wait > 20_000 {
			s.lose()
		}
	}
	t.Fatalf("on day %d it still does something all the time: it was said %d times", (s.tx.Now-begun)/day, n)
	return 0, 0, false
}

// broke has a call or a stream fail.
func (s *scene) broke(name string) {
	kind, id, _ := strings.Cut(name, "/")
	if kind += "/"; kind != facet.TailPrefix {
		s.CallReturned(s.tx, kind, id, nil, "unreachable")
		return
	}
	if r, ok := run.Find(s.tx, id); ok {
		s.TailBroke(s.tx, r, "unreachable")
	}
}

// TestWhatIsAcknowledgedIsNotRepeated has a helper acknowledge everything at the fifth time. It is not said again, and
// nothing is left of the count.
func TestWhatIsAcknowledgedIsNotRepeated(t *testing.T) {
	for _, place := range repeatedTo {
		t.Run(place.name, func(t *testing.T) {
			s := newScene(t)
			place.begin(s)
			const at = 5
			n := 0
			for begun := s.tx.Now; s.tx.Now < begun+3*day; {
				for _, name := range s.sent() {
					if !strings.HasPrefix(name, place.prefix) {
						continue
					}
					n++
					id := strings.TrimPrefix(name, place.prefix)
					switch {
					case n < at: // it is lost
					case place.data != nil:
						s.Read(s.tx, id, place.data)
					default:
						s.CallReturned(s.tx, place.prefix, id, place.response, "")
					}
				}
				if n >= at {
					break
				}
				if _, ok := s.handleDue(); !ok {
					break
				}
			}
			if n != at {
				t.Fatalf("it was said %d times", n)
			}
			if rows := s.tx.SQL(`SELECT kind, id, tries FROM owed`); len(rows) > 0 {
				t.Errorf("it is still counted: %v", rows)
			}
			if place.data != nil { // the stream of a run that is at work is read
				if r := s.find(); r.Status != run.Running {
					t.Errorf("the run is %s", r.Status)
				}
				return
			}
			for until := s.tx.Now + day/2; ; {
				if _, ok := s.handleDue(); !ok || s.tx.Now > until {
					break
				}
				for _, name := range s.sent() {
					if strings.HasPrefix(name, place.prefix) {
						t.Errorf("it is said again: %s", name)
					}
				}
			}
		})
	}
}

// TestRequestGoesUpUntilTheRootHasHeard has a helper ask its root for a run, which never hears it, while the memory is
// lost in every pause. The pauses grow to a day. When the root tells of the run, nothing is asked any more.
func TestRequestGoesUpUntilTheRootHasHeard(t *testing.T) {
	s := newScene(t)
	s.config.Helper = true
	r := s.Accept(s.tx, run.Run{ID: "d", Class: "Reporter", Handler: "tell"}, false)
	asked, longest := 0, int64(0)
	for range 60 {
		wait, ok := s.handleDue()
		if !ok {
			break
		}
		asked += len(s.TakeRequests(s.tx))
		if longest = max(longest, wait); wait > 20_000 {
			s.lose()
		}
	}
	if asked < 10 || longest < day {
		t.Errorf("the root was asked %d times, with pauses of %d s at most", asked, longest/1000)
	}
	s.News(s.tx, "1", &facet.HostedNews{Run: "d", Request: r.Seq, Status: string(run.Starting)})
	if s.tx.Scheduled(DueAsk, "") || len(s.TakeRequests(s.tx)) > 0 || run.CountPendingHosted(s.tx) > 0 {
		t.Error("the root is asked again")
	}
	if rows := s.tx.SQL(`SELECT kind, id, tries FROM owed`); len(rows) > 0 {
		t.Errorf("it is still counted: %v", rows)
	}
}

// TestSlotIsWipedUntilThatIsDone loses the memory in the event that wipes a slot, and behind it.
func TestSlotIsWipedUntilThatIsDone(t *testing.T) {
	s := newScene(t)
	r := s.begin(run.Running)
	s.releaseSlot(s.tx, &r)
	commands[durable.DeleteFacet](s)
	for life, want := range []int{1, 0, 0} {
		s.Supervisor = New(s.config)
		s.RewipeSlots(s.tx)
		if got := commands[durable.DeleteFacet](s); got != want {
			t.Errorf("life %d wipes %d slots, want %d", life+2, got, want)
		}
		s.NoteWiped(s.tx)
	}
}

// TestPausesGrowBesideOtherWork has one helper acknowledge nothing, while another one is at work and is looked after every
// half minute for half a day. The first one is not called each time.
func TestPausesGrowBesideOtherWork(t *testing.T) {
	for _, place := range repeatedTo[2:6] {
		t.Run(place.name, func(t *testing.T) {
			s := newScene(t)
			place.begin(s)
			busy := s.Accept(s.tx, run.Run{ID: "busy", Class: "Researcher"}, false)
			n, looks := 0, 0
			for until := s.tx.Now + day/2; s.tx.Now < until; {
				for _, name := range s.sent() {
					switch {
					case name == facet.TailPrefix+busy.ID:
						looks++
						s.Read(s.tx, busy.ID, heartbeat)
					case strings.HasPrefix(name, place.prefix):
						n++
					}
				}
				if _, ok := s.handleDue(); !ok {
					break
				}
			}
			if n < 2 || n > 20 || looks < 100 {
				t.Errorf("it was said %d times, beside %d looks at the other", n, looks)
			}
		})
	}
}

// TestOpeningUsesUpNoPauses shows that what is not acknowledged is sent each time the object opens, however often that is
// in a moment, and that it waits for its time behind the short pauses.
func TestOpeningUsesUpNoPauses(t *testing.T) {
	for _, place := range repeatedTo {
		switch place.prefix {
		case facet.CallCancel, facet.CallAnswer, facet.CallSignal, facet.CallPause:
		default:
			continue
		}
		t.Run(place.name, func(t *testing.T) {
			s := newScene(t)
			place.begin(s)
			isSent := func() bool {
				return slices.ContainsFunc(s.sent(), func(name string) bool { return strings.HasPrefix(name, place.prefix) })
			}
			isSent()
			for n := range 3 * shortPauses {
				if s.lose(); !isSent() {
					t.Fatalf("opened for the %dth time, it does not send it", n+1)
				}
			}
			for range shortPauses {
				s.tx.Now += checkDelay
				s.lose()
				isSent()
			}
			if s.lose(); isSent() {
				t.Errorf("it is sent again at once behind %d pauses", shortPauses)
			}
		})
	}
}
