package supervisor

import (
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// scene is a supervisor with a storage of its own, at the time 1,000,000.
type scene struct {
	*Supervisor
	tx    *durable.Tx
	facts []Fact
	// handler is the error of the handler of detached runs, and handled counts its calls.
	handler error
	handled int
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{tx: durable.NewTx(1_000_000, durabletest.Memory(t), durabletest.Rand(1))}
	durable.Migrate(s.tx, durable.ScheduleSchema, stream.Schema, run.Schema)
	for _, table := range []string{ // stand in the schema of package chat
		`CREATE TABLE unwoken (run TEXT PRIMARY KEY, failures INTEGER NOT NULL)`,
		`CREATE TABLE owed (kind TEXT NOT NULL, id TEXT NOT NULL, tries INTEGER NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID`,
	} {
		s.tx.SQL(table)
	}
	s.Supervisor = New(Config{
		Class: "Assistant", Runs: run.Limits{Concurrent: 2, Queued: 2}, Keep: run.Keep{Runs: 10, Age: time.Hour},
		Report:     func(_ *durable.Tx, f Fact) { s.facts = append(s.facts, f) },
		Refuse:     func(*durable.Tx, run.Run) run.Result { return run.Result{} },
		HasHandler: func(name string) bool { return name == "tell" },
		Deliver: func(*durable.Tx, string, run.Run) error {
			s.handled++
			return s.handler
		},
		Watched: func(*durable.Tx, run.Run) bool { return true },
		Depth:   func(*durable.Tx) int { return 0 },
	})
	return s
}

// begin begins the run r, and has a status as its first one.
func (s *scene) begin(status run.Status) run.Run {
	r := s.Accept(s.tx, run.Run{ID: "r", Class: "Researcher"}, false)
	if status != run.Starting {
		run.Move(s.tx, &r, run.Running, run.Result{})
	}
	if status == run.Waiting {
		run.Wait(s.tx, &r, []string{"call"}, nil)
	}
	return r
}

// find returns the run r.
func (s *scene) find() run.Run {
	r, _ := run.Find(s.tx, "r")
	return r
}

// handleDue lets the time pass until something is due, and handles it. It returns how long that
// took, or false if nothing is due.
func (s *scene) handleDue() (wait int64, ok bool) {
	at := durable.NextDue(s.tx)
	if at == 0 {
		return 0, false
	}
	wait, s.tx.Now = at-s.tx.Now, at
	for _, due := range durable.TakeDue(s.tx) {
		s.HandleDue(s.tx, due)
	}
	return wait, true
}

// dueIn returns in how many milliseconds an entry of a kind is due, or -1 if there is none.
func (s *scene) dueIn(kind string) int64 {
	if at := durable.NextDueOf(s.tx, func(have string) bool { return have == kind }); at > 0 {
		return at - s.tx.Now
	}
	return -1
}

// commands returns how many commands of a type there were since it was called last.
func commands[C durable.Command](s *scene) (n int) {
	s.tx.Rewrite(func(c durable.Command) []durable.Command {
		if _, ok := c.(C); ok {
			n++
			return nil
		}
		return []durable.Command{c}
	})
	return n
}

// response is a helper's response to a call.
func response[Req, Res any](method wire.Method[Req, Res], result Res) []byte {
	var mux wire.Mux[*facet.Empty]
	wire.Handle(&mux, method, func(*facet.Empty, Req) (Res, error) { return result, nil })
	var request Req
	return mux.Serve(nil, method.Request(request))
}
