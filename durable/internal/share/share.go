// Package share keeps the rule for what all people of a conversation share: whether a person may have
// one more of something. Each kind has a limit in all and a share for one person, so that nobody can
// take everything from the others. Whoever asks for more is refused, and nothing that others have ends.
package share

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Share is a limit that people share.
type Share struct {
	// Most is how many there can be in all, and Each how many of one person.
	Most, Each int
	// Are says in words what is counted, such as "calls are under way".
	Are string
}

// The shares of what is counted for the whole object. One person has a quarter of each.
var (
	// Sockets are the connections of browsers, with those that are relayed to helpers. A socket beyond
	// the limit is closed with 1013.
	Sockets = Share{1_024, 256, "connections are open"}
	// Turns are the requests that wait for an answer: of people, and of code that works for them.
	Turns = Share{32, 8, "requests are waiting"}
	// WaitingCalls are the calls of methods that wait for the end of a turn.
	WaitingCalls = Share{256, 64, "calls wait for turns"}
	// Approvals are the calls of tools that wait for a person, or for a tool in a browser.
	Approvals = Share{1_024, 256, "calls wait for an answer"}
	// Questions are the questions of an object's own code that wait for an answer.
	Questions = Share{limit.Questions, limit.Questions / 4, "questions wait for an answer"}
	// Schedules are all schedules, those that have failed among them.
	Schedules = Share{1_000, 250, "schedules are kept"}
	// Notices are what an agent has still to say, because the queue of turns was full.
	Notices = Share{1_024, 256, "notices wait for room"}
	// Servers are those of the Model Context Protocol that people have added.
	Servers = Share{64, 16, "servers are there"}
	// Actions are the calls of one tool that the ledger remembers, see package action.
	Actions = Share{10_000, 2_500, "calls of it are remembered"}
	// Programs are the calls of other programs, with the tasks that are kept for them.
	Programs = Share{256, 64, "calls are under way"}
	// Signals are those that wait for one run, and Submissions the turns that code has requested and that are over.
	Signals     = Share{limit.Signals, limit.Signals / 4, "signals wait for the run"}
	Submissions = Share{500, 125, "submissions are kept"}
	// Sessions are those of programs, and Streams the streams on which programs are told of changes.
	Sessions = Share{64, 16, "sessions are open"}
	Streams  = Share{32, 8, "streams are open"}
)

// RunsWaiting returns the share of the runs that wait for a place, of which there can be so many.
func RunsWaiting(most int) Share {
	return Share{most, (most + 3) / 4, "runs wait"}
}

// RunsAtWork returns the share of the runs that are at work at a time. One person can have three
// quarters: one person alone needs many, and the others need a place each.
func RunsAtWork(most int) Share {
	return Share{most, max(most-most/4, 1), "helpers are at work"}
}

// Refusal says why the person with some claims can have no more, or returns nil. held is what there is.
// Where nobody signs in, as in development, nobody is there to whom a share would leave anything: only
// the limit in all counts. People who are not known share what one person can have.
func (s Share) Refusal(by string, held Held) error { return s.RefusalOf(claims.Person(by), held) }

// RefusalOf is [Share.Refusal] for a person, as [claims.Person] names people.
func (s Share) RefusalOf(person string, held Held) error {
	switch {
	case held.all >= s.Most:
		return fmt.Errorf("%d %s already", held.all, s.Are)
	case person != Everybody && held.of[person] >= s.Each:
		return fmt.Errorf("%d %s already for one person, who can have %d of %d", held.of[person], s.Are, s.Each, s.Most)
	}
	return nil
}

// Everybody is the person where nobody signs in, as [claims.Person] names it.
const Everybody = "everybody"

// Held is how many of something there are, and whose. Its zero value is none.
type Held struct {
	all int
	of  map[string]int
}

// Add counts n more of the person with some claims.
func (h *Held) Add(by string, n int) { h.AddOf(claims.Person(by), n) }

// AddOf counts n more of a person.
func (h *Held) AddOf(person string, n int) {
	if h.of == nil {
		h.of = map[string]int{}
	}
	h.all += n
	h.of[person] += n
}

// All is how many there are.
func (h *Held) All() int { return h.all }

// AnyHas says whether any person who is limited has so many of them.
func (h *Held) AnyHas(n int) bool {
	for person, has := range h.of {
		if has >= n && person != Everybody {
			return true
		}
	}
	return false
}

// Counted returns what is held by rows of which each has claims and how many rows have them.
func Counted[R interface {
	Text(i int) string
	Int(i int) int64
}](rows []R) (h Held) {
	for _, row := range rows {
		h.Add(row.Text(0), int(row.Int(1)))
	}
	return h
}
