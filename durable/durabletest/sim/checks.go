package sim

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// checks are what has to hold after every event. I1 and I2 hold by types: commands and
// events are all that the world hands over, and they are values. I4 and the rest are
// checked when a world rests, in rest.go.
var checks = []func(*Sim, durabletest.HandledEvent){
	trapShowsNothing, chunksKeepTheirNumbers, statusesGoForward, facetsOwnNothing, stopReachesRuns,
	nobodyIsAddressed, strangersReachNothing, nobodyIsForgotten, endsComeLast, streamsMakeSense,
	trapsHaveCauses, turnsSpeakInOrder, slotsAreHeld, awaitsHappenOnce,
	callsAreAnsweredOnce, submissionsAreKept, submissionsStay, turnsBeginInOrder, laterOnesGetTheirWay, schedulesAreKept, endsAreTold,
	nothingOverdueRests, answersAreTaken, goesOnWhenAllIsAnswered, tokensEndSockets,
	alarmsAreSetAnew, helpersAreFollowed, runsCostWhatTheyGot, timeIsNotGivenBack, debouncedOnesWait, waitsAreCharged,
	newcomersAreTold, answersHaveAFinish, runsComeInOrder, skippedAreShown, complaintsAreTrue, pagesAreOfKnownRuns, startsAreRepeated,
}

// trapShowsNothing is I3: an event that trapped has changed nothing.
func trapShowsNothing(s *Sim, h durabletest.HandledEvent) {
	if h.Trap == nil || h.Slot != s.armed {
		return
	}
	if !h.Opened && s.checks.before != "" && s.dump(h.Object) != s.checks.before {
		s.fail("I3", "%T trapped, and left something behind", h.Event)
	}
	if !h.Opened && len(h.Commands) > 0 {
		s.fail("I3", "%T trapped, and had something done: %v", h.Event, h.Commands)
	}
}

// statusesGoForward is I6: a turn and a run reach one final status, and stay there.
func statusesGoForward(s *Sim, h durabletest.HandledEvent) {
	for _, t := range s.checks.turns {
		key := fmt.Sprintf("%s turn %d", h.Object, t.seq)
		s.moved(key, t.status)
		if t.status == "error" && s.checks.status[key] != "error" {
			s.failedTurn(h, t)
		}
		s.checks.status[key] = t.status
	}
	for _, r := range s.checks.runs {
		key := fmt.Sprintf("%s run %s", h.Object, r.id)
		s.moved(key, r.status)
		if r.status == "error" && s.checks.status[key] != "error" {
			s.failedRun(h, r)
		}
		s.checks.status[key] = r.status
	}
}

// interrupted is in the reason of a turn whose attempts are used up.
const interrupted = "interrupted too often"

func (s *Sim) moved(key, status string) {
	if was := s.checks.status[key]; final(was) && was != status {
		s.fail("I6", "%s went from %s to %s", key, was, status)
	}
}

// failedTurn is D1: a turn fails when its model has, also by saying nothing, or when its code has
// trapped, and for nothing else.
func (s *Sim) failedTurn(h durabletest.HandledEvent, t turnRow) {
	broken := s.checks.broken[h.Object] && strings.Contains(t.reason, interrupted)
	s.checks.broken[h.Object] = false
	if !s.givenUp(h.Object, t) && !s.model.failed[h.Object] && !broken {
		s.fail("D1", "a turn of %q failed: %s", h.Object, t.reason)
	}
}

// failedRun is D1 for runs: a run fails when its helper's turn has, or where nothing could
// be written.
func (s *Sim) failedRun(h durabletest.HandledEvent, r runRow) {
	helper := s.world.Object(path.Join(h.Slot, fmt.Sprintf("helper-%d", r.slot)))
	if r.reason == "not-started" && len(s.checks.wasFull) > 0 {
		return
	}
	if helper == "" || !s.made(helper) || !slices.ContainsFunc(s.turns(helper), func(t turnRow) bool {
		return t.status == "error" && t.reason == r.failure
	}) {
		s.fail("D1", "the run %s failed, and its helper did not: %s", r.id, r.failure)
	}
}

// facetsOwnNothing is I7: what a facet asks of its host is none of the root's business.
func facetsOwnNothing(s *Sim, h durabletest.HandledEvent) {
	if h.Slot == "" {
		return
	}
	for _, c := range h.Commands {
		switch c.(type) {
		case durable.Send, durable.Close, durable.Respond, durable.SetAlarm:
			s.fail("I7", "%s: %T", h.Slot, c)
		}
	}
}

// stopReachesRuns is I9: when a turn has ended, so have the runs that it awaited, before
// anybody is told.
func stopReachesRuns(s *Sim, _ durabletest.HandledEvent) {
	for _, r := range s.checks.runs {
		speaks := func(t turnRow) bool { return t.seq == r.turn && t.status == "running" }
		if detached := r.turn == 0; !final(r.status) && !detached && !slices.ContainsFunc(s.checks.turns, speaks) {
			s.fail("I9", "the run %s is %s, and its turn is over", r.id, r.status)
		}
	}
}

// nobodyIsAddressed is I11: nothing is sent where nobody is.
func nobodyIsAddressed(s *Sim, h durabletest.HandledEvent) {
	for _, c := range h.Commands {
		send, ok := c.(durable.Send)
		if !ok {
			continue
		}
		if len(send.To) == 0 {
			s.fail("I11", "a frame is sent to nobody: %.80s", send.Text)
		}
		for _, conn := range send.To {
			if _, there := s.checks.met[conn]; !there {
				s.fail("I11", "a frame is sent to %s, who is not there: %.80s", conn, send.Text)
			}
		}
	}
}

// strangersReachNothing is I12: what the registry does not know is refused, and nothing is
// made for it.
func strangersReachNothing(s *Sim, h durabletest.HandledEvent) {
	e, ok := h.Event.(durable.SocketOpened)
	if !ok || h.Trap != nil || s.hasEnded(e.Conn) {
		return
	}
	to := s.checks.met[e.Conn]
	if to == "" {
		return
	}
	known := s.knows(to)
	refused, reached := false, false
	for _, c := range h.Commands {
		switch c := c.(type) {
		case durable.Close:
			refused = refused || c.Conn == e.Conn && c.Code == 4404
		case durable.OpenStream:
			reached = reached || strings.HasSuffix(c.Stream, string(e.Conn))
		}
	}
	if refused == known || reached != known {
		s.fail("I12", "%s: known %v, refused %v, reached %v", to, known, refused, reached)
	}
}

// knows says whether the registry has the run that a helper's path names.
func (s *Sim) knows(to string) bool {
	words := strings.Split(to, "/")
	return slices.ContainsFunc(s.checks.runs, func(r runRow) bool {
		return r.id == words[3] && strings.EqualFold(r.class, words[2]) && r.slot > 0
	})
}

// pagesAreOfKnownRuns is I12 for pages that are open: one whose run is forgotten is closed in the same event.
func pagesAreOfKnownRuns(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" || h.Trap != nil {
		return
	}
	for _, conn := range s.checks.conns {
		if to := s.checks.met[conn]; to != "" && !s.knows(to) {
			s.fail("I12", "%s stays open on %s, which is forgotten", conn, to)
		}
	}
}
